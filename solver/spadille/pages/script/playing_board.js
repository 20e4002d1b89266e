// The board: the table, the value of every card, and navigation through the hand.
import { Contracts } from "./contract_table.js";
import { account, hinted } from "./hints_and_summary.js";
import { button, choice, make } from "./dom.js";
import { drawCourse, drawHand, drawLines, drawTrick } from "./draw_position.js";
import { exposed } from "./layouts.js";
import { helpPanel } from "./help.js";
import { contractType, encode } from "./hand_encoding.js";
import { branches, kept, tree } from "./tried_lines.js";
import { viewsOf } from "./starting_knowledge.js";
import { keepAnswer, keepLines, keepSeat, keptLines } from "./kept_on_reload.js";
import { judgedFrom, playedAt } from "./takeover.js";
import { termsForm } from "./contract_form.js";
import {
  aroundCards, atLeast, bestCards, bestInWords, betterInWords, capitalized, cardName, cardSign, complete, contractName, effect, goal, listed, loses, many, moveName, onCard, refusal, seatName, valuesInWords, withNames,
  signOfName, suitName,
} from "./words.js";

// The seed for drawing layouts, the same every time a deal is played.
const SEED = 1;
// Whether messages are beside the table, as in playing_board.css.
const BESIDE = globalThis.matchMedia?.("(min-width: 60.01rem)");
const PHONE = globalThis.matchMedia?.("(max-width: 46rem)");
const REPLAY = 1200, REPLY = 700; // milliseconds

// Keys outside a board act on the one in the middle of the window. Home and End still scroll the page.
globalThis.addEventListener?.("keydown", (event) => {
  if (event.defaultPrevented || ["Home", "End"].includes(event.key) || event.target.closest?.(".playing")) return;
  const inView = ({ top, bottom }) => top < innerHeight / 2 && bottom > innerHeight / 2;
  [...document.querySelectorAll(".playing")].find((root) => inView(root.getBoundingClientRect()))?.board.key(event);
});

// A text with its cards as symbols, which take less room.
const withSigns = (text) => aroundCards(text).map((part, i) => i % 2 ? make("span", { role: "img", "aria-label": part }, signOfName(part)) : part);

// A string that identifies a position.
const positionKey = (contract, moves) => JSON.stringify([contract, moves]);

export class Board {
  // `hand` has game, deal and contract, and the recorded play if any; `next` returns a function that opens
  // the next deal, if there is one; `moved` is called on changes.
  constructor(client, hand, { moved = () => {}, title = "Play it through" } = {}) {
    Object.assign(this, { client, moved, title, heading: "h3", ...hand });
    this.play ??= [];
    this.named = withNames(this.names);
    this.recorded = this.contract;
    this.moves = [...this.play];
    this.at = 0;
    this.past = [];
    this.future = [];
    this.lines = keptLines(this.deal);
    this.valuesAt = new Map(); // by contract and place
    this.surrenders = new Map();
    this.seat = null;
    this.quiz = Boolean(hand.quiz);
    this.showsAll = Boolean(hand.showsAll); // a problem that can only be solved with all hands shown
    this.pupil = null; // the player who answers a quiz or plays from a seat
    this.sat = null; // the seat from which the hand was played to its end
    this.duel = false; // whether the engine plays the others
    this.live = false; // whether it plays them from their own knowledge
    this.stopping = false; // whether the reader is asked to confirm that the other hands are shown
    this.answer = null; // the card that answered a quiz; "" if the solution was looked up
    this.missed = []; // wrong answers, while the solution is hidden
    this.#build();
  }

  // The permanent elements.

