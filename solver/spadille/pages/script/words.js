// Names of cards, seats and values.

export const SYMBOLS = { S: "♠", H: "♥", D: "♦", C: "♣" };
const SUIT_NAMES = { S: "spades", H: "hearts", D: "diamonds", C: "clubs" };
const RANK_NAMES = {
  A: "ace", K: "king", Q: "queen", J: "jack", T: "ten", 9: "nine", 8: "eight", 7: "seven", 6: "six",
  5: "five", 4: "four", 3: "three", 2: "two",
};
const SEATS = { N: "North", E: "East", S: "South", W: "West" };

export const seatName = (seat) => SEATS[seat] ?? `Player ${seat}`;

// In a text, players are called by their names instead of their seats, as in replace_seats_with_names.py. Players
// whose name is also another's keep their seats, and so do those whose name has a seat, a card or letters from right
// to left in it. A seat's name is not broken over two lines.
const SEAT_IN_TEXT = `\\b(?:${Object.values(SEATS).join("|")}|Player[ \u00a0][1-5])\\b`;
const MISREAD = new RegExp(`${SEAT_IN_TEXT}|\\b[SHDC][2-9TJQKA]\\b|[${Object.values(SYMBOLS).join("")}\u0590-\u08ff\ufb1d-\ufefc]`);
const LONGEST = 24; // letters of a name
export function withNames(names = {}) {
  const plain = (name) => name.replace(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, "").trim();
  const short = (name) => name.length > LONGEST ? `${name.slice(0, LONGEST - 1)}…` : name;
  const all = Object.entries(names).map(([seat, name]) => [seatName(seat), short(plain(name))]);
  const shown = new Map(all.filter(([, name]) => name && !MISREAD.test(name) && all.filter(([, other]) => other === name).length === 1));
  return (text) => text.replace(new RegExp(SEAT_IN_TEXT, "g"), (seat) => shown.get(seat.replace("\u00a0", " ")) ?? seat.replace(" ", "\u00a0"));
}
export const suitName = (suit) => suit === "NT" ? "no trumps" : SUIT_NAMES[suit];
export const cardName = (card) => `${RANK_NAMES[card[1]]} of ${SUIT_NAMES[card[0]]}`;
export const rankNames = (cards) => cards.map((card) => RANK_NAMES[card[1]]).join(", ");
export const moveName = (move) => move.startsWith("=") ? `=${suitName(move.slice(1))}` : `the ${cardName(move)}`;
export const rankSign = (card) => card[1] === "T" ? "10" : card[1];
export const cardSign = (card) => SYMBOLS[card[0]] + rankSign(card);
export const many = (number, what) => `${number} ${what}${number === 1 ? "" : "s"}`;
export const listed = (words, last = "and") =>
  words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} ${last} ${words.at(-1)}`;

// The parts of a text before, between and after the names of cards, with these names at odd places.
const CARD_NAMES = new RegExp(`((?:the )?\\b(?:${Object.values(RANK_NAMES).join("|")}) of (?:${Object.values(SUIT_NAMES).join("|")}))`, "i");
export const aroundCards = (text) => text.split(CARD_NAMES);

// The symbols of a card by its name.
export function signOfName(name) {
  const [suit, , rank] = name.split(" ").reverse(), key = (names, wanted) => Object.keys(names).find((key) => names[key] === wanted);
  return cardSign(key(SUIT_NAMES, suit) + key(RANK_NAMES, rank));
}

export const capitalized = (text) => text.replace(/^./, (first) => first.toUpperCase());

// Whether a value means that the declarer makes the contract.
export function makes(side, value) {
  if (side.unit === "made") return value === 0;
  if (side.unit === "tricks") return value >= side.target;
  return side.names[value][1];
}

// A value as in `spadille cards`: a number of tricks or points, or an outcome.
export function worth(side, value) {
  if (side.unit === "made") return value < 0 ? "failed" : "made";
  return side.unit === "tricks" ? Math.abs(value) : side.names[value][0];
}

// The value in a sentence.
export function inWords(side, value) {
  const text = worth(side, value);
  if (side.unit === "tricks") return many(text, "trick");
  return side.unit === "points" ? many(text, "point") : text;
}

// The value on a card, with a verb or a participle; with several declarers, each with its seat.
export function onCard(side, value, contractors, verb = true) {
  const text = verb && side.unit === "made" ? value < 0 ? "fails" : "makes" : inWords(side, value);
  return contractors > 1 ? `${seatName(side.seat)}: ${text}` : text;
}

// The best value for the side to move.
export function best(side) {
  const all = Object.values(side.cards);
  return side.gains ? Math.max(...all) : Math.min(...all);
}

// The declarers affected by a card: the player to move if they are a declarer, otherwise all
// declarers.
export function concerned(values) {
  const own = values.filter((side) => side.gains);
  return own.length ? own : values;
}

// Whether a card costs its player's side something, in one declarer's contract.
export const costs = (side, card) => worth(side, side.cards[card]) !== worth(side, best(side));

// Whether the values of all cards are known.
export const complete = (values) => values.length > 0
  && values.every((side) => side && Object.values(side.cards).every((value) => value !== null));

// The cards that cost nothing.
export function bestCards(values) {
  const asked = concerned(values);
  return Object.keys(asked[0].cards).filter((card) => !asked.some((side) => costs(side, card)));
}

// Whether a card changes who wins a contract.
export const loses = (values, card) => concerned(values)
  .some((side) => costs(side, card) && makes(side, best(side)) !== makes(side, side.cards[card]));

// The effect of a card, as in "the ace of spades costs 1 trick"; empty if it costs nothing.
export function effect(values, card) {
  const wrong = concerned(values).filter((side) => costs(side, card));
  return listed(wrong.map((side) => {
    const from = best(side), to = side.cards[card];
    const whose = values.length > 1 ? ` (${seatName(side.seat)}'s contract)` : "";
    if (makes(side, from) !== makes(side, to))
      return (side.gains ? "gives the contract away" : "lets the contract make") + whose;
    if (side.unit === "tricks") return `costs ${many(Math.abs(from - to), "trick")}${whose}`;
    return `leads to ${inWords(side, to)} instead of ${inWords(side, from)}${whose}`;
  }));
}

