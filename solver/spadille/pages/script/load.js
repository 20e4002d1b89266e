// What runs first: it unpacks the script, which the policy of the page knows by its checksum.
import { unpack } from "./unpack.js";

unpack(document.getElementById("spadille-script").textContent).then((bytes) => {
  const script = document.createElement("script");
  script.textContent = new TextDecoder().decode(bytes);
  document.body.append(script);
});
