// Keeps data when the page is reloaded: a hand that is being played from a seat, with the other
// hands still hidden; the last answer to a quiz; and the lines tried for each deal.
import { memory } from "./browser_storage.js";

const unfinished = memory("sessionStorage", "seat");
const answered = memory("sessionStorage", "answer");
const tried = memory("sessionStorage", "lines");

// A string of a deal's cards, which identifies the deal.
export const cardsOf = ({ hands }) => Object.values(hands).flat().join("");

export function keepSeat({ live, deal, contract, pupil, moves, at }) {
  const cards = cardsOf(deal);
  if (live) unfinished.keep({ cards, contract, seat: pupil, moves: moves.slice(0, at) });
  else if (unfinished.kept.cards === cards) unfinished.keep({});
}

export function keepAnswer({ quiz, duel, live, answer, missed, deal, moves, at, pupil, par }) {
  const cards = cardsOf(deal);
  if (duel && !live) answered.keep({ cards, moves: moves.slice(0, at), pupil, par });
  else if (quiz && !live && (answer || missed.length)) answered.keep({ cards, at, answer: answer || missed.at(-1), shown: Boolean(answer) });
  else if (answered.kept.cards === cards) answered.keep({});
}

// The answer to a deal's question after `at` cards, or the hand that was continued after it; null
// if the last question was another one.
export const keptAnswer = (deal, at) =>
  answered.kept.cards === cardsOf(deal) && [undefined, at].includes(answered.kept.at) ? answered.kept : null;

// The lines by contract.
export const keepLines = (deal, lines) => tried.keep({ ...tried.kept, [cardsOf(deal)]: [...lines] });

export const keptLines = (deal) => new Map(tried.kept[cardsOf(deal)]);

// The seat, contract and moves of a deal that was being played; null if none was.
export const keptSeat = (deal) => unfinished.kept.cards === cardsOf(deal) ? unfinished.kept : null;
