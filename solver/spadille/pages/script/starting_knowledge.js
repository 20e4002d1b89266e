// The knowledge of each seat before the first card if no auction is recorded: its own hand and the
// contract. For recorded deals, Python works this out from the auction as well (starting_knowledge_data.py).
import { contractType } from "./hand_encoding.js";

// The place of cards that nobody plays.
const PILE = "pile";

// The views by seat; null as long as trumps are open.
export function viewsOf(game, deal, { ids, declarers, trump, called, partner }) {
  if (!trump) return null;
  const { hands, leader } = deal;
  const { holder } = contractType(game, ids[0]);
  const pack = leader ? Object.values(hands).flat() : game.deck;
  return Object.fromEntries(game.seats.map((seat) => {
    const unseen = game.deck.filter((card) => pack.includes(card) && !hands[seat].includes(card));
    const others = game.seats.filter((other) => other !== seat);
    const sizes = Object.fromEntries(others.map((other) => [other, hands[other].length]));
    const rest = others.reduce((left, other) => left - sizes[other], unseen.length);
    if (rest) sizes[PILE] = rest;
    const impossible = (place) => place === declarers[0] ? called : leader ? null : holder;
    const never = Object.fromEntries(Object.keys(sizes).map((place) =>
      [place, unseen.filter((card) => card === impossible(place))]));
    const secret = Boolean(called) && seat !== partner;
    return [seat, { sizes, unseen, never, sums: [], partner: secret ? null : partner, partnerOpen: secret }];
  }));
}
