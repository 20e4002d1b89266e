// The form for a contract: its players, trump, called card and partner.
import { resolved } from "./allowed_contracts.js";
import { choice, make } from "./dom.js";
import { allowedTrumps, callable, contractType, SUITS } from "./hand_encoding.js";
import { NOBODY } from "./pbn.js";
import { cardSign, seatName, suitName, SYMBOLS } from "./words.js";

const LATER = "";

const trumpOption = (trump) =>
  [trump, trump === "NT" ? suitName(trump) : `${SYMBOLS[trump]} ${suitName(trump)}`];

// The controls; `changed` gets every contract that the reader chooses.
export function terms(game, deal, contract, changed) {
  const change = (more) => {
    const settled = resolved(game, deal, { ...contract, ...more });
    if (settled) changed(settled);
  };
  const kind = contractType(game, contract.ids[0]);
  const seats = (leave) => game.seats.filter((seat) => seat !== leave).map((seat) => [seat, seatName(seat)]);
  const ending = Boolean(deal.leader);
  const kinds = game.contracts.map((type) => [type.id, type.name]);
  const fields = [choice("Contract", kinds, kind.id, (id) =>
    change({ ids: [id], declarers: [contract.declarers[0]] }))];
  if (kind.side === "all") {
    fields.push(choice("Penalty", [...SUITS].map(trumpOption), contract.penalty, (penalty) =>
      change({ penalty })));
  } else if (kind.side === "individual") {
    const soloists = game.contracts.filter((type) => type.side === "individual");
    fields.push(...game.seats.map((seat) => {
      const own = contract.ids[contract.declarers.indexOf(seat)] ?? "";
      const options = [["", "–"], ...soloists.map((type) => [type.id, type.name])];
      return choice(seatName(seat), options, own, (id) => {
        const all = game.seats.map((other) => [other, other === seat ? id
          : contract.ids[contract.declarers.indexOf(other)]]).filter(([, chosen]) => chosen);
        if (all.length) changed({ ...contract, declarers: all.map(([other]) => other),
          ids: all.map(([, chosen]) => chosen) });
        else changed(contract);
      });
    }));
    return fields;
  } else {
    fields.push(choice("Declarer", seats(), contract.declarers[0], (seat) => change({ declarers: [seat] })));
  }
  const trumps = allowedTrumps(game, deal, kind).map(trumpOption);
  if (kind.late && !ending) trumps.push([LATER, "with the first card"]);
  if (trumps.length > 1)
    fields.push(choice("Trumps", trumps, contract.trump ?? LATER, (trump) => change({ trump: trump || null })));
  if (kind.side === "partner" || (kind.side === "called" && ending)) {
    fields.push(choice("Partner", seats(contract.declarers[0]), contract.partner, (partner) => change({ partner })));
  } else if (kind.side === "called") {
    const cards = callable(game, kind, contract.trump, deal.hands[contract.declarers[0]])
      .map((card) => [card, cardSign(card)]);
    if (kind.mayCall || !cards.length) cards.unshift([NOBODY, "nobody"]);
    fields.push(choice("Called", cards, contract.called ?? NOBODY, (called) => change({ called })));
  }
  return fields;
}

export const termsForm = (...args) =>
  make("div", { class: "terms", role: "group", "aria-label": "Contract" }, terms(...args));
