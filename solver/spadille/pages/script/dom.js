// Creates elements without a library; text is never parsed as HTML.

export function make(name, attributes = {}, ...children) {
  const found = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) found.addEventListener(key.slice(2), value);
    else if (value === true) found.setAttribute(key, "");
    else if (value !== false && value != null) found.setAttribute(key, value);
  }
  found.append(...children.flat(Infinity).filter((child) => child != null));
  return found;
}

export const button = (text, onclick, attributes = {}) =>
  make("button", { type: "button", onclick, ...attributes }, text);

// A labelled choice; `options` are pairs [value, text].
export function choice(label, options, value, onchange) {
  const select = make("select", { onchange: () => onchange(select.value) },
    options.map(([each, text]) => make("option", { value: each, selected: each === value }, text)));
  return make("label", {}, `${label} `, select);
}