// The bounds of a value so far: "at least 5, at most 8 tricks".
export function atLeast({ seat, low, high, ...about }, contractors) {
  const who = contractors > 1 ? `${seatName(seat)}: ` : "";
  const [less, more] = low < 0 ? [high, low] : [low, high];
  return who + (less === more ? inWords(about, less) : `at least ${worth(about, less)}, at most ${inWords(about, more)}`);
}

// The value of a position for each declarer, in a sentence; `of` names one of several declarers.
export function valuesInWords(values, of = ({ seat }) => seatName(seat)) {
  return values.map((result) => {
    const who = values.length > 1 ? `${of(result)}: ` : "";
    const text = inWords(result, result.value);
    const how = `contract ${makes(result, result.value) ? "made" : "defeated"}`;
    const side = (values.length > 1 ? "" : " for the declaring side") + (result.goesOn ? " after going on for all tricks" : "");
    return who + (result.unit === "tricks" ? `${text}${side}, ${how}` : /made|failed/.test(text) ? how : text);
  }).join("; ");
}

// Of more best cards than this, a sentence gives only the number, because the table marks them.
const FEW = 3;

// The best cards, in a clause; `marked` if they are marked on the table.
export function bestInWords(cards, { marked = false, past = false } = {}) {
  const [verb, several] = past ? ["was", "were"] : ["is", "are"];
  if (marked && cards.length > FEW) return `the ${cards.length} marked cards ${several} best`;
  if (past && cards.length > FEW) return `the best cards were ${listed([...cards.slice(0, 2).map((card) => `the ${cardName(card)}`), `${cards.length - 2} others`])}`;
  return cards.length ? `the best card${cards.length > 1 ? `s ${several}` : ` ${verb}`} ${listed(cards.map((card) => `the ${cardName(card)}`))}`
    : `no card ${verb} best for all`;
}

// A clause that names the better alternatives to a card.
export const betterInWords = (cards) => cards.length > FEW ? `${cards.length} others were best`
  : `the ${listed(cards.map(cardName), "or the")} was best`;

export const signed = (gain) => gain > 0 ? `+${gain}` : String(gain);

// The payoffs of surrendering and playing on, in a sentence.
export function surrenderInWords({ surrendered, playedOn, takenOver }) {
  const taken = takenOver ? `, as ${seatName(takenOver)} takes over and wins` : "";
  return `Surrendering pays ${signed(surrendered)}${taken}; playing on to the end, ${signed(playedOn)}.`;
}

// The reason why a card cannot be played, by the engine's `refusal`; the sentences come from Python.
// `own` is the reader's seat.
export function refusal(game, code, card, state, suitLed, called, own) {
  const you = state.mover === own, who = you ? "you" : state.mover && seatName(state.mover);
  if (code === 1) return "The hand is over.";
  if (code === 2) return `It is ${you ? "your" : `${who}'s`} turn.`;
  if (code === 5) return you ? "Name trumps first." : `${who} names trumps first.`;
  const words = { seat: who, card: `the ${cardName(card)}`, led: suitLed && suitName(suitLed),
    called: called && `(${cardName(called)})` };
  return capitalized(`${game.refusals[code].replace(/\{(\w+)\}/g, (_, name) => words[name])}.`);
}

// The goal of a contract, after the name of its declarer; empty in Nemo.
export const goal = ({ aim, target }) => ({ tricks: `needs ${many(target, "trick")}`, misere: "must take no trick",
  most: "needs more tricks than each opponent" })[aim] ?? "";

// A contract in a few words: "East plays Solo in hearts", "Nemo, penalty clubs".
export function contractName(game, contract) {
  const kinds = contract.ids.map((id) => game.contracts.find((kind) => kind.id === id));
  const players = contract.declarers.map((seat, i) => `${seatName(seat)} plays ${kinds[i].name}`);
  const suit = !contract.penalty && contract.trump && contract.trump !== "NT" ? ` in ${suitName(contract.trump)}` : "";
  const more = [(kinds[0].side === "all" ? kinds[0].name : listed(players)) + suit];
  if (contract.penalty) more.push(`penalty ${suitName(contract.penalty)}`);
  else if (contract.trump === null) more.push("trumps named with the first card");
  if (contract.called) more.push(`calling the ${cardName(contract.called)}`);
  if (contract.partner) more.push(`with ${seatName(contract.partner)}`);
  return more.join(", ");
}
