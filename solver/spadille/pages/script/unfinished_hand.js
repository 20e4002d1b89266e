// Keeps a hand that is being played from a seat, so that reloading the page neither shows the other hands
// nor loses the cards played.
import { memory } from "./memory.js";

const unfinished = memory("sessionStorage", "seat");

// The cards of a deal as one string, by which the deal is recognized.
export const cardsOf = ({ hands }) => Object.values(hands).flat().join("");

export function keepSeat({ live, deal, contract, pupil, moves, at }) {
  const cards = cardsOf(deal);
  if (live) unfinished.keep({ cards, contract, seat: pupil, moves: moves.slice(0, at) });
  else if (unfinished.kept.cards === cards) unfinished.keep({});
}

// The seat, contract and moves of a deal that was being played; null if it was not.
export const keptSeat = (deal) => unfinished.kept.cards === cardsOf(deal) ? unfinished.kept : null;
