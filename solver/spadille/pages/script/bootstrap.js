// Runs first: unpacks the board's style and the script, whose checksums are in the policy of the page.
import { unpack } from "./unpack.js";

unpack(document.getElementById("spadille-script").textContent).then((bytes) => {
  const [style, code] = JSON.parse(new TextDecoder().decode(bytes));
  for (const [name, text] of [["style", style], ["script", code]]) {
    const element = document.createElement(name);
    element.textContent = text;
    document.body.append(element);
  }
});