  #build() {
    const tool = (icon, text, what, keys) => button(
      [make("span", { class: "icon", "aria-hidden": "true" }, icon), make("span", { class: "name" }, text)],
      () => this.#does(what), { "aria-keyshortcuts": keys, title: `${text} (${keys})` });
    this.statusLine = make("p", { class: "standing" });
    this.table = make("div", { class: `felt of-${this.game.seats.length}${this.game.size > 10 ? " long" : ""}` });
    PHONE.addEventListener("change", () => this.#draw());
    this.said = make("p", { class: "said", role: "status", "aria-live": "polite" });
    this.retry = make("div", { class: "retry", hidden: true, role: "group", "aria-label": "Your answer" },
      button("Try again", () => this.#tryAgain(), { class: "again" }), button("Show the solution", () => this.#solve()));
    this.stopButton = tool("■", "Stop", "stop", "s");
    this.onButton = tool("→", "Next", "on", "ArrowRight");
    this.errorButton = tool("!", "Next error", "error", "e");
    this.undoButton = tool("↶", "Undo", "undo", "u");
    this.redoButton = tool("↷", "Redo", "redo", "y");
    this.contractsButton = tool("▦", "Contracts", "contracts", "c");
    this.quizButton = tool("✎", "Quiz", "quiz", "q");
    this.helpButton = tool("?", "Help", "help", "?");
    this.tools = make("div", { class: "tools", role: "toolbar", "aria-label": "Play" },
      tool("←", "Back", "back", "ArrowLeft"), this.onButton, this.undoButton, this.redoButton,
      tool("★", "Best card", "best", "b"), tool("⇢", "Best line", "line", "l"),
      this.errorButton, this.play.length ? tool("⟲", "As played", "played", "p") : null,
      make("span", { class: "both" }, tool("▶", "Replay", "replay", "r"), this.stopButton),
      this.contractsButton, this.quizButton, this.helpButton);
    this.course = make("ol", { class: "course", "aria-label": "Tricks" });
    this.tried = make("ol", { class: "lines", "aria-label": "This line and the others" });
    this.help = helpPanel(() => this.#does("help"));
    this.offers = make("div", { class: "offers", hidden: true, role: "group", "aria-label": "Contracts", tabindex: "0" });
    this.terms = make("details", { class: "choices", open: true }, make("summary", {}, "Another contract"), make("div"));
    this.sit = make("div", { class: "sit", role: "group", "aria-label": "Play from a seat" });
    this.report = make("div", { class: "report", hidden: true, role: "group", "aria-label": "The hand is over", tabindex: "0" });
    this.ways = make("p", { class: "ways" }); // the buttons of the report
    this.after = make("div", { class: "after", hidden: true, role: "group", "aria-label": "After the hand" });
    this.side = make("div", { class: "side-panel" }, this.said, this.retry, this.after, this.tools, this.sit, this.terms, this.course, this.tried);
    this.root = make("section", { class: "playing", "aria-label": this.title, tabindex: "-1",
      onkeydown: (event) => this.key(event) }, this.statusLine, this.table, this.side, this.help, this.offers, this.report);
    this.root.board = this;
    this.#drawTerms();
    this.#drawSit();
  }

  #drawTerms() {
    const chosen = (contract) => {
      const focus = [...this.terms.querySelectorAll("select")].indexOf(document.activeElement);
      this.#remember();
      this.choose(contract);
      this.terms.querySelectorAll("select")[focus]?.focus();
    };
    this.terms.lastChild.replaceChildren(termsForm(this.game, this.deal, this.contract, chosen));
  }

  // The controls for playing from a seat: first the choice of the seat, then the buttons for a hint,
  // for taking back a card and for stopping.
  #drawSit() {
    const { live, game } = this;
    this.tools.hidden = live;
    this.sit.dataset.live = String(live);
    this.sit.hidden = !this.#canSit();
    const focused = this.sit.contains(document.activeElement);
    if (live && this.stopping) {
      const stay = button("Play on", () => this.#does("stay"), { "aria-keyshortcuts": "Escape" });
      this.sit.replaceChildren(stay, button("Show all hands", () => this.#does("sit"), { "aria-keyshortcuts": "g" }));
      stay.focus({ preventScroll: true });
      return;
    }
    this.sit.replaceChildren(...live
      ? [this.hintButton = button("Hint", () => this.#does(this.waits ? "stop" : "hint"), { "aria-keyshortcuts": "h" }),
        button("Take back", () => this.#does("back"), { "aria-keyshortcuts": "ArrowLeft" }),
        button("Stop playing", () => this.#does("sit"), { "aria-keyshortcuts": "g" }), button("Help", () => this.#does("help"), { "aria-keyshortcuts": "?" }),
        this.claims = make("span", { class: "claims" }),
        this.surrenderButton = button("Surrender", () => this.#does("surrender"), { hidden: true })]
      : [choice("Seat", game.seats.map((seat) => [seat, seatName(seat)]), this.bottom, (seat) => {
        this.seat = seat;
        this.#draw();
        this.#say(`As ${seatName(seat)} sees it.`);
      }), button("Play from this seat", () => this.#does("sit"), { "aria-keyshortcuts": "g" }),
      this.allButton = button("All hands", () => this.#view(this.seat))]);
    if (focused) this.root.focus({ preventScroll: true });
    if (live) this.#drawClaims();
  }

  // Asks whether to stop playing, which cannot be undone: it shows all hands.
  #asksToStop(stopping) {
    if (this.stopping === stopping) return;
    this.stopping = stopping;
    if (stopping && this.waits) {
      this.client.stop();
      this.#waits(false);
    }
    this.#drawSit();
    if (stopping) this.#say("Stop playing and show all hands?");
    else this.#release();
  }

  // Does something now or, while the reader is asked whether to stop, after the answer.
  #unlessAsked(act) {
    if (this.stopping) this.held = act;
    else act();
  }

  #release() {
    const { held } = this;
    this.held = null;
    held?.();
  }

  // The tricks that the player may claim.
  #drawClaims() {
    const { state, pupil } = this;
    if (this.stopping) return;
    this.surrenderButton.hidden = state?.mover !== pupil || !state.maySurrender;
    const tricks = state?.claims ?? [], left = state?.hands[pupil]?.length;
    if (this.claims.dataset.tricks === String(tricks)) return;
    this.claims.dataset.tricks = String(tricks);
    const options = tricks.map((number) => [String(number), number ? number < left ? many(number, "trick") : left > 1 ? `all ${left} tricks` : "the last trick" : "no more tricks"]);
    this.claims.replaceChildren(...options.length ? [choice("Claim", options, options[0][0], () => {}),
      button("Claim", () => this.#does("claim"))] : []);
  }

  #canSit() { return Boolean(this.views) && !this.#followsTakeOver() && !(this.quiz && !this.live); }

  #followsTakeOver() { return Boolean(this.takenOver) && this.#isRecorded(); }

  // The knowledge of each seat before the first card; null if it is unknown.
  get views() {
    const { game, deal, contract } = this;
    return this.#isRecorded() && "views" in deal ? deal.views : viewsOf(game, deal, contract);
  }

  get payoffs() { return this.#isRecorded() ? this.deal.payoffs : null; }

  // What the engine needs to play a seat from its knowledge.
  get #known() { return { views: this.views, payoffs: this.payoffs, bidders: this.deal.bidders, seed: SEED }; }

  // Actions.

  // Switches to another contract, with the play `moves` at the place `at`.
  choose(contract, moves = null, at = 0) {
    this.contract = contract;
    this.pupil = null;
    this.#forgetAnswer();
    if (this.live) this.hides?.(false);
    this.sat = this.held = null;
    this.duel = this.live = this.stopping = false;
    this.moves = moves ?? (this.#isRecorded() ? [...this.play] : []);
    this.at = at;
    this.#drawTerms();
    this.#draw(); // The values of another contract are invalid here.
    this.show();
  }

  // The contract in force at this place.
  get playing() { return this.#contractAt(this.at, this.moves); }

  // The contract in force at a point in a line of play.
  #contractAt(at, moves) { return this.#isRecorded() ? playedAt({ ...this, moves, at }) : this.contract; }

  #isRecorded() { return JSON.stringify(this.contract) === JSON.stringify(this.recorded); }

  key(event) {
    if (event.target.closest?.("select, input, textarea") || event.ctrlKey || event.metaKey || event.altKey)
      return;
    const keys = {
      ArrowLeft: "back", ArrowRight: "on", Home: "first", End: "last", u: "undo", y: "redo", b: "best",
      l: "line", e: "error", p: "played", r: "replay", s: "stop", c: "contracts", q: "quiz", "?": "help", g: "sit", h: "hint",
    };
    const seat = this.game.seats[Number(event.key) - 1];
    if (keys[event.key]) this.#does(keys[event.key]);
    else if (event.key === "Escape" && !this.help.hidden) this.#does("help");
    else if (event.key === "Escape" && !this.offers.hidden) this.#does("contracts");
    else if (event.key === "Escape" && !this.report.hidden) this.#does("report");
    else if (event.key === "Escape" && this.stopping) this.#does("stay");
    else if (event.key >= "1" && event.key <= "5" && seat) this.#view(seat);
    else return;
    event.preventDefault();
  }

  #does(what) {
    if (what !== "replay") this.#pause();
    if (this.live && !this.state) return; // The page has just been loaded.
    if (what !== "sit") this.#asksToStop(false);
    if (this.live && !["back", "undo", "on", "sit", "stay", "hint", "best", "help", "report", "stop", "claim", "surrender"].includes(what)) {
      this.#say("Stop playing first.");
      return;
    }
    const actions = {
      stay: () => this.#say(this.#here()), claim: () => this.#claim(), surrender: () => this.#surrender(), sit: () => this.#toSit(), hint: () => this.#hintLive(), report: () => this.#showReport(false),
      back: () => this.live ? this.#takeBack() : this.#walk(this.at - 1), on: () => this.#on(), first: () => this.#walk(0),
      last: () => this.#walk(this.moves.length), undo: () => this.live ? this.#takeBack() : this.#undo(), redo: () => this.#redo(), best: () => this.live ? this.#hintLive() : this.#best(),
      line: () => this.#line(), error: () => this.#error(), played: () => this.#asPlayed(),
      replay: () => this.#replay(), stop: () => this.#stop(), contracts: () => this.#contracts(), quiz: () => this.#quiz(), help: () => this.#help(),
    };
    actions[what]();
  }

  #help() {
    this.help.hidden = !this.help.hidden;
    (this.help.hidden ? this.live ? this.root : this.helpButton : this.help).focus();
  }

  // Shows which contracts make, in a table that fills while the engine works.
  #contracts() {
    if (this.#closed()) {
      this.#say("The contracts are hidden until you answer.");
      return;
    }
    this.offers.hidden = !this.offers.hidden;
    if (this.offers.hidden) {
      this.contractTable.stop();
      this.contractsButton.focus();
      return;
    }
    const choose = (contract) => {
      this.offers.hidden = true;
      this.contractTable.stop();
      this.#remember();
      this.choose(contract);
      this.root.focus({ preventScroll: true });
    };
    this.contractTable ??= new Contracts(this.game, this.deal, choose, this.client.again, this.exchanged);
    this.offers.replaceChildren(this.contractTable.root, button("Close", () => this.#does("contracts")));
    this.offers.focus();
    this.#say("Computing which contracts make …");
    this.contractTable.start(() => {
      this.#say("All contracts are known.");
      this.offers.scrollIntoView({ block: "nearest" }); // its rows have grown
    });
  }

  // Steps can be undone: each stores the state before it.
  #remember() {
    this.past.push(this.#spot());
    this.future = [];
  }

  #spot() { return { contract: this.contract, moves: this.moves, at: this.at }; }

  #undo() { this.#return(this.past, this.future, "Undone.", "Nothing to undo."); }

  #redo() { this.#return(this.future, this.past, "Redone.", "Nothing to redo."); }

  #return(from, to, said, none) {
    const spot = from.pop();
    if (!spot) {
      this.#say(none);
      return;
    }
    to.push(this.#spot());
    if (JSON.stringify(spot.contract) !== JSON.stringify(this.contract)) {
      this.choose(spot.contract, spot.moves, spot.at);
      return;
    }
    this.moves = spot.moves;
    this.goto(spot.at, said);
  }

  // Moves to another place in the play.
  #walk(at, said = "") {
    if (at !== this.at && at >= 0 && at <= this.moves.length) this.#remember();
    this.goto(at, said);
  }

  // Switches to another line of play.
  #follow(moves, at, said) {
    this.#remember();
    this.moves = moves;
    this.goto(at, said);
  }

  goto(at, said = "") {
    this.at = Math.max(0, Math.min(at, this.moves.length));
    this.#forgetAnswer();
    this.show(said);
  }

  #forgetAnswer() {
    this.answer = this.unjudged = null;
    this.missed = [];
  }

  #on() {
    if (this.at >= this.moves.length) {
      this.#say("The record has no card here: choose one.");
      return;
    }
    this.#walk(this.at + 1, this.#event(this.moves[this.at]));
  }

  #asPlayed() {
    const same = this.moves.findIndex((move, i) => move !== this.play[i] || i >= this.at);
    const at = this.#isRecorded() ? same < 0 ? this.at : Math.min(same, this.at) : 0;
    this.#remember();
    if (!this.#isRecorded()) this.choose(this.recorded, [...this.play], 0);
    this.moves = [...this.play];
    this.goto(at, "The recorded play.");
  }

  // Plays a card, or says why it cannot be played.
  move(card) {
    const { state } = this;
    if (!state) return;
    this.#asksToStop(false);
    const code = state.refused[card] ?? (state.over ? 1 : 2);
    if (code) {
      const suits = encode(this.game, this.state.trump ?? this.contract.trump);
      const led = state.table[0] && suits.suitOf(state.table[0].card);
      this.#say(refusal(this.game, code, card, state, led, this.contract.called, this.#own));
      return;
    }
    if (this.#asks()) {
      if (!this.unjudged) this.answerWith(card);
      this.#draw();
      this.#say("Its value is still being computed …");
      this.#judge();
      return;
    }
    if (this.quiz && !this.duel && state.mover === this.pupil) {
      this.playOn(card);
      return;
    }
    const said = this.#event(card);
    const moves = this.moves[this.at] === card ? this.moves : [...this.moves.slice(0, this.at), card];
    this.#follow(moves, this.at + 1, said);
  }

  // Answers a quiz; the verdict follows when the values are known. The solution follows a right
  // answer; it follows a wrong one if it had been `shown` before.
  answerWith(card, shown = false) {
    this.unjudged = card;
    this.shown = shown;
  }

  // Ends the question of a quiz without an answer; this counts as a wrong answer.
  #giveUp() {
    if (!this.#asks()) return;
    this.#reveal("");
    this.judged?.(false, true);
  }

  // Shows the other hands and the values.
  #reveal(answer) {
    this.#forgetAnswer();
    this.answer = answer;
    this.answered?.();
    keepAnswer(this);
  }

  // Restores an answer, or the hand that was continued after it.
  answerAgain({ answer, shown, moves, pupil, par }) {
    if (answer) {
      this.answerWith(answer, shown);
      this.#judge();
      return;
    }
    this.quiz = this.duel = true;
    Object.assign(this, { moves, pupil, par });
    this.answered?.();
    this.goto(moves.length);
  }

  // Judges the answer to a quiz once the values are known.
  #judge() {
    const card = this.unjudged;
    if (!card || !this.#values()) return;
    this.unjudged = null;
    const wrong = effect(this.#values(), card), open = !wrong || this.shown;
    this.judged?.(!wrong, open);
    if (open) {
      this.#conclude(card);
      return;
    }
    this.missed = [...this.missed, card];
    keepAnswer(this);
    this.#draw();
    this.#say(`Not the best: the ${cardName(card)} ${wrong}. Try again, or show the solution.`, "wrong");
  }

  // Shows the solution, and the verdict on an answer.
  #conclude(card) {
    this.#reveal(card);
    this.#draw();
    this.#say(this.#verdict(card), effect(this.#values(), card) ? "wrong" : "right");
    this.#refute(card);
  }

  // Asks the question again after a wrong answer.
  #tryAgain() {
    this.#say(this.#question());
    this.#card(this.state.legal.find((card) => !this.missed.includes(card)))?.focus();
  }

  // Shows the solution after a wrong answer.
  #solve() {
    this.judged?.(false, true);
    this.#conclude(this.missed.at(-1));
    this.root.focus({ preventScroll: true });
  }

  // Shows how the other side profits from a card that cost something.
  #refute(card) {
    const values = this.#values();
    if (!values || !effect(values, card)) return;
    const moves = [...this.moves.slice(0, this.at), card];
    this.#ask({ ask: "line", moves }, ({ line }) => {
      if (!line) return;
      this.#say(this.#verdict(card, ` After your ${cardSign(card)}: ${this.#shortened(line)}`), "wrong");
      this.show(null);
    });
  }

  #name(trump) {
    const said = `${seatName(this.state.mover)} names ${suitName(trump)}.`;
    this.#follow([...this.moves.slice(0, this.at), `=${trump}`], this.at + 1, said);
  }

  #best() {
    const values = this.#values();
    if (!this.state?.mover || !values) return;
    const cards = bestCards(values).sort((first, other) =>
      this.state.legal.indexOf(first) - this.state.legal.indexOf(other));
    this.#giveUp();
    this.#draw();
    this.#say(`${capitalized(bestInWords(cards, { marked: true }))}. ${this.#valuesInWords(values)}`);
    this.#card(cards[0])?.focus();
  }

  #line() {
    this.#ask({ ask: "line" }, ({ line }) => {
      if (!line) return;
      this.#remember();
      this.moves = [...this.moves.slice(0, this.at), ...line];
      this.#giveUp();
      this.show(`Best play goes on: ${this.#shortened(line)} The arrows follow it.`);
    });
  }

