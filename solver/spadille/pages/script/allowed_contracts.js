// The contracts that a deal allows: the one closest to a reader's choice, and any one to start with.
import { allowedTrumps, callable, contractType, SUITS } from "./hand_encoding.js";
import { NOBODY } from "./pbn.js";

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
  const contract = { ...plain, declarers: [first], ids: [kind.id] };
  const others = seats.filter((seat) => seat !== first);
  if (kind.side === "partner") return { ...contract, partner: settle(wanted.partner, others) };
  if (kind.side !== "called") return contract;
  if (ending) return { ...contract, partner: settle(wanted.partner, others) };
  const cards = callable(game, kind, trump, deal.hands[first]);
  if (kind.mayCall && (wanted.called === NOBODY || !wanted.called)) return contract;
  if (!cards.length) return contract;
  const called = settle(wanted.called, cards);
  return { ...contract, called, partner: others.find((seat) => deal.hands[seat].includes(called)) ?? null };
}

// Whether the deal allows a contract without changes.
export function allowed(game, deal, contract) {
  const settled = resolved(game, deal, contract);
  return settled !== null
    && Object.keys(settled).every((key) => JSON.stringify(settled[key]) === JSON.stringify(contract[key]));
}

// Any allowed contract to start with.
export function anyContract(game, deal) {
  for (const kind of game.contracts) {
    const contract = resolved(game, deal, { ids: [kind.id], declarers: [game.seats[0]] });
    if (contract) return contract;
  }
  return null;
}
