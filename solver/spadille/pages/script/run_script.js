// Runs first: unpacks the script, whose checksum is in the policy of the page.
import { unpack } from "./unpack.js";

unpack(document.getElementById("spadille-script").textContent).then((bytes) => {
  const script = document.createElement("script");
  script.textContent = new TextDecoder().decode(bytes);
  document.body.append(script);
});
