// Runs first: unpacks the board's style sheet and the script, whose checksums are in the page's content security policy.
import { unpackJson } from "./unpack.js";

unpackJson("spadille-script").then(([style, code]) => {
  for (const [name, text] of [["style", style], ["script", code]]) {
    const element = document.createElement(name);
    element.textContent = text;
    document.body.append(element);
  }
});
