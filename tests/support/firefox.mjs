// A pipe to Firefox: commands of WebDriver BiDi come in as lines of JSON, answers and events go out.
// node firefox.mjs PATH-OF-FIREFOX PROFILE
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

const [path, profile] = process.argv.slice(2);
const options = ["--headless", "--no-remote", "--profile", profile, "--remote-debugging-port", "0"];
const firefox = spawn(path, options);
const server = await new Promise((found) => firefox.stderr.on("data", (text) => {
  const [told] = /ws:\/\/\S+/.exec(text) ?? [];
  if (told) found(told);
}));
const socket = new WebSocket(`${server}/session`);
await new Promise((opened) => { socket.onopen = opened; });
socket.onmessage = ({ data }) => console.log(data);
const lines = createInterface({ input: process.stdin });
lines.on("line", (line) => socket.send(line));
lines.on("close", () => firefox.kill());
firefox.on("exit", () => process.exit());
