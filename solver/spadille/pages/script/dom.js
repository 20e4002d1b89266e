// Creates elements without a library; text is never parsed as HTML.

export function make(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (value === true) element.setAttribute(key, "");
    else if (value !== false && value != null) element.setAttribute(key, value);
  }
  element.append(...children.flat(Infinity).filter((child) => child != null));
  return element;
}

export const button = (text, onclick, attributes = {}) =>
  make("button", { type: "button", onclick, ...attributes }, text);

// The height of the list of deals at the top of the window, in pixels.
const CLEAR = 64;

// Brings a board into view, and moves the keyboard's focus to it if `focus` is set. In a frame, only
// the frame itself may scroll.
export function reveal(root, focus = true) {
  const free = self === top || document.hasFocus();
  if (free && focus) root.focus({ preventScroll: true });
  if (free) root.scrollIntoView({ block: "start" });
  else scrollBy(0, root.getBoundingClientRect().top - CLEAR);
}

// Sets the number of cards that a phone shows in a row: all of them or, if they do not fit, half of
// them. If there are only a few cards, their values are larger.
export function inRows(root, cards) {
  const columns = cards > 7 ? Math.ceil(cards / 2) : cards;
  root.style.setProperty("--columns", columns);
  root.classList.toggle("few", columns < 6);
}

// A labeled choice; `options` are pairs [value, text].
export function choice(label, options, value, onchange) {
  const select = make("select", { onchange: () => onchange(select.value) },
    options.map(([key, text]) => make("option", { value: key, selected: key === value }, text)));
  return make("label", {}, `${label} `, select);
}
