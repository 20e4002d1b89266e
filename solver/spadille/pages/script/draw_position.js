// Draws a position: the hands around the table, the trick in the middle, and the play so far.
import { button, inRows, make } from "./dom.js";
import { contractType, encode, SUITS } from "./hand_encoding.js";
import {
  cardName, cardSign, complete, effect, listed, loses, many, onCard, rankNames, rankSign, seatName, suitName, surrenderInWords, SYMBOLS,
} from "./words.js";

// The places of the seats, clockwise from the bottom.
const PLACES = {
  3: ["bottom", "left", "right"],
  4: ["bottom", "left", "top", "right"],
  5: ["bottom", "left", "top-left", "top-right", "right"],
};

export const placeOf = (seats, bottom, seat) =>
  PLACES[seats.length][(seats.indexOf(seat) - seats.indexOf(bottom) + seats.length) % seats.length];

// The name of a seat; where there is little room, only its number is visible.
export function seatLabel(seat) {
  const [, player, label] = /^(Player )?(.*)$/.exec(seatName(seat));
  return [player && make("span", { class: "player" }, player), label];
}

// A suit of at most this many cards fits into a row at the side of every table.
const ROW_AT_SIDE = 5;

// Words for the marks; the cost of a card can be seen from its value.
const MARKS = { good: "best", next: "was played", chosen: "your card", missed: "not the best" };

// A card with symbols.
const face = (card) => [make("span", { class: "rank" }, rankSign(card)),
  make("span", { class: "pip" }, SYMBOLS[card[0]])];

// The tag of a declarer; several declarers are told apart by their contracts.
const roleOf = (game, { declarers, ids }, seat) => declarers.length < 2 ? "declarer" : contractType(game, ids[declarers.indexOf(seat)]).name;

// The values on a card: if there are many declarers, only that of the player to move.
function shownOf(values) {
  const own = values.filter((side) => side?.gains);
  return values.length > 3 && own.length ? own : values;
}

// Says whose tricks or points the values on cards are.
function whose({ state, values, named, contract: { declarers, partner } }) {
  const unit = values?.[0]?.unit;
  if (unit !== "tricks" && unit !== "points") return null;
  const whom = shownOf(values).length > 1 ? "by player" : values.length > 1 ? `of ${seatName(state.mover)}` : `of ${listed([values[0].seat, declarers.length < 2 && partner].filter(Boolean).map(seatName))}`;
  return make("span", { class: "whose" }, named(` · values: ${unit} ${whom}`));
}

