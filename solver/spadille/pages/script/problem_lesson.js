// A lesson: the problems of a page, one at a time, with a score.
import { button, choice, make, reveal } from "./dom.js";
import { memory } from "./browser_storage.js";
import { listed, many } from "./words.js";

// The words for difficulty, as in deal_facts.py.
const LEVELS = ["easy", "medium", "hard", "very hard"];

function shuffled(list) {
  return list.map((item) => [crypto.getRandomValues(new Uint32Array(1))[0], item])
    .sort(([first], [other]) => first - other).map(([, item]) => item);
}

export class Lesson {
  // `problems` have number, label, themes, level, article, question (the number of cards before it), and `open`,
  // which returns their board.
  constructor(problems) {
    this.problems = problems;
    this.queue = problems;
    this.at = -1;
    const name = problems.map(({ seed }) => seed).join();
    const { kept, keep } = memory("localStorage", name);
    this.state = memory("sessionStorage", `lesson ${name}`);
    Object.assign(this, { score: kept, keep, theme: "", level: "", order: "page", retrying: false, ...this.state.kept.choices });
    this.#build();
  }

  #build() {
    const distinct = (values) => [...new Set(values)].sort();
    const themes = distinct(this.problems.flatMap(({ themes }) => themes));
    const levels = LEVELS.filter((wanted) => this.problems.some(({ level }) => level === wanted));
    const select = (name, all, values) => values.length
      ? choice(name, [["", all], ...values.map((text) => [text, text])], this[name === "Theme" ? "theme" : "level"], (value) => {
        this[name === "Theme" ? "theme" : "level"] = value;
        this.#select();
      }) : null;
    this.status = make("p", { role: "status" });
    this.previousButton = button("Previous", () => this.go(this.at - 1));
    this.nextButton = button("Start", () => this.go(this.at + 1));
    this.hintButton = button("Hint", () => this.board?.hint());
    this.onButton = button("Play on", () => this.#playOn());
    this.againButton = button("Retry missed", () => this.#retry());
    this.line = make("input", { readonly: true, hidden: true, "aria-label": "Results as text" });
    this.root = make("section", { class: "lesson", "aria-label": "Lesson" }, this.status, this.previousButton, this.nextButton,
      this.hintButton, this.onButton, this.more = make("details", { open: true }, make("summary", {}, "Choose problems, results"), make("div", {},
        this.againButton, select("Theme", "all", themes), select("Difficulty", "any", levels),
        choice("Order", [["page", "page order"], ["easy", "easy first"], ["random", "random"]], this.order, (order) => {
          this.order = order;
          this.#select();
        }),
        this.resultsButton = button("Results", () => this.#results()), this.linkButton = button("Link", () => this.#link()),
        this.endButton = button("All deals", () => this.#end()), this.line)));
    this.#draw();
  }

  get problem() { return this.queue[this.at]; }

  get board() { return this.problem?.board; }

  #select() {
    this.retrying = false;
    const problems = this.problems.filter(({ themes, level }) =>
      (!this.theme || themes.includes(this.theme)) && (!this.level || level === this.level));
    const level = (problem) => LEVELS.indexOf(problem.level);
    this.#begin(this.order === "random" ? shuffled(problems) : this.order === "easy" ? problems.toSorted((one, other) => level(one) - level(other)) : problems);
  }

  #begin(queue) {
    this.queue = queue;
    this.at = -1;
    if (queue.length) this.go(0);
    else this.#draw("No problem matches.");
  }

  #retry() {
    this.retrying = true;
    this.#begin(this.queue.filter(({ number }) => this.score[number] === false));
  }

  // Poses a problem.
  go(at) {
    if (!this.queue[at]) {
      this.#draw("That was the last problem.");
      return;
    }
    this.at = at;
    this.started = true;
    for (const { article } of this.problems) article.classList.remove("current");
    const { problem } = this;
    this.more.open = false;
    document.body.classList.add("lesson-on");
    problem.article.classList.add("current", "asked");
    problem.board = problem.open();
    problem.board.retry.after(this.root);
    reveal(problem.board.root, false);
    this.answered = this.counted = false;
    problem.board.judged = (right, open) => {
      if (problem.board.at !== problem.question) return; // the reader stepped on and asked for a quiz there
      const again = this.counted;
      this.answered = open;
      if (!again && (this.retrying || !(problem.number in this.score))) this.score[problem.number] = right;
      this.counted = true; // only the first answer counts
      this.keep(this.score);
      this.#draw(again && right ? "The first answer counts." : ""); // the board has the verdict
      requestAnimationFrame(() => reveal(problem.board.root, false)); // the board has then grown
    };
    this.#draw();
  }

  // Opens the problem with this number, from a link.
  visit(number) {
    const at = this.queue.findIndex((problem) => String(problem.number) === number);
    if (at < 0) throw new Error(`there is no problem ${number} on this page`);
    this.go(at);
  }

  get isOn() { return this.at >= 0; }

  // Follows a link in the list of deals during a lesson: to that problem, or out of the lesson.
  turnTo(number) {
    const at = this.queue.findIndex((problem) => String(problem.number) === number);
    if (at >= 0) this.go(at);
    else {
      this.#end();
      document.querySelector(location.hash)?.scrollIntoView();
    }
  }

  // The problem that the page was showing when it was reloaded; null if there was none.
  get left() {
    const { queue = [], at } = this.state.kept;
    return this.problems.find(({ number }) => number === queue[at]) ?? null;
  }

  // Goes on with that problem.
  resume() {
    const { queue, at, counted } = this.state.kept;
    this.queue = queue.map((wanted) => this.problems.find(({ number }) => number === wanted));
    this.go(at);
    this.counted = counted;
  }

  #keepState() {
    const { theme, level, order, retrying, queue, at, counted } = this;
    this.state.keep(at < 0 ? {} : { choices: { theme, level, order, retrying }, queue: queue.map(({ number }) => number), at, counted });
  }

  #playOn() {
    this.board?.playOn();
    if (this.board) reveal(this.board.root, false);
  }

  #end() {
    document.body.classList.remove("lesson-on");
    this.more.open = true;
    this.at = -1;
    document.querySelector("main").prepend(this.root);
    this.#draw();
    this.nextButton.focus({ preventScroll: true });
    this.root.scrollIntoView();
  }

