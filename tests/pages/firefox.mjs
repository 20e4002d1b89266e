// Opens a page in Firefox (WebDriver BiDi) and prints what stands on its cards once it does, what it
// has asked for and what was complained of: node firefox.mjs PATH-OF-FIREFOX PROFILE ADDRESS
import { spawn } from "node:child_process";

const [path, profile, address] = process.argv.slice(2);
const firefox = spawn(path, ["--headless", "--no-remote", "--profile", profile, "--remote-debugging-port", "0"]);
const server = await new Promise((found) => firefox.stderr.on("data", (text) => {
  const [told] = /ws:\/\/\S+/.exec(text) ?? [];
  if (told) found(told);
}));
const socket = new WebSocket(`${server}/session`);
await new Promise((opened) => { socket.onopen = opened; });
const waiting = new Map();
const events = [];
socket.onmessage = ({ data }) => {
  const told = JSON.parse(data);
  if (told.id) waiting.get(told.id)(told.result);
  else events.push(told);
};
const call = (method, params) => new Promise((answered) => {
  waiting.set(waiting.size + 1, answered);
  socket.send(JSON.stringify({ id: waiting.size, method, params }));
});

await call("session.new", { capabilities: {} });
await call("session.subscribe", { events: ["log.entryAdded", "network.beforeRequestSent"] });
const { contexts: [{ context }] } = await call("browsingContext.getTree", {});
await call("browsingContext.navigate", { context, url: address, wait: "complete" });
const { result } = await call("script.callFunction", {
  functionDeclaration: `async () => {
    while (document.querySelector(".felt")?.getAttribute("aria-busy") !== "false")
      await new Promise((go) => setTimeout(go, 10));
    const cards = [...document.querySelectorAll(".felt .card:has(.worth)")];
    return JSON.stringify(cards.map((card) => [card.dataset.card, card.getAttribute("aria-label")]));
  }`,
  target: { context }, awaitPromise: true,
});
console.log(JSON.stringify({
  cards: JSON.parse(result.value),
  asked: events.filter(({ params }) => params.context === context && params.request)
    .map(({ params }) => params.request.url),
  errors: events.filter(({ params }) => params.level === "error").map(({ params }) => params.text),
}));
await call("browser.close", {});
process.exit();
