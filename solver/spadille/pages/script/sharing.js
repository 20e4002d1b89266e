// Exports a board: as a hand file, or as a link that contains the deal.
import { button, make } from "./dom.js";
import { linkOf } from "./link.js";
import { writeHand } from "./pbn.js";

export function sharing(board) {
  const text = make("textarea", { readonly: true, rows: 6, cols: 60 });
  const copied = make("p", { role: "status" });
  let from = null; // the button that was clicked
  const close = () => {
    panel.hidden = true;
    from.focus({ preventScroll: true });
  };
  // The text lies over the board, so that it moves nothing.
  const panel = make("div", { class: "copied", hidden: true, role: "group", "aria-label": "Copy", onkeydown: (event) => {
    if (event.key === "Escape") close();
  } }, copied, text, button("Close", close));
  const show = (words, label, more) => {
    text.value = words;
    text.setAttribute("aria-label", label);
    from = document.activeElement;
    panel.hidden = false;
    panel.scrollIntoView({ block: "nearest" });
    text.focus({ preventScroll: true });
    text.select();
    const say = (how) => copied.replaceChildren(how, ...more);
    const never = () => say("Copy the text below. ");
    if (navigator.clipboard) navigator.clipboard.writeText(words).then(() => say("Copied. "), never);
    else never();
  };
  const commands = ["Save it as hand.pbn. Then ", make("code", {}, "spadille cards hand.pbn"), " values its cards, and ",
    make("code", {}, "spadille best hand.pbn"), " values its contracts."];
  return make("div", { class: "copying" },
    button("Copy as PBN", () => {
      if (board.state) show(writeHand({ ...board, state: board.state, playing: board.playing, rest: board.moves.slice(board.at), others: board.others }), "The hand as PBN", commands);
    }),
    button("Copy link", () => {
      if (board.state) show(linkOf(board) ?? location.href, "A link to this position", ["The link contains the deal: it opens in any page of spadille."]);
    }), panel);
}