// `view` has the position (`state`), game, contract and names, and `named`, which puts names into a text; the values that are shown, and the
// value of surrendering, if that is possible; the seat at the bottom and the hidden hands; the next
// recorded card, the hands as dealt (shown at the end), the reader's own card, wrong answers (`missed`), the cards of a hint, and the reader's seat (`you`, and also
// `own` if the reader sees no other hand); and the actions of clicks.
export function drawHand(view, seat) {
  const { state, game, contract, names } = view;
  const plays = contract.declarers.includes(seat) && contract.declarers.length < game.seats.length;
  const turn = state.mover === seat;
  const tag = (text) => [" ", make("span", { class: "tag" }, text)];
  const title = make("p", { class: "who" }, make("b", {}, seatLabel(seat)), " ",
    names?.[seat] ? make("bdi", {}, names[seat]) : null,
    view.dealer === seat ? [" ", make("span", { class: "dealer", title: "dealer" }, make("span", { "aria-hidden": "true" }, "D"), make("span", { class: "aloud" }, "dealer"))] : null,
    plays ? tag(roleOf(game, contract, seat)) : null, contract.partner === seat ? tag("partner") : null,
    view.you === seat ? tag(turn ? "your turn" : "you") : turn ? tag("to play") : null, " ", make("span", { class: "won" }, many(state.won[seat], "trick")),
    turn ? whose(view) : null);
  const cards = (state.over && !view.hidden(seat) ? view.dealt : state.hands)[seat];
  const place = placeOf(game.seats, view.bottom, seat);
  const kind = { class: `seat at-${place}${turn ? " turn" : ""}${view.own === seat ? " mine" : ""}${state.over ? " dealt" : ""}`, "data-seat": seat };
  if (view.hidden(seat)) {
    const backs = cards.map((card, i) => {
      const back = make("span", { class: "back", "aria-hidden": "true" });
      back.style.setProperty("--place", i - (cards.length - 1) / 2);
      return back;
    });
    return make("section", kind, title, make("p", { class: "closed" }, backs, make("span", { class: "aloud" }, many(cards.length, "card"))));
  }
  const trump = state.trump ?? contract.trump;
  const suits = encode(game, trump);
  // A hand keeps the size of its cards, and the places of its suits, while they are played.
  const bySuit = (hand) => [...SUITS].map((suit) => [...suits.card.keys()].filter((card) => suits.suitOf(card) === suit && hand.includes(card)));
  const dealt = bySuit(view.dealt[seat]), longest = Math.max(...dealt.map((row) => row.length));
  const rows = bySuit(cards).filter((row, i) => dealt[i].length);
  const special = (card) => [suits.suitOf(card) === trump && "trump", suits.matadors.includes(card) && "matador"];
  const draw = turn ? drawCard : drawStill;
  const hand = make("ul", { class: longest > ROW_AT_SIDE ? "flows" : null }, rows.map((row) => make("li", row.length ? { class: row[0][0].toLowerCase() } : { class: "void", "aria-hidden": "true" },
    turn || !row.length ? null : make("span", { class: "aloud" }, `${suitName(suits.suitOf(row[0]))}: ${rankNames(row)}`),
    row.map((card, i) => draw(view, card, [...special(card), i && row[i - 1][0] === card[0] && "same"])))));
  inRows(hand, cards.length);
  hand.style.setProperty("--most", /bottom|top/.test(place) ? view.dealt[seat].length : Math.min(longest, ROW_AT_SIDE));
  return make("section", kind, title, hand,
    state.naming && turn
      ? make("p", { class: "naming" }, "Trumps: ", state.trumps.map((suit) => button(SYMBOLS[suit],
        () => view.name(suit), { class: suit.toLowerCase(), "aria-label": suitName(suit) })))
      : null,
    view.surrender?.seat === seat ? make("p", { class: "surrender" }, view.named(surrenderInWords(view.surrender))) : null);
}

// A card of a player who is not to move; a click on it says whose turn it is.
const drawStill = ({ play }, card, special) => make("span", {
  class: ["card", card[0].toLowerCase(), ...special].filter(Boolean).join(" "), "data-card": card, "aria-hidden": "true",
  onclick: () => play(card),
}, face(card));

function drawCard({ state, values, next, answer, missed, advised, play }, card, special) {
  const legal = state.refused[card] === 0;
  // With several declarers, some values may be known before others.
  const inTurn = (none, verb, sides = values) => sides.map((side) => side?.cards[card] == null ? none : onCard(side, side.cards[card], sides.length, verb));
  const known = values?.some((side) => side?.cards[card] != null);
  const judged = known && complete(values);
  const wrong = judged && effect(values, card);
  const worth = known ? inTurn("not known yet", false) : [];
  const marks = {
    good: (judged && !wrong) || advised.includes(card), costs: wrong && !loses(values, card), loses: wrong && loses(values, card),
    next: next === card, chosen: answer === card, missed: missed.includes(card),
  };
  const marked = Object.keys(marks).filter((mark) => marks[mark]);
  return button(
    [make("span", { class: "face" }, face(card)),
      known ? make("span", { class: "worth" }, inTurn("…", true, shownOf(values)).map((words) => {
        // Where there is little room, declarers and values are only numbers.
        const [, who, what, unit] = /^(Player )?(.*?)( tricks?| points?)?$/.exec(words);
        return make("span", {}, who && make("span", { class: "of" }, who), what, unit && make("span", { class: "unit" }, unit));
      })) : null],
    () => play(card),
    {
      class: ["card", card[0].toLowerCase(), ...special, ...marked].filter(Boolean).join(" "), "data-card": card,
      "aria-label": [cardName(card), ...worth, ...marked.map((mark) => MARKS[mark] ?? "")].filter(Boolean).join(", "),
      "aria-disabled": legal ? null : "true",
    },
  );
}

