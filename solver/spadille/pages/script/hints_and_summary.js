// Messages about a hand played from a seat: hints during the play, and a summary after it.
import { payoffsOf } from "./payoffs.js";
import { bestCards, bestInWords, capitalized, cardName, effect, makes, many, seatName, signed, surrenderInWords, valuesInWords, worth } from "./words.js";

// A share of the sampled layouts as a number of layouts, in words.
const often = (share, layouts) => {
  const times = Math.round(share * layouts);
  return times === layouts ? `all ${layouts} layouts tried` : times ? `${times} of ${layouts} layouts tried` : `none of ${layouts} layouts tried`;
};

// With fewer layouts than this, the best card is a guess.
const ENOUGH = 20;

const makesIn = ({ penalty }) => penalty ? "the first declarer scores" : "the contract makes";

// A hint based on what the player knows.
export function hinted({ best, layouts, made, paid, card }, contract) {
  if (!layouts && best.length === 1) return `The ${cardName(card)} is the only card you may play.`;
  if (!layouts) return `Given what you know, no card stands out; a rule of thumb plays the ${cardName(card)}.`;
  const gain = paid[best[0]];
  const pays = gain === null ? "" : `${best.length > 1 ? "they pay" : "it pays"} ${signed(Number(gain.toFixed(1)))} on average, and `;
  const choice = `${bestInWords(best, { marked: true })}; ${pays}${makesIn(contract)} in`, again = " Ask again for a hint from all hands.";
  return layouts < ENOUGH ? `Given what you know, only a guess from ${many(layouts, "layout")}: ${choice} ${Math.round(made[best[0]] * layouts)}.${again}`
    : `Given what you know, ${choice} ${often(made[best[0]], layouts)}.${again}`;
}

// Whether a seat reached its goal: to make its own or its side's contract, or to defeat the others.
function reached(values, { declarers, partner }, seat) {
  const own = values.find((value) => value.seat === seat);
  const made = makes(own ?? values[0], (own ?? values[0]).value);
  return made === ([...declarers, partner].includes(seat));
}

// The payoff of a seat at the end of a hand; null if it is unknown.
function paidTo({ game, deal, contract, state, payoffs: data, given, claimed }, end, seat) {
  if (given) return given.surrendered;
  if (claimed) return claimed.paid;
  const payoffs = payoffsOf(data, game, { deal, contract });
  if (!payoffs) return null;
  if (payoffs.byEnd) {
    const paid = payoffs.paid(payoffs.state(state.tricks.map(({ winner }) => winner), false));
    return paid ? paid[game.seats.indexOf(seat)] : null;
  }
  if (contract.declarers.length > 1 && !contract.declarers.includes(seat)) return 0;
  const result = end.find((value) => value.seat === seat) ?? end[0];
  if (result.unit === "points") return payoffs.ofValue(seat, worth(result, result.value));
  const misere = result.unit === "made" || result.target === 0;
  return payoffs.ofValue(seat, misere ? Math.max(result.value, -1) : result.value);
}

// The number of the reader's cards that cost something.
export const costsInWords = (count) => count ? `${count === 1 ? "One" : count} of your cards cost something.` : "None of your cards cost anything.";

// Whether the reader could have known that a card was not the best.
function knowable({ layouts, made, paid, best }, card, contract) {
  const before = `Given what you knew${layouts && layouts < ENOUGH ? `, as a guess from ${many(layouts, "layout")}` : ""}, `;
  if (!layouts) return `${before}it was as good as any`;
  const [better] = best, [yours, others] = [card, better].map((each) => Math.round(made[each] * layouts));
  const gain = Math.round(10 * (paid[better] - paid[card])) / 10;
  const right = best.includes(card) || (yours === others && !(gain > 0));
  return `${before}${right ? "it was as good as any" : `the ${cardName(better)} was better`}: ${makesIn(contract)} in ${often(made[card], layouts)} after yours${
    right ? "" : yours === others ? ` and after the other, which pays ${gain} more on average` : `, in ${others} after the other`}`;
}

// The result compared with the best and the recorded result, and each card that cost something.
export function account(board, { costs, start, recorded, ...answer }, seat) {
  const { game, moves, play, contract, given, claimed, state } = board;
  const size = game.seats.length, end = claimed?.end ?? answer.end;
  const paid = paidTo(board, end, seat);
  const claim = claimed ? `You claimed ${claimed.tricks ? many(claimed.tricks, "trick") : "no more tricks"} at trick ${
    state.tricks.length + 1}; the others get ${claimed.left - claimed.tricks || "none"}.${
    claimed.best > claimed.tricks ? ` Double-dummy, your side takes ${many(claimed.best, "trick")}.` : ""} ` : "";
  const lines = [
    given ? `You surrendered. ${surrenderInWords(given)}` : `${claim}${capitalized(valuesInWords(end))}.${paid === null ? "" : ` It pays you ${signed(paid)}.`}`,
    `Double-dummy from the first card: ${valuesInWords(start)}.`,
  ];
  if (end[0].unit === "outcome" && !claim) lines.splice(1, 0, `Tricks: ${game.seats.map((each) => `${seatName(each)}: ${state.won[each]}`.replaceAll(" ", "\u00A0")).join(", ")}.`);
  if (recorded && play.length) lines.push(`${play.length < game.size * size ? "The recorded play, with best play after it" : "The recorded result"}: ${valuesInWords(recorded)}.`);
  const mistakes = costs.map(({ at, values, chosen }) => {
    const known = knowable(chosen, moves[at], contract);
    return { at, title: `Trick ${Math.floor(at / size) + 1}, the ${cardName(moves[at])}: ${effect(values, moves[at])}`,
      text: `${capitalized(bestInWords(bestCards(values), { past: true }))}. ${known}.` };
  });
  const wrong = costs.length;
  const cost = costsInWords(wrong) + (claimed?.best > claimed?.tricks ? ` Your claim gave up ${many(claimed.best - claimed.tricks, "trick")}.` : "");
  return { cost, claim, lines, mistakes, costs: wrong, reached: !given && reached(end, contract, seat), paid, par: reached(start, contract, seat) };
}
