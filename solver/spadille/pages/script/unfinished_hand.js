// Keeps a hand that is being played from a seat, so that reloading the page neither shows the other hands
// nor loses the cards played; the last answer to a quiz, so that reloading the page does not ask again; and the
// lines tried for each deal.
import { memory } from "./memory.js";

const unfinished = memory("sessionStorage", "seat");
const answered = memory("sessionStorage", "answer");
const tried = memory("sessionStorage", "lines");

// The cards of a deal as one string, by which the deal is recognized.
export const cardsOf = ({ hands }) => Object.values(hands).flat().join("");

export function keepSeat({ live, deal, contract, pupil, moves, at }) {
  const cards = cardsOf(deal);
  if (live) unfinished.keep({ cards, contract, seat: pupil, moves: moves.slice(0, at) });
  else if (unfinished.kept.cards === cards) unfinished.keep({});
}

export function keepAnswer({ quiz, duel, live, answer, deal, moves, at, pupil, par }) {
  const cards = cardsOf(deal);
  if (duel && !live) answered.keep({ cards, moves: moves.slice(0, at), pupil, par });
  else if (quiz && !live && answer) answered.keep({ cards, at, answer });
  else if (answered.kept.cards === cards) answered.keep({});
}

// The answer to the question of a deal after `at` cards, or the hand that is played on after it; null if
// another question was the last.
export const keptAnswer = (deal, at) =>
  answered.kept.cards === cardsOf(deal) && [undefined, at].includes(answered.kept.at) ? answered.kept : null;

// The lines by contract.
export const keepLines = (deal, lines) => tried.keep({ ...tried.kept, [cardsOf(deal)]: [...lines] });

export const keptLines = (deal) => new Map(tried.kept[cardsOf(deal)]);

// The seat, contract and moves of a deal that was being played; null if it was not.
export const keptSeat = (deal) => unfinished.kept.cards === cardsOf(deal) ? unfinished.kept : null;
