// A position, drawn: hands with what their cards are worth, the trick, and the course of the play.
import { button, make } from "./dom.js";
import { encode, SUITS } from "./hand.js";
import {
  brief, cardName, cardSign, complete, effect, many, suitName, surrenderTold, SYMBOLS, told,
} from "./words.js";

// `view` has the position (`state`), game, contract and names; the values, as far as they are shown,
// and what surrendering is worth, if it is possible;
// which hands are hidden; the card that was played next and the reader's own; what clicks do.
export function drawHand(view, seat) {
  const { state, game, contract, names } = view;
  const plays = contract.declarers.includes(seat) && contract.declarers.length < game.seats.length;
  const turn = state.mover === seat;
  const tag = (text) => [" ", make("span", { class: "tag" }, text)];
  const title = make("p", { class: "who" }, make("b", {}, seat), " ", names?.[seat] ? make("bdi", {}, names[seat]) : null,
    plays ? tag("declarer") : null, contract.partner === seat ? tag("partner") : null,
    turn ? tag("to play") : null, ` ${many(state.won[seat], "trick")}`);
  const cards = state.hands[seat];
  const kind = { class: turn ? "seat turn" : "seat", "data-seat": seat };
  if (view.hidden(seat)) return make("section", kind, title, make("p", {}, many(cards.length, "card")));
  const trump = state.trump ?? contract.trump;
  const suits = encode(game, trump);
  const lanes = new Map(game.suits[trump ?? ""]);
  const rows = [...SUITS].map((suit) => (lanes.get(suit) ?? []).filter((card) => cards.includes(card)))
    .filter((row) => row.length);
  return make("section", kind, title,
    make("ul", {}, rows.map((row) => make("li", { class: suits.suitOf(row[0]) === trump ? "trumps" : null },
      row.map((card) => drawCard(view, card, turn))))),
    state.naming && turn
      ? make("p", { class: "naming" }, "Trumps: ", state.trumps.map((suit) => button(SYMBOLS[suit],
        () => view.name(suit), { class: suit.toLowerCase(), "aria-label": suitName(suit) })))
      : null,
    view.surrender?.seat === seat ? make("p", { class: "surrender" }, surrenderTold(view.surrender)) : null);
}

function drawCard({ state, values, next, answer, play }, card, turn) {
  const legal = turn && state.refused[card] === 0;
  // Of several contractors some values may be known before the others.
  const of = (say, none) => (one) => one?.cards[card] == null ? none : say(one, one.cards[card]);
  const known = turn && values?.some((one) => one?.cards[card] != null);
  const good = known && complete(values) && !effect(values, card);
  const worth = known ? values.map(of(told, "not known yet")).join(", ") : "";
  const marks = { good, next: next === card, chosen: answer === card };
  const words = { good: "best", next: "was played", chosen: "your card" };
  const marked = Object.keys(marks).filter((mark) => marks[mark]);
  return button(
    [make("span", { class: "face" }, cardSign(card)),
      known ? make("span", { class: "worth" }, values.map(of(brief, "…")).join("/")) : null],
    () => play(card),
    {
      class: ["card", card[0].toLowerCase(), ...marked].join(" "), "data-card": card,
      "aria-label": [cardName(card), worth, ...marked.map((mark) => words[mark])].filter(Boolean).join(", "),
      "aria-disabled": legal ? null : "true", tabindex: turn ? "0" : "-1",
    },
  );
}

// The trick on the table, or the one before.
export function drawTrick({ table, tricks, winning }) {
  const last = table.length ? { cards: table, winner: winning } : tricks.at(-1);
  const caption = table.length ? "This trick" : last ? `Trick ${tricks.length}` : "";
  return make("div", { class: table.length ? "trick" : "trick done" }, make("p", {}, caption),
    make("ol", {}, (last?.cards ?? []).map(({ seat, card }) => make("li", {}, `${seat} `,
      make("span", { class: card[0].toLowerCase() }, cardSign(card)),
      seat === last.winner ? make("b", {}, " ✱") : ""))));
}

// All cards of the play, trick by trick; a click opens the position behind one.
export function drawCourse(moves, at, size, open) {
  const rows = [[]];
  let cards = 0;
  moves.forEach((move, number) => {
    const naming = move.startsWith("=");
    rows.at(-1).push(button(naming ? `${SYMBOLS[move[1]]}!` : cardSign(move), () => open(number + 1), {
      class: move.replace("=", "")[0].toLowerCase(), "aria-current": number + 1 === at ? "step" : null,
      tabindex: "-1",
    }));
    cards += naming ? 0 : 1;
    if (!naming && cards % size === 0) rows.push([]);
  });
  return rows.filter((row) => row.length).map((row) => make("li", {}, row));
}