  #shortened(line) {
    const cards = line.filter((card) => !card.startsWith("="));
    const room = 2 * this.game.seats.length;
    return cards.slice(0, room).map(cardSign).join(" ") + (cards.length > room ? " …" : ".");
  }

  #error() {
    const from = this.at + (this.errorAt === this.at ? 1 : 0);
    this.#say("Looking for the next error …");
    this.#nextError(this.#isRecorded() ? judgedFrom(this, from) : [{ moves: this.moves, from }]);
  }

  #nextError([where, ...rest]) {
    this.#ask({ ask: "error", ...where }, ({ error }) => {
      if (error === undefined) return;
      if (error === null && rest.length) {
        this.#nextError(rest);
        return;
      }
      if (error === null) {
        this.#say("No card from here on cost anything.");
        this.show(null);
        return;
      }
      this.#showError(error);
    });
  }

  // Goes to a card that cost something, and says what it cost.
  #showError(at) {
    this.#remember();
    this.at = this.errorAt = at;
    this.#forgetAnswer();
    this.show(null, () => this.#say(this.#event(this.moves[at])));
  }

  // Adds the errors and the turning point to the message at the end of the hand.
  #sumUp() {
    const { said, moves, state, game } = this;
    if (said.dataset.ends !== "true") return;
    said.dataset.ends = "";
    const seats = new Map([...state.tricks.flatMap(({ cards }) => cards), ...state.table].map(({ card, seat }) => [card, seat]));
    const errors = moves.flatMap((card, at) => this.#mark(at) ? [{ at, card, mark: this.#mark(at) }] : []);
    const counts = game.seats.map((seat) => [seat, errors.filter(({ card }) => seats.get(card) === seat).length]).filter(([, count]) => count);
    const trick = (card) => Math.floor([...seats.keys()].indexOf(card) / game.seats.length) + 1;
    const link = ({ at, card }) => button(`${cardSign(card)} in trick ${trick(card)}`, () => {
      this.root.focus({ preventScroll: true });
      this.#showError(at);
    });
    const turn = this.playing.declarers.length > 1 ? null : errors.findLast(({ mark }) => mark === "??");
    const isFirst = turn && turn === errors[0];
    said.append(...errors.length
      ? [` Errors: ${counts.map(([seat, count]) => `${this.named(seatName(seat))}:\u00a0${count}`).join(", ")}. First error${isFirst ? " and turning point" : ""}: `, link(errors[0]), "."] : [" No card cost anything."],
    ...turn && !isFirst ? [" Turning point: ", link(turn), "."] : []);
    this.#fitMessage();
  }

  #replay() {
    if (this.timer) {
      this.#pause();
      return;
    }
    if (this.at >= this.moves.length) this.goto(0);
    this.timer = setInterval(() => {
      this.#on();
      if (this.at >= this.moves.length) this.#pause();
    }, REPLAY);
  }

  #pause() {
    clearInterval(this.timer);
    this.timer = null;
  }

  // Stops the engine.
  #stop() {
    if (this.waits) {
      const { soFar } = this;
      this.client.stop();
      this.#waits(false);
      this.#say("Stopped.");
      soFar?.();
      return;
    }
    if (!this.thinking) return;
    this.client.stop();
    this.thinking = false;
    this.#draw();
    this.#say(`Stopped${this.progress && ` after ${this.progress}`}${this.bounds && `: ${this.bounds}`}.`);
  }

  #quiz() {
    this.quiz = !this.quiz;
    this.duel = false;
    this.#forgetAnswer();
    if (this.quiz) this.pupil = this.state?.mover ?? null;
    if (!this.quiz) this.answered?.();
    this.#draw();
    this.#say(this.quiz ? this.#question() : "All hands shown.");
  }

  // Repeats the quiz question that comes after `at` cards.
  ask(at) {
    this.quiz = true;
    this.choose(this.recorded, [...this.play], at);
  }

  // Gives a hint without the solution: first how many cards are best, then their suit.
  hint() {
    const values = this.#values();
    if (!values || !this.#asks() || this.state.mover !== this.pupil) {
      this.#say(this.#asks() ? "The engine is still working." : "There is nothing to guess here.");
      return;
    }
    const good = bestCards(values), cards = this.state.legal.length;
    const suit = good[0] && encode(this.game, this.state.trump ?? this.contract.trump).suitOf(good[0]);
    this.#say(this.hinted === this.#place() && suit
      ? `Play ${suit === this.contract.trump ? "a trump" : `one of your ${suitName(suit)}`}.`
      : `${good.length} of your ${cards} cards ${good.length === 1 ? "is" : "are"} best. Ask again for the suit.`);
    this.hinted = this.#place();
  }

  // From here on, the pupil plays against the best defense, seeing the same hands as before.
  playOn(answer = this.answer) {
    const values = this.#values();
    if (!values || this.state.over || this.duel) {
      this.#say(this.state?.over ? "The hand is over." : this.duel ? this.#here() : "The engine is still working.");
      return;
    }
    this.pupil ??= this.state.mover;
    this.quiz = this.duel = true;
    this.par = this.#valuesInWords(values);
    this.#follow(answer ? [...this.moves.slice(0, this.at), answer] : this.moves.slice(0, this.at),
      this.at + (answer ? 1 : 0), answer ? this.#event(answer) : this.#here());
  }

  // The engine plays for the others, after a pause in which the last card can be seen.
  #reply() {
    const { state } = this, values = this.#values();
    if (!this.duel || !values || this.at < this.moves.length) return;
    if (state.over) {
      this.#say(`The hand is over. ${this.#valuesInWords(values)} With best play from the question: ${this.par}`);
      this.duel = this.quiz = false;
      this.#draw();
      return;
    }
    if (state.mover === this.pupil || this.replying) return;
    const place = this.#place();
    this.replying = setTimeout(() => {
      this.replying = null;
      if (!this.duel || place !== this.#place()) return;
      const move = state.naming ? `=${state.trumps[0]}` : bestCards(values).at(-1) ?? state.legal[0];
      this.moves = [...this.moves.slice(0, this.at), move];
      this.goto(this.at + 1, move.startsWith("=") ? `${seatName(state.mover)} names ${suitName(move.slice(1))}.`
        : `${seatName(state.mover)} plays the ${cardName(move)}.`);
    }, REPLY);
  }

  // Starts or stops playing from the seat at the bottom.
  #toSit() {
    if (this.live) {
      if (this.stopping) this.#standUp("You stopped playing. All hands are shown.");
      else this.#asksToStop(true);
      return;
    }
    if (!this.#canSit() || !this.state || this.state.over) {
      this.#say(this.state?.over ? "The hand is over." : "This contract cannot be played from a seat.");
      return;
    }
    this.#remember();
    this.sitAt(this.bottom, this.moves.slice(0, this.at), this.contract);
  }

  // Lets the reader play from a seat after these moves.
  sitAt(seat, moves, contract) {
    this.contract = contract;
    if (!this.views || this.#followsTakeOver()) {
      this.choose(contract, moves, moves.length); // this hand cannot be played from a seat
      return;
    }
    this.pupil = this.sat = seat;
    this.seat = null;
    this.live = this.duel = this.quiz = true;
    this.stopping = false;
    this.claimed = this.given = this.advice = this.held = null;
    this.moves = moves;
    this.report.hidden = this.after.hidden = true;
    this.hides?.(true);
    this.#drawTerms();
    this.#drawSit();
    this.root.focus({ preventScroll: true });
    this.goto(moves.length, `You play ${seatName(seat)}.${this.#goals()} The others play from what they know.`);
  }

  // The goal of each declarer.
  #goals() {
    const { game, contract: { declarers, ids, called, partner } } = this;
    const goals = ids.map((id) => goal(contractType(game, id)));
    return declarers.map((seat, i) => goals[i] && ` ${called || partner ? "The declaring side" : seatName(seat)} ${goals[i]}.`).join("");
  }

  #standUp(said) {
    clearTimeout(this.replying);
    this.replying = this.held = null;
    this.stopping = false;
    this.live = this.duel = this.quiz = false;
    keepSeat(this);
    this.hides?.(false);
    this.#drawSit();
    this.show(said);
  }

  // Goes back to the player's last card.
  #takeBack() {
    const { state } = this;
    const seats = [...state.tricks.flatMap(({ cards }) => cards), ...state.table].map(({ seat }) => seat);
    const own = seats.lastIndexOf(this.pupil);
    if (own < 0) {
      this.#say("You have not played a card.");
      return;
    }
    clearTimeout(this.replying);
    this.replying = this.claimed = this.given = null;
    this.#follow(this.moves.slice(0, own), own, "Taken back. Choose another card.");
  }

  // Gives a hint: first from what the player knows, then from all hands.
  #hintLive() {
    const { state } = this;
    if (this.waits) return;
    if (!this.live || state.mover !== this.pupil) {
      this.#say(this.live ? "It is not your turn." : "Hints are for playing from a seat.");
      return;
    }
    const place = this.#place(), again = this.hinted === place;
    this.#say(again ? "Computing the values with all hands seen …" : "Computing a hint from what you know …");
    const hint = (chosen) => {
      this.hinted = place;
      this.#advise(place, chosen.best);
      this.#sayHint(hinted(chosen, this.contract));
    };
    this.#ask({ ...again ? { ask: "values" } : { ...this.#known, ask: "choose", hint: true }, waits: true }, ({ chosen, values, done }) => {
      if (place !== this.#place()) return;
      if (!again && done) hint(chosen);
      else if (chosen?.layouts) this.soFar = () => hint(chosen);
      else if (again && done && complete(values)) {
        this.hinted = place;
        this.valuesAt.set(place, values);
        this.#advise(place, bestCards(values));
        this.#sayHint(`With all hands seen, ${bestInWords(bestCards(values), { marked: true })}.`);
      }
    });
  }

  // While the reader waits for a hint or a claim, "Hint" becomes "Stop".
  #waits(on) {
    if (!on && !this.waits) return;
    this.waits = on;
    this.soFar = null;
    this.hintButton.textContent = on ? "Stop" : "Hint";
    this.hintButton.setAttribute("aria-keyshortcuts", on ? "s" : "h");
    if (!on) this.#drawStanding(null);
  }

  // Marks the cards of a hint.
  #advise(place, cards) {
    this.advice = { place, cards };
    this.#draw();
  }

  // Ends the hand if the claim holds against any defense.
  #claim() {
    if (this.state.mover !== this.pupil) {
      this.#say("Claim when it is your turn.");
      return;
    }
    const place = this.#place();
    const tricks = Number(this.claims.querySelector("select").value);
    this.#say("Checking the claim …");
    this.#ask({ ...this.#known, ask: "claim", seat: this.pupil, tricks, waits: true }, ({ claim }) => {
      if (!claim || place !== this.#place()) return;
      if (!claim.good) {
        this.#say(claim.good === null ? "There are too many possible hands to check the claim in a few seconds. Play on, and claim again later."
          : "The claim is not accepted: with some hands that fit what you know, the defense can prevent it. Play on.");
        return;
      }
      this.claimed = claim;
      this.#ended();
    });
  }

  // Surrenders, if the rules of the contract allow it.
  #surrender() {
    if (this.state.mover !== this.pupil || !this.state.maySurrender) return;
    this.#say("You surrender …");
    this.#ask({ ask: "values" }, ({ surrender, done }) => {
      if (!done || !this.live) return;
      this.given = surrender;
      this.#ended();
    });
  }

  // The engine plays the other seats, each from its own knowledge.
  #others(said) {
    const place = this.#place();
    this.#ask({ ...this.#known, ask: "choose", pupil: this.pupil }, (answer) => {
      if (answer.position) {
        this.state = answer.position;
        this.#found(answer.position, this.moves);
        if (!this.stopping) this.#say(said || this.#here());
        this.#moved();
      }
      if (!answer.done || place !== this.#place()) return;
      this.thinking = false;
      this.table.setAttribute("aria-busy", "false");
      this.#unlessAsked(() => {
        if (place !== this.#place()) return;
        if (this.state.over) this.#ended();
        else if (answer.chosen && this.at === this.moves.length) this.#plays(place, answer.chosen.card);
      });
    });
  }

  // Plays a card after a pause in which the last card can be seen.
  #plays(place, card) {
    this.replying = setTimeout(() => {
      this.replying = null;
      this.#unlessAsked(() => {
        if (!this.live || place !== this.#place()) return;
        const said = `${seatName(this.state.mover)} plays the ${cardName(card)}.`;
        this.moves = [...this.moves.slice(0, this.at), card];
        this.goto(this.at + 1, said);
      });
    }, REPLY);
  }

  // Compares the result with the best and the recorded result, and says what the cards cost.
  #ended() {
    this.#say("The hand is over. Checking your cards …");
    const { pupil, play } = this;
    const moves = this.moves.slice(0, this.at);
    this.#ask({ ...this.#known, ask: "costs", moves, seat: pupil, play }, (answer) => {
      if (!answer.end || !this.live) return;
      const { cost, claim, lines, mistakes, ...result } = account(this, answer, pupil);
      const evening = this.finished?.(result);
      this.#standUp(`The hand is over. ${claim}${cost}`);
      const { heading } = this;
      // One line for each card, which opens the explanation and shows the position on the board; a second click closes it.
      const show = (event, at) => {
        if (this.at !== at && event.currentTarget.parentNode.open) event.preventDefault();
        this.#walk(at);
      };
      const explained = ({ at, title, text }, i, all) => make("li", {}, make("details", { open: all.length === 1 || (i === 0 && BESIDE.matches), name: "costs" },
        make("summary", { onclick: (event) => show(event, at) }, withSigns(this.named(title))), make("p", {}, withSigns(this.named(text)))));
      this.report.replaceChildren(make(heading, {}, "Your result"), make("ul", {}, [...lines, evening].map((line) => line && make("li", {}, this.named(line)))),
        make(heading, {}, "Your cards"), make("p", {}, cost),
        make("ul", { class: "errors" }, mistakes.map(explained)), this.ways);
      this.#showReport(true);
    });
  }

  // Shows the report or, while it is closed, the buttons that lead to it and to the next deal.
  #showReport(on) {
    const following = this.next?.(), result = button("Result", () => this.#showReport(true));
    const next = following ? [button("Next deal", () => {
      this.report.hidden = true;
      this.after.hidden = false;
      this.after.replaceChildren(result);
      following();
    }, { class: "start" })] : [];
    if (on) this.ways.replaceChildren(...next, button("Close", () => this.#does("report")));
    else this.after.replaceChildren(result, ...next);
    this.report.hidden = !on;
    this.after.hidden = on;
    if (on) this.report.focus();
    else this.root.focus({ preventScroll: true });
  }

  #view(seat) {
    if (this.#covered()) {
      this.#say(this.duel ? "The other hands are hidden while you play." : "The other hands are hidden until you answer.");
      return;
    }
    this.seat = this.seat === seat ? null : seat;
    this.#draw();
    this.#say(this.seat ? `The view of ${seatName(seat)}.` : "All hands shown.");
  }

  // Requests to the worker, and its answers.

  #request(more) {
    const { game, deal, playing } = this;
    return { game, deal, contract: playing, moves: this.moves.slice(0, this.at), after: this.moves.slice(this.at), ...more };
  }

  #ask({ waits = false, ...more }, listen) {
    let reached = false;
    this.#waits(waits);
    this.client.ask(this.#request(more), (answer) => {
      reached ||= Boolean(answer.position);
      if (answer.done || answer.fault) this.#waits(false);
      else if (this.waits && (answer.nodes || answer.chosen)) this.#think(answer);
      if (!answer.fault) return listen(answer);
      this.thinking = false;
      if (reached) this.#draw();
      else this.#drawNothing();
      this.stopButton.hidden = true;
      return this.#say(`The engine cannot answer: ${answer.fault}`);
    });
  }

  // Draws an empty board, because the contract has no position here.
  #drawNothing() {
    this.state = null;
    this.statusLine.textContent = this.named(`${contractName(this.game, this.contract)}: no values`);
    this.table.setAttribute("aria-busy", "false");
    this.table.replaceChildren();
    this.course.replaceChildren();
  }

  #moved() {
    keepSeat(this);
    keepAnswer(this);
    this.moved(this);
  }

  #place() { return positionKey(this.playing, this.moves.slice(0, this.at)); }

  // All lines except the current one.
  get others() { return branches(this.#lines(), this.moves); }

  // The lines of the current contract, except those that are a prefix of another line.
  #lines() {
    const key = JSON.stringify(this.contract);
    const first = this.#isRecorded() && this.play.length ? [this.play] : [];
    const before = this.lines.get(key) ?? first, lines = kept(before, this.moves);
    this.lines.set(key, lines);
    if (lines !== before) keepLines(this.deal, this.lines);
    return lines;
  }

  // The values of this position, if all of them are known.
  #values() {
    const values = this.valuesAt.get(this.#place());
    return values && complete(values) ? values : null;
  }

  // Draws the position that the worker found, with the winners of a line.
  #found({ winners }, line) {
    this.winners = { line: [line, this.moves], tricks: winners };
    this.#draw();
  }

  // Draws the position, and requests the values of its cards.
  show(said = "", then = () => {}) {
    const place = this.#place(), line = this.moves;
    const listen = (answer) => {
      if (answer.refused)
        said = `The line ends here: ${moveName(answer.refused)} cannot be played.`;
      if (answer.position) {
        this.state = answer.position;
        if (this.quiz) this.pupil ??= this.state.mover;
        if (answer.position.moves.length < this.at) {
          this.moves = [...answer.position.moves];
          this.at = this.moves.length;
        }
        this.#found(answer.position, line);
        if (said !== null) this.#say(said || (this.quiz && !this.duel && !this.state.over ? this.#question() : this.#here()));
        this.#moved();
      }
      if (answer.nodes) this.#think(answer);
      if (answer.values) {
        this.valuesAt.set(place, answer.values);
        if (answer.surrender) this.surrenders.set(place, answer.surrender);
        this.thinking = !answer.done;
        this.#draw();
        if (answer.done) {
          if (said !== null && this.state.over && !this.duel && this.#values()) {
            this.said.append(this.named(` Result: ${valuesInWords(this.#values())}.`));
            this.said.dataset.ends = String(!this.sat);
          }
          this.#valueLines();
          then();
        }
        this.#judge();
        if (answer.done) this.#reply();
      }
    };
    this.thinking = true;
    this.progress = this.bounds = "";
    this.table.setAttribute("aria-busy", "true");
    if (this.live) this.#others(said);
    else this.#ask({ ask: "values" }, listen);
  }

  // Requests the values that are still unknown where other lines branch off, then those of each card of this
  // line, so that the lists can mark the cards that cost something. Any other request cancels this one.
  #valueLines() {
    if (this.#closed()) return;
    const all = (nodes) => nodes.flatMap((node) => [node, ...all(node.branches)]);
    const cards = this.moves.map((_, from) => ({ moves: this.moves, from }))
      .filter(({ from }) => !this.moves[from].startsWith("=") && !this.#reviewed(from, this.moves));
    for (const { moves: line, from } of [...all(tree(this.#lines(), this.moves)), ...cards]) {
      const contract = this.#contractAt(from, line), moves = line.slice(0, from), place = positionKey(contract, moves);
      if (this.valuesAt.has(place)) continue;
      this.client.ask(this.#request({ ask: "values", contract, moves }), ({ values, refused, fault, done }) => {
        if (this.valuesAt.has(place) || (!done && !refused && !fault)) return;
        this.valuesAt.set(place, done ? values : []);
        this.#drawCourse();
        this.#valueLines();
      });
      return;
    }
    this.#sumUp();
  }

  // Shows bounds while the engine works.
  #think({ nodes, bound, chosen }) {
    this.progress = chosen ? many(chosen.layouts, "layout") : `${nodes.toLocaleString("en")} positions`;
    this.stopButton.hidden = false;
    this.bounds = bound && !this.#closed() ? atLeast(bound, this.contract.declarers.length) : "";
    this.statusLine.textContent = this.named(`${contractName(this.game, this.#public())}: ${this.bounds && `${this.bounds}; `}thinking, ${this.progress} …`);
  }

  // Messages.

  #sayHint(text) {
    this.#say("");
    this.said.append(...withSigns(this.named(text)));
  }

  #say(text, verdict = "") {
    const [, head, rest] = /^(.*?:)(.*)/s.exec(verdict && this.named(text)) ?? [null, "", this.named(text)];
    this.said.replaceChildren(head && make("b", {}, head), ...PHONE.matches && !verdict && rest.length > 100 ? withSigns(rest) : [rest]);
    this.said.dataset.verdict = verdict;
    this.said.dataset.ends = "";
    this.#fitMessage();
    if (this.posed && this.state && this.#asks()) this.#drawStanding(null); // it has the question
  }

  // On a phone, a long message takes what the table can spare, so that the buttons below do not move. If that is
  // not enough, it scrolls: then the keyboard must be able to reach it.
  #fitMessage() {
    cancelAnimationFrame(this.fitting);
    this.fitting = requestAnimationFrame(() => {
      const { said, table } = this;
      said.style.height = table.style.minHeight = "";
      const more = said.scrollHeight - said.clientHeight, high = table.offsetHeight;
      if (more > 1 && PHONE.matches && said.offsetTop > table.offsetTop) {
        table.style.minHeight = `${high - more}px`;
        said.style.height = `${said.clientHeight + high - table.offsetHeight}px`;
      }
      if (this.said.scrollHeight > this.said.clientHeight + 1) this.said.tabIndex = 0;
      else this.said.removeAttribute("tabindex");
    });
  }

  #question() {
    const { mover } = this.state ?? {};
    if (!mover) return "";
    if (mover !== this.pupil) return `${seatName(mover)} plays; you are ${seatName(this.pupil)}.`;
    return this.at === this.question && this.posed ? this.posed : `${seatName(mover)} to play: your card?`;
  }

  // The question of a problem while the message says something else, such as that an answer was wrong.
  #questionAside() {
    const { posed, said, pupil, state } = this;
    const isAside = posed && this.#asks() && this.at === this.question && state.mover === pupil && said.textContent;
    return isAside && said.textContent !== this.named(posed) ? this.named(posed) : "";
  }

  // The place in the hand, which is the default message.
  #here() {
    const { state } = this;
    if (state.over) return "The hand is over.";
    return `Trick ${state.tricks.length + 1}: ${state.mover === this.#own ? "your turn" : `${seatName(state.mover)} to play`}.`;
  }

  #valuesInWords(values) { return `${capitalized(valuesInWords(values))}.`; }

  // Whether the state shown is that of the current card. If keys are pressed faster than the worker
  // answers, it is not.
  #isCurrent() {
    const { tricks, table } = this.state;
    const played = this.moves.slice(0, this.at).filter((move) => !move.startsWith("=")).length;
    return tricks.length * this.game.seats.length + table.length === played;
  }

  // A step of the play in words: "Trick 2, West plays the eight of clubs, which gives the contract away;
  // the ace of clubs was best."
  #event(move) {
    const { state } = this;
    if (!state?.mover || !this.#isCurrent()) return "";
    const who = seatName(state.mover);
    if (move.startsWith("=")) return `${who} names ${suitName(move.slice(1))}.`;
    const what = `Trick ${state.tricks.length + 1}, ${who} plays the ${cardName(move)}`;
    const values = this.duel ? null : this.#values();
    if (!values || !(move in values[0].cards)) return `${what}.`;
    const wrong = this.#judged(values, move);
    return `${what}${wrong && `, which ${wrong}`}.${this.#knew(move, true)}`;
  }

  // The judgment of a card in the recorded play based on its player's knowledge, if the page has
  // it. For the card that was played, the judgment mentions only errors and luck.
  #knew(card, remarkable = false) {
    const same = this.#isRecorded() && this.play.slice(0, this.at).join() === this.moves.slice(0, this.at).join();
    const [better, verdict, made] = (same && this.known?.[this.at]) || [];
    if (!made || !(card in made)) return "";
    const who = seatName(this.state.mover);
    const judged = card === this.play[this.at] && { error: `${who} could have known`,
      unlucky: `${who} could not know that`, lucky: "A lucky choice" }[verdict];
    if (remarkable && !judged) return "";
    const often = (choice) => `the contract makes in ${Math.round(100 * made[choice])} of 100 layouts`;
    const reason = better === card ? `it was best: ${often(card)}`
      : `the ${cardName(better)} was best, and after the ${cardName(card)} ${often(card)}`
        + (better in made ? `, after the ${cardName(better)} in ${Math.round(100 * made[better])}` : "");
    return judged ? ` ${judged}: given what ${who} knew, ${reason}.` : ` Given what ${who} knew, ${reason}.`;
  }

  // The contract, without the partner if a quiz asks a player who cannot know the partner.
  #public() {
    const { playing: contract, state } = this;
    const played = () => [...state.tricks.flatMap(({ cards }) => cards), ...state.table]
      .some(({ card }) => card === contract.called);
    const secret = contract.called && this.#covered() && this.pupil !== contract.partner && !played();
    return secret ? { ...contract, partner: null } : contract;
  }

  // Whether a quiz is waiting for its answer.
  #asks() { return this.quiz && !this.duel && this.answer === null && !this.state?.over; }

  // Whether values and results are hidden.
  #closed() { return this.#asks() || this.duel; }

  // Whether the other hands are hidden, too.
  #covered() { return this.#closed() && (this.live || !this.showsAll); }

  // The reader's own seat, in a quiz or in a hand that is or was played from a seat.
  get #own() { return this.quiz || this.duel ? this.pupil : this.sat; }

  // The seat at the bottom: the viewer, the pupil, or the default of the diagram.
  get bottom() {
    const { seats } = this.game;
    return this.seat ?? this.pupil ?? (seats.includes("S") ? "S" : seats[0]);
  }

  #judged(values, card) {
    const wrong = effect(values, card);
    if (!wrong) return "";
    const good = this.#bestInOrder(values);
    return `${wrong}${good.length ? `; ${betterInWords(good)}` : ""}`;
  }

  // The best cards, first the solution of a problem, then from high to low.
  #bestInOrder(values) {
    const { legal } = this.state, good = bestCards(values);
    return [this.deal.key, ...legal].filter((card, i, all) => good.includes(card) && all.indexOf(card) === i);
  }

  #verdict(card, refutation = "") {
    const values = this.#values();
    const wrong = this.#judged(values, card);
    const others = this.#bestInOrder(values).filter((other) => other !== card);
    const right = others.length ? `the ${cardName(card)} is best; so ${others.length > 1 ? "are" : "is"} the ${listed(others.map(cardName), "and the")}` : `only the ${cardName(card)} is best`;
    return `${wrong ? `Not the best: the ${cardName(card)} ${wrong}` : `Right: ${right}`}.${refutation} With best play: ${valuesInWords(values)}.${this.#knew(card)}`
      + " To play on, choose any card.";
  }

  // Drawing.

  #hidden(seat) {
    if (this.#covered())
      return seat !== this.pupil && !exposed(this.game, this.contract, this.state).includes(seat);
    return this.seat !== null && seat !== this.seat;
  }

  #draw() {
    const { state, game } = this;
    if (!state) return;
    const focused = this.table.contains(document.activeElement) && document.activeElement.dataset.card;
    const shown = this.#closed() ? null : this.valuesAt.get(this.#place());
    const values = shown?.length ? shown : null;
    this.quizButton.setAttribute("aria-pressed", String(this.quiz));
    this.table.setAttribute("aria-busy", String(this.thinking));
    this.#drawStanding(values);
    const { bottom } = this;
    const view = {
      game, state, values, dealt: this.deal.hands, dealer: this.deal.leader ? null : this.deal.dealer, surrender: shown && this.surrenders.get(this.#place()), contract: this.#public(), names: this.names, named: this.named, answer: this.answer ?? this.unjudged, missed: this.missed,
      advised: this.advice?.place === this.#place() ? this.advice.cards : [], own: this.#covered() ? this.pupil : null,
      you: this.#own,
      next: this.quiz ? null : this.moves[this.at], hidden: (place) => this.#hidden(place), bottom,
      play: (card) => {
        this.#pause();
        this.move(card);
      },
      name: (trump) => this.#name(trump),
    };
    this.#reserve(view);
    this.#drawTable(view);
    if (this.said.style.height) this.#fitMessage();
    this.stopButton.hidden = !this.thinking || !this.progress;
    this.retry.hidden = !this.missed.length;
    for (const each of [this.onButton, this.errorButton]) each.setAttribute("aria-disabled", String(this.at >= this.moves.length));
    this.undoButton.disabled = !this.past.length;
    this.redoButton.disabled = !this.future.length;
    this.#drawCourse();
    if (this.sit.dataset.live !== String(this.live)) this.#drawSit();
    this.sit.hidden = !this.#canSit();
    if (this.live) this.#drawClaims();
    if (!this.live) {
      this.sit.querySelector("select").value = bottom;
      this.allButton.hidden = this.seat === null;
    }
    const card = focused && this.#card(focused in state.refused ? focused : state.legal.at(-1));
    if (card) card.focus();
    else if (focused) this.root.focus({ preventScroll: true });
  }

  #drawTable(view) {
    this.table.replaceChildren(...this.game.seats.map((seat) => drawHand(view, seat)), drawTrick(view));
  }

  // On a phone, the table is always high enough for all cards and a trick, whoever is to move, so that the
  // buttons below do not move.
  #reserve(view) {
    const { game, game: { seats }, deal: { hands }, playing: contract, table } = this, [seat] = contract.declarers;
    const key = JSON.stringify(contract);
    if (!PHONE.matches || this.pupil || this.reserved === key) return; // a question needs its room for the verdict
    this.reserved = key;
    table.style.setProperty("--tall", 0);
    const values = contract.declarers.map((seat) => ({ seat, unit: "tricks", cards: {} }));
    const won = Object.fromEntries(seats.map((seat) => [seat, 10]));
    const longest = contractType(game, contract.ids[0]).surrender && { seat, takenOver: seat, surrendered: -1, playedOn: -1 };
    // Another player to move changes only two hands.
    const heights = seats.map((mover, i) => {
      const trick = { winner: seats[0], cards: seats.map((seat) => ({ seat, card: hands[seat][0] })) };
      const state = { ...view.state, mover, hands, over: false, table: [], tricks: Array(10).fill(trick), won };
      const drawn = { ...view, contract, state, values, surrender: mover === seat && longest, own: null, hidden: () => false };
      if (i) for (const each of [seats[i - 1], mover]) table.querySelector(`[data-seat="${each}"]`).replaceWith(drawHand(drawn, each));
      else this.#drawTable(drawn);
      return table.offsetHeight;
    });
    table.style.setProperty("--tall", `${Math.max(...heights)}px`);
  }

  // The contract and its value; on a phone, anything that the table also shows is left out.
  #drawStanding(values) {
    const { state, game, named } = this, hidden = this.#closed();
    this.terms.hidden = hidden; // In an end position, the controls name the partner.
    const { partner, ...contract } = this.#public();
    this.root.classList.toggle("several", contract.declarers.length > 2);
    const known = !hidden && values && complete(values);
    const perSeat = known && values.length > 1 && contractType(game, contract.ids[0]).side !== "all";
    const of = ({ seat }) => contractName(game, { ...contract, declarers: [seat], ids: [contract.ids[contract.declarers.indexOf(seat)]] });
    const wide = (words) => make("span", { class: "wide" }, words);
    const value = known ? named(valuesInWords(values, perSeat ? of : undefined)).replace(" for the declaring side", "").split(/(contract )(?=made|defeated)/)
      .map((words, i) => i % 2 ? wide(words) : words) : hidden ? "" : this.thinking ? "…" : "no value yet";
    const name = [named(contractName(game, contract)), partner ? wide(named(`, with ${seatName(partner)}`)) : "", state.goesOn && !known ? ", going on for all tricks" : ""];
    const goals = this.duel ? contract.ids.map((id) => goal(contractType(game, id))) : [];
    const aim = goals.length < 2 && goals[0];
    const question = this.#questionAside(), [kind] = contract.ids;
    if (question) {
      this.statusLine.replaceChildren(question.includes(contractType(game, kind).name) ? "" : make("b", {}, `${name[0]}. `), question);
      return;
    }
    const lead = state.over ? "; result: " : ["; ", wide("with "), "best play: "];
    this.statusLine.replaceChildren(...(perSeat ? [state.over ? "Result: " : "With best play: ", value]
      : goals.length > 1 && goals.some(Boolean) ? [named(contract.declarers.map((seat, i) => [of({ seat }), goals[i]].filter(Boolean).join(" and ")).join("; "))]
      : [make("b", {}, name.flat().filter(Boolean)), known ? lead : aim ? `; ${aim}` : hidden ? "" : values ? ": " : " ", value]).flat(2).filter(Boolean));
  }

  #card(card) { return this.table.querySelector(`[data-card="${card}"]`); }

  // The values that were shown before a card of a line, if they include that card.
  #before(number, moves) {
    const values = this.valuesAt.get(positionKey(this.#contractAt(number, moves), moves.slice(0, number)));
    return values && complete(values) && moves[number] in values[0].cards ? values : null;
  }

  // The value, in words, of a card in a line, if it was shown.
  #worth(moves, number) {
    const values = this.#before(number, moves);
    return values ? `(${values.map((value) => onCard(value, value.cards[moves[number]], values.length)).join(", ")})` : "";
  }

  // Whether the review in the page judges a card of a line.
  #reviewed(number, moves) {
    const { deal, play } = this;
    return Boolean(deal.marks) && this.#isRecorded() && number < play.length && play.slice(0, number + 1).every((move, i) => move === moves[i]);
  }

  // The mark of a card in a line, "?" or "??", from the review or from the values that were computed.
  #mark(number, moves = this.moves) {
    const { deal } = this, card = moves[number];
    if (this.#reviewed(number, moves)) return deal.marks[number] ?? "";
    const values = this.#before(number, moves);
    return !values || !effect(values, card) ? "" : loses(values, card) ? "??" : "?";
  }

  #drawCourse() {
    const asks = this.#closed(), size = this.game.seats.length;
    const moves = asks ? this.moves.slice(0, this.at) : this.moves;
    const open = (at) => {
      this.#pause();
      this.#walk(at);
    };
    const focused = [...this.course.querySelectorAll("button")].indexOf(document.activeElement);
    // While the worker computes the winners of another line, the list shows none.
    const winners = this.winners?.line.includes(this.moves) ? this.winners.tricks : [];
    const same = moves.findIndex((move, i) => move !== this.play[i]);
    const own = this.#isRecorded() && this.play.length && same >= 0 ? same : moves.length;
    this.course.replaceChildren(...drawCourse(moves, this.at, { size, winners, open, own, named: this.named, mark: asks ? () => "" : (number) => this.#mark(number) }));
    if (focused >= 0) (this.course.querySelectorAll("button")[focused] ?? this.root).focus({ preventScroll: true });
    // Reading a scroll position forces a layout of the page, so this waits for the next frame, which needs
    // one anyway.
    cancelAnimationFrame(this.scrolling);
    this.scrolling = requestAnimationFrame(() => {
      const current = this.course.querySelector("[aria-current]");
      if (current) this.course.scrollTop = current.offsetTop - this.course.clientHeight / 2;
    });
    const lines = asks ? [] : tree(this.#lines(), this.moves);
    if (this.tried.contains(document.activeElement)) this.root.focus({ preventScroll: true });
    const drawn = drawLines(lines, this.play, size, (line, at) => this.#follow(line, at, "Another line."),
      (number, line) => this.#mark(number, line), (line, number) => this.#worth(line, number));
    const now = own < moves.length ? `, from trick ${Math.floor(own / size) + 1}` : this.play.length && this.#isRecorded() ? ", as played" : "";
    this.tried.replaceChildren(make("li", { "aria-current": "true" }, `This line${now}`, make("ol", {}, drawn)));
    this.tried.hidden = !lines.length;
    this.#fold(lines.length > 0);
  }

  // Once there are other lines, they get the room of the contract's form, which is then opened by its summary.
  #fold(folds) {
    if (folds === this.folds || this.terms.contains(document.activeElement)) return;
    this.folds = folds;
    this.terms.classList.toggle("folds", folds);
    this.terms.open = !folds;
  }
}
