// The help of a board: the marks on cards, and tables of keys and buttons by purpose.
import { button, make } from "./dom.js";

const LEGEND = [
  ["good", "a best card"],
  ["costs", "costs tricks or points, but not the contract; ? in the list of tricks"],
  ["loses", "decides the contract for the other side; ?? in the list of tricks"],
  ["winner", "a frame in the list of tricks: the card that won; its player comes last"],
  ["next", "a dashed frame: the card that was played"],
  ["trump", "a colored edge: a trump"],
  ["matador", "a double edge: a Matador"],
];
// Each line has a key, a button and their action; lines without a button are useless on a touch
// screen.
const TABLES = {
  "Move through the hand": [
    ["← →", "Back, Next", "one card back or forward"],
    ["Home End", "", "to the first or last card"],
    ["u y", "Undo, Redo", "undo the last step, redo it"],
    ["p", "As played", "back to the recorded play"],
    ["r", "Replay", "card by card"],
  ],
  "Ask the engine": [
    ["b", "Best card", "mark the best cards"],
    ["l", "Best line", "best play from here"],
    ["e", "Next error", "the next card that cost something"],
    ["c", "Contracts", "those that make, by seat and trump"],
    ["s", "Stop", "stop the engine"],
  ],
  "Play yourself": [
    ["g", "Play from this seat", "hide the other hands; again: stop"],
    ["←", "Take back", "back to your last card"],
    ["h", "Hint", "from what you know; again: from all hands"],
    ["q", "Quiz", "no values until you answer"],
  ],
  View: [
    ["1 – 5", "", "the view from a seat; again: all hands"],
    ["?", "Help", "show or close this help"],
    ["Esc", "Close", "close this help, or another panel"],
  ],
};

const helpTable = ([title, lines]) => make("table", {}, make("caption", {}, title), make("tbody", {}, lines.map(([keys, name, what]) =>
  make("tr", { class: name ? null : "only-key" }, make("th", { scope: "row" }, keys.split(" ").map((key) => key === "–" ? " – " : make("kbd", {}, key))),
    make("td", {}, name), make("td", {}, what)))));

export const helpPanel = (close) => make("div", { class: "keys", hidden: true, role: "group", "aria-label": "Marks and keys", tabindex: "0" },
  make("p", {}, "A number on a card, also on a defender's, counts what the declaring side gets; with several declarers, what each of them gets."),
  make("p", {}, "A claim ends the hand: your side gets exactly the tricks claimed, and the others get the rest."),
  make("ul", {}, LEGEND.map(([kind, what]) => make("li", {}, make("span", { class: `card ${kind}`, "aria-hidden": "true" }), ` ${what}`))),
  make("div", { class: "tables" }, Object.entries(TABLES).map(helpTable)), button("Close", close));
