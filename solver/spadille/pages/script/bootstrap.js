// Runs first: unpacks the board's style sheet and the script, whose checksums are in the page's content security policy.
import { unpack } from "./unpack.js";

unpack(document.getElementById("spadille-script").textContent).then((bytes) => {
  const [style, code] = JSON.parse(new TextDecoder().decode(bytes));
  for (const [name, text] of [["style", style], ["script", code]]) {
    const element = document.createElement(name);
    element.textContent = text;
    document.body.append(element);
  }
});
