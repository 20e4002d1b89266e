// The controls for a contract: its players, trump, called card and partner.
import { choice, make } from "./dom.js";
import { allowedTrumps, callable, contractType, SUITS } from "./hand.js";
import { NOBODY } from "./pbn.js";
import { cardSign, seatName, suitName, SYMBOLS } from "./words.js";

const LATER = "";

const trumpOption = (trump) =>
  [trump, trump === "NT" ? suitName(trump) : `${SYMBOLS[trump]} ${suitName(trump)}`];

// The wanted value if it is allowed, otherwise the first allowed value.
const settle = (wanted, allowed) => allowed.includes(wanted) ? wanted : allowed[0];

// The allowed contract closest to the wanted one; null if there is none.
export function resolved(game, deal, wanted) {
  const kind = contractType(game, wanted.ids[0]);
  if (!kind) return null;
  const seats = [...game.seats];
  const ending = Boolean(deal.leader);
  const trumps = [...allowedTrumps(game, deal, kind)];
  if (kind.late && !ending) trumps.push(null);
  const trump = trumps.includes(wanted.trump) ? wanted.trump : trumps.at(-1) === null ? null : trumps[0];
  const plain = { trump, called: null, partner: null, penalty: null };
  if (kind.side === "all") {
    const penalty = settle(wanted.penalty, [...SUITS]);
    return { ...plain, declarers: seats, ids: seats.map(() => kind.id), penalty };
  }
  const mayPlay = (seat) => ending || !kind.holder || deal.hands[seat].includes(kind.holder);
  const able = seats.filter(mayPlay);
  if (!able.length) return null;
  const first = settle(wanted.declarers[0], able);
  if (kind.side === "individual") {
    const others = wanted.declarers.map((seat, i) => [seat, wanted.ids[i]]).slice(1)
      .filter(([seat, id]) => seat !== first && contractType(game, id)?.side === "individual");
    const all = new Map([[first, kind.id], ...others]);
    const declarers = game.seats.filter((seat) => all.has(seat));
    return { ...plain, declarers, ids: declarers.map((seat) => all.get(seat)) };
  }
  const found = { ...plain, declarers: [first], ids: [kind.id] };
  const others = seats.filter((seat) => seat !== first);
  if (kind.side === "partner") return { ...found, partner: settle(wanted.partner, others) };
  if (kind.side !== "called") return found;
  if (ending) return { ...found, partner: settle(wanted.partner, others) };
  const cards = callable(game, kind, trump, deal.hands[first]);
  if (kind.mayCall && (wanted.called === NOBODY || !wanted.called)) return found;
  if (!cards.length) return found;
  const called = settle(wanted.called, cards);
  return { ...found, called, partner: others.find((seat) => deal.hands[seat].includes(called)) ?? null };
}

// Whether the deal allows a contract without changes.
export function allowed(game, deal, contract) {
  const found = resolved(game, deal, contract);
  return found !== null && Object.keys(found).every((key) => JSON.stringify(found[key]) === JSON.stringify(contract[key]));
}

// Any allowed contract to start with.
export function anyContract(game, deal) {
  for (const kind of game.contracts) {
    const found = resolved(game, deal, { ids: [kind.id], declarers: [game.seats[0]] });
    if (found) return found;
  }
  return null;
}

// The controls; `changed` gets every contract that the reader chooses.
export function terms(game, deal, contract, changed) {
  const change = (more) => {
    const found = resolved(game, deal, { ...contract, ...more });
    if (found) changed(found);
  };
  const kind = contractType(game, contract.ids[0]);
  const seats = (leave) => game.seats.filter((seat) => seat !== leave).map((seat) => [seat, seatName(seat)]);
  const ending = Boolean(deal.leader);
  const kinds = game.contracts.map((each) => [each.id, each.name]);
  const found = [choice("Contract", kinds, kind.id, (id) =>
    change({ ids: [id], declarers: [contract.declarers[0]] }))];
  if (kind.side === "all") {
    found.push(choice("Penalty", [...SUITS].map(trumpOption), contract.penalty, (penalty) =>
      change({ penalty })));
  } else if (kind.side === "individual") {
    const soloists = game.contracts.filter((each) => each.side === "individual");
    found.push(...game.seats.map((seat) => {
      const own = contract.ids[contract.declarers.indexOf(seat)] ?? "";
      const options = [["", "–"], ...soloists.map((each) => [each.id, each.name])];
      return choice(seatName(seat), options, own, (id) => {
        const all = game.seats.map((each) => [each, each === seat ? id
          : contract.ids[contract.declarers.indexOf(each)]]).filter(([, each]) => each);
        if (all.length) changed({ ...contract, declarers: all.map(([each]) => each), ids: all.map(([, each]) => each) });
        else changed(contract);
      });
    }));
    return found;
  } else {
    found.push(choice("Declarer", seats(), contract.declarers[0], (seat) => change({ declarers: [seat] })));
  }
  const trumps = allowedTrumps(game, deal, kind).map(trumpOption);
  if (kind.late && !ending) trumps.push([LATER, "with the first card"]);
  if (trumps.length > 1)
    found.push(choice("Trumps", trumps, contract.trump ?? LATER, (trump) => change({ trump: trump || null })));
  if (kind.side === "partner" || (kind.side === "called" && ending)) {
    found.push(choice("Partner", seats(contract.declarers[0]), contract.partner, (partner) => change({ partner })));
  } else if (kind.side === "called") {
    const cards = callable(game, kind, contract.trump, deal.hands[contract.declarers[0]])
      .map((card) => [card, cardSign(card)]);
    if (kind.mayCall || !cards.length) cards.unshift([NOBODY, "nobody"]);
    found.push(choice("Called", cards, contract.called ?? NOBODY, (called) => change({ called })));
  }
  return found;
}

export const termsForm = (...args) =>
  make("div", { class: "terms", role: "group", "aria-label": "Contract" }, terms(...args));
