// Keeps a hand that is being played from a seat, so that a page that is loaded again neither shows the
// other hands nor loses the cards played.
import { memory } from "./memory.js";

const sitting = memory("sessionStorage", "seat");

// A deal in one text, to recognize it.
export const cardsOf = ({ hands }) => Object.values(hands).flat().join("");

export function keepSeat({ live, deal, contract, pupil, moves, at }) {
  const cards = cardsOf(deal);
  if (live) sitting.keep({ cards, contract, seat: pupil, moves: moves.slice(0, at) });
  else if (sitting.kept.cards === cards) sitting.keep({});
}

// The seat, contract and moves of a deal that was being played; null if it was not.
export const keptSeat = (deal) => sitting.kept.cards === cardsOf(deal) ? sitting.kept : null;
