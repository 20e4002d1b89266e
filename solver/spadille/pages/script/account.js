// Messages about a hand played from a seat: hints during the play, and a summary after it.
import { bestCards, cardName, effect, listed, makes, many, valuesInWords } from "./words.js";

const percent = (share) => `${Math.round(100 * share)} of 100 layouts`;

// A hint based on what the player knows.
export function hinted({ best, layouts, made, card }, contract) {
  if (!layouts && best.length === 1) return `The ${cardName(card)} is the only card you may play.`;
  if (!layouts) return `Given what you know, no card stands out; a rule of thumb plays the ${cardName(card)}.`;
  const nemo = contract.penalty ? "the first declarer scores" : "the contract makes";
  return `Given what you know, the best card is ${listed(best.map((each) => `the ${cardName(each)}`), "or")}; ${nemo} in ${percent(made[best[0]])}`
    + ` (${many(layouts, "layout")} tried). Ask again for a hint from all hands.`;
}

// Whether a seat reached its goal: to make its own or its side's contract, or to defeat the others.
function reached(values, { declarers, partner }, seat) {
  const own = values.find((one) => one.seat === seat);
  const made = makes(own ?? values[0], (own ?? values[0]).value);
  return made === ([...declarers, partner].includes(seat));
}

// The result, with the best and the recorded result, and each card that cost something.
export function account({ game, moves, play, contract }, { costs, start, end, recorded }, seat) {
  const size = game.seats.length;
  const lines = [
    `Your result: ${valuesInWords(end)}.`,
    `Double-dummy from the first card: ${valuesInWords(start)}.`,
  ];
  if (recorded && play.length) lines.push(`${play.length < game.size * size ? "The recorded play, with best play after it" : "The recorded result"}: ${valuesInWords(recorded)}.`);
  for (const { at, values, chosen } of costs) {
    const trick = Math.floor(at / size) + 1;
    const known = chosen.best.includes(moves[at]) || !chosen.layouts ? "given what you knew, it was as good as any"
      : `given what you knew, the ${cardName(chosen.card)} was better`;
    lines.push(`Trick ${trick}, the ${cardName(moves[at])}: ${effect(values, moves[at])}; best ${
      listed(bestCards(values).map(cardName), "or") || "for all: none"}; ${known}.`);
  }
  const wrong = costs.length;
  const title = wrong ? `The hand is over. ${many(wrong, "card")} of yours cost something.`
    : "The hand is over. None of your cards cost anything.";
  return { title, lines, costs: wrong, reached: reached(end, contract, seat), par: reached(start, contract, seat) };
}