  get #summary() {
    const done = this.queue.filter(({ number }) => number in this.score);
    const right = done.filter(({ number }) => this.score[number]);
    const missed = done.filter(({ number }) => !this.score[number]).map(({ label }) => label);
    return `${right.length} of ${many(done.length, "problem")} right${missed.length ? `; missed problem${missed.length > 1 ? "s" : ""} ${listed(missed)}` : ""}`;
  }

  #show(text, label) {
    this.line.value = text;
    this.line.setAttribute("aria-label", label);
    this.line.hidden = false;
    this.line.select();
    navigator.clipboard?.writeText(text).catch(() => {});
  }

  #results() { this.#show(`${document.title}: ${this.#summary}.`, "Results as text"); }

  #link() {
    if (this.problem) this.#show(`${location.href.split("#")[0]}#problem=${this.problem.number}`, "A link to this problem");
  }

  #draw(said = "") {
    const { problem } = this;
    if (this.started) this.#keepState();
    for (const number of Object.keys(this.score)) {
      const link = document.querySelector(`.deals [href="#deal-${number}"]`);
      if (link) link.dataset.score = this.score[number] ? " ✓" : " ✗";
    }
    const place = !problem ? `${many(this.queue.length, "problem")}. ` : `Problem ${this.at + 1} of ${this.queue.length}${problem.level ? `, ${problem.level}` : ""}. `;
    const begun = this.queue.some(({ number }) => number in this.score);
    this.status.textContent = `${place}${said ? `${said} ` : ""}${begun ? `Score: ${this.#summary}.` : ""}`;
    this.resultsButton.hidden = !begun;
    this.nextButton.textContent = problem ? "Next problem" : "Start";
    this.previousButton.disabled = this.at < 1;
    this.nextButton.disabled = this.at + 1 >= this.queue.length;
    this.nextButton.classList.toggle("start", !problem || this.answered);
    this.previousButton.hidden = this.linkButton.hidden = this.endButton.hidden = !problem;
    this.hintButton.hidden = !problem || this.answered;
    this.onButton.hidden = !problem || !this.answered;
    this.againButton.hidden = !this.queue.some(({ number }) => this.score[number] === false);
  }
}