// The trick on the table; a completed trick stays until the next lead.
export function drawTrick({ game, state, bottom, named }) {
  const { table, tricks, winning } = state;
  const last = table.length ? { cards: table, winner: winning } : tricks.at(-1);
  const caption = table.length ? `Trick ${tricks.length + 1}`
    : last ? named(`${seatName(last.winner)} wins trick ${tricks.length}`) : "";
  return make("div", { class: table.length ? "trick" : "trick done" },
    make("ol", { "aria-label": caption || "No card has been played" }, (last?.cards ?? []).map(({ seat, card }) =>
      make("li", { class: `at-${placeOf(game.seats, bottom, seat)}${seat === last.winner ? " winner" : ""}` },
        make("span", { class: "aloud" }, named(`${seatName(seat)}: ${cardName(card)}${seat === last.winner ? ", wins" : ""}`)),
        make("span", { class: `card ${card[0].toLowerCase()}`, "aria-hidden": "true" }, face(card))))),
    make("p", {}, caption));
}

const moveSign = (move) => move.startsWith("=") ? `${SYMBOLS[move[1]] ?? "NT"}!` : cardSign(move);

// All cards of the play, trick by trick; a click on a card opens the position after it. Only the last card
// played is in the tab order, because the arrow keys move through the play. `winners` holds the
// winner of each trick; `mark` returns "?" or "??" for a card that cost something; from card `own`
// on, the cards differ from the recorded ones.
export function drawCourse(moves, at, { size, winners, open, mark, own, named }) {
  const rows = [[]], complete = Math.floor(moves.filter((move) => !move.startsWith("=")).length / size);
  let cards = 0;
  moves.forEach((move, number) => {
    const naming = move.startsWith("="), winner = rows.length > complete ? null : winners[rows.length - 1];
    rows.at(-1).push(button(moveSign(move), () => open(number + 1), {
      class: `${move.replace("=", "")[0].toLowerCase()}${move === winner?.card ? " winner" : ""}${number >= own ? " tried" : ""}`, "aria-current": number + 1 === at ? "step" : null,
      tabindex: number === Math.max(at - 1, 0) ? null : "-1", "data-mark": mark(number) || null,
    }));
    if (number === own) rows.at(-1).splice(-1, 0, make("span", { class: "aloud" }, "not as played:"));
    cards += naming ? 0 : 1;
    if (naming || cards % size) return;
    if (winner) rows.at(-1).push(make("span", { class: "taker", "aria-hidden": "true" }, winner.seat),
      make("span", { class: "aloud" }, named(`${seatName(winner.seat)} wins.`)));
    rows.push([]);
  });
  return rows.filter((row) => row.length).map((row) => make("li", {}, row));
}

// The tree of the lines tried; each begins where it leaves the line above it, and a click opens it there. 
// `mark` returns the mark of a card in a line, and `worth` the value of the line's first card. The recorded `play` comes first.
export function drawLines(lines, play, size, open, mark, worth) {
  const recorded = ({ moves }) => moves.join() === play.join();
  const sorted = [...lines].sort((one, other) => recorded(other) - recorded(one) || one.from - other.from);
  return sorted.map(({ moves, from, branches }) => make("li", {}, button(
    [recorded({ moves }) ? make("b", {}, "As played: ") : `Trick ${Math.floor(moves.slice(0, from).filter((move) => !move.startsWith("=")).length / size) + 1}: `,
      moves.slice(from, from + size).map((move, i) => [make("span", { class: move.replace("=", "")[0].toLowerCase(),
        "data-mark": mark(from + i, moves) || null }, moveSign(move)), " "]),
      moves.length > from + size ? "… " : "", worth(moves, from)], () => open(moves, from + 1)),
    branches.length ? make("ol", {}, drawLines(branches, play, size, open, mark, worth)) : null));
}
