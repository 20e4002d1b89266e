// A hand that is played: the table, what every card is worth, and the way through it.
import { button, make } from "./dom.js";
import { drawCourse, drawHand, drawTrick } from "./draw.js";
import { encode } from "./hand.js";
import { judgedFrom, playedAt } from "./takeover.js";
import { termsForm } from "./terms.js";
import {
  bestCards, cardName, cardSign, complete, contractName, effect, listed, moveName, refusal, seatName, standing, suitName,
} from "./words.js";

const HELP = [
  ["← →", "a card back, a card on"],
  ["Home End", "to the first card, to the last"],
  ["u", "take back the last card"],
  ["b", "the best card"],
  ["l", "how it goes on if everybody plays well"],
  ["e", "the next card that cost something"],
  ["p", "back to what was played"],
  ["r", "replay, card by card"],
  ["1 – 5", "the table from a seat; again: with open hands"],
  ["q", "quiz: your card?"],
  ["?", "these keys"],
];
const REPLAY = 1200;

// Where a seat sits, going round clockwise from the one at the bottom; in the order they are drawn.
const PLACES = { 3: [1, 2, 0], 4: [2, 1, 3, 0], 5: [2, 3, 1, 4, 0] };

export class Board {
  // `hand` has game, deal, contract, and of a recorded hand its play; `moved` hears of every change.
  constructor(oracle, hand, { moved = () => {}, title = "Play it through" } = {}) {
    Object.assign(this, { oracle, moved, title, ...hand });
    this.play ??= [];
    this.recorded = this.contract;
    this.moves = [...this.play];
    this.at = 0;
    this.found = new Map();
    this.surrenders = new Map();
    this.seat = null;
    this.quiz = Boolean(hand.quiz);
    this.answer = null;
    this.#build();
  }

  // The page: what stays.

  #build() {
    const does = (what) => () => this.#does(what);
    const tool = (text, what, keys) =>
      button(text, does(what), { "aria-keyshortcuts": keys, title: `${text} (${keys})` });
    this.standing = make("p", { class: "standing" });
    this.table = make("div", { class: `felt of-${this.game.seats.length}` });
    this.said = make("p", { class: "said", role: "status", "aria-live": "polite" });
    this.tools = make("div", { class: "tools", role: "toolbar", "aria-label": "Play" },
      tool("Back", "back", "ArrowLeft"), tool("On", "on", "ArrowRight"), tool("Take back", "undo", "u"),
      tool("Best card", "best", "b"), tool("Best line", "line", "l"),
      tool("Next error", "error", "e"), this.play.length ? tool("As played", "played", "p") : null,
      tool("Replay", "replay", "r"));
    this.quizButton = tool("Quiz", "quiz", "q");
    this.tools.append(this.quizButton, tool("Keys", "help", "?"));
    this.course = make("ol", { class: "course", "aria-label": "Tricks" });
    this.help = make("dl", { class: "keys", hidden: true },
      HELP.flatMap(([keys, what]) => [make("dt", {}, keys), make("dd", {}, what)]));
    this.terms = make("div");
    this.root = make("section", { class: "playing", "aria-label": this.title, tabindex: "-1",
      onkeydown: (event) => this.#key(event) },
    this.terms, this.standing, this.table, this.said, this.tools, this.help, this.course);
    this.#drawTerms();
  }

  #drawTerms() {
    const chosen = (contract) => {
      const focus = [...this.terms.querySelectorAll("select")].indexOf(document.activeElement);
      this.choose(contract);
      this.terms.querySelectorAll("select")[focus]?.focus();
    };
    this.terms.replaceChildren(termsForm(this.game, this.deal, this.contract, chosen));
  }

  // What can be done.

  // Another contract; `moves` and `at` are a course of it.
  choose(contract, moves = null, at = 0) {
    this.contract = contract;
    this.found.clear();
    this.surrenders.clear();
    this.answer = null;
    this.moves = moves ?? (this.#isRecorded() ? [...this.play] : []);
    this.at = at;
    this.#drawTerms();
    this.#draw(); // What was known of another contract says nothing of this one.
    this.show();
  }

  // The contract that is played where the hand stands.
  get playing() { return this.#isRecorded() ? playedAt(this) : this.contract; }

  #isRecorded() { return JSON.stringify(this.contract) === JSON.stringify(this.recorded); }

  #key(event) {
    if (event.target.closest("select, input, textarea") || event.ctrlKey || event.metaKey || event.altKey)
      return;
    const keys = {
      ArrowLeft: "back", ArrowRight: "on", Home: "first", End: "last", u: "undo", b: "best",
      l: "line", e: "error", p: "played", r: "replay", q: "quiz", "?": "help",
    };
    const seat = this.game.seats[Number(event.key) - 1];
    if (keys[event.key]) this.#does(keys[event.key]);
    else if (event.key >= "1" && event.key <= "5" && seat) this.#view(seat);
    else return;
    event.preventDefault();
  }

  #does(what) {
    if (what !== "replay") this.#stop();
    const actions = {
      back: () => this.goto(this.at - 1), on: () => this.#on(), first: () => this.goto(0),
      last: () => this.goto(this.moves.length), undo: () => this.#undo(), best: () => this.#best(),
      line: () => this.#line(), error: () => this.#error(), played: () => this.#asPlayed(),
      replay: () => this.#replay(), quiz: () => this.#quiz(), help: () => { this.help.hidden = !this.help.hidden; },
    };
    actions[what]();
  }

  goto(at, said = "") {
    this.at = Math.max(0, Math.min(at, this.moves.length));
    this.answer = null;
    this.show(said);
  }

  #on() {
    if (this.at >= this.moves.length) {
      this.#say("No card has been played here: choose one.");
      return;
    }
    const said = this.#event(this.moves[this.at]);
    this.goto(this.at + 1, said);
  }

  #undo() {
    if (!this.at) return;
    this.moves = this.moves.slice(0, this.at - 1);
    this.goto(this.at - 1, "Taken back.");
  }

  #asPlayed() {
    const same = this.moves.findIndex((move, i) => move !== this.play[i] || i >= this.at);
    const at = this.#isRecorded() ? same < 0 ? this.at : Math.min(same, this.at) : 0;
    if (!this.#isRecorded()) this.choose(this.recorded, [...this.play], 0);
    this.moves = [...this.play];
    this.goto(at, "As it was played.");
  }

  // Plays a card, or says why not.
  move(card) {
    const { state } = this;
    if (!state) return;
    const code = state.refused[card] ?? (state.over ? 1 : 2);
    if (code) {
      const suits = encode(this.game, this.state.trump ?? this.contract.trump);
      const led = state.table[0] && suits.suitOf(state.table[0].card);
      this.#say(refusal(code, card, state, led, this.contract.called));
      return;
    }
    if (this.quiz && !this.answer) {
      this.answer = this.unjudged = card;
      this.answered?.();
      this.#draw();
      this.#say("Its value is not known yet …");
      this.#judge();
      return;
    }
    const said = this.#event(card);
    if (this.moves[this.at] !== card) this.moves = [...this.moves.slice(0, this.at), card];
    this.goto(this.at + 1, said);
  }

  // Says what the answer to a quiz is worth, once it is known.
  #judge() {
    const card = this.unjudged;
    if (!card || card !== this.answer || !this.#values()) return;
    this.unjudged = null;
    this.#say(this.#verdict(card));
    this.#refute(card);
  }

  // How the others profit from a card that cost something.
  #refute(card) {
    const values = this.#values();
    if (!values || !effect(values, card)) return;
    const moves = [...this.moves.slice(0, this.at), card];
    this.#ask({ ask: "line", moves }, ({ line }) => {
      if (!line) return;
      this.#say(`${this.#verdict(card)} After it: ${this.#shortened(line)}.`);
      this.show(null);
    });
  }

  #name(trump) {
    const said = `${seatName(this.state.mover)} names ${suitName(trump)}.`;
    this.moves = [...this.moves.slice(0, this.at), `=${trump}`];
    this.goto(this.at + 1, said);
  }

  #best() {
    const values = this.#values();
    if (!this.state?.mover || !values) return;
    const cards = bestCards(values).sort((one, other) =>
      this.state.legal.indexOf(one) - this.state.legal.indexOf(other));
    this.answer ??= this.quiz ? "" : null;
    this.#draw();
    this.#say(cards.length
      ? `Best: ${listed(cards.map(cardName), "or")}. ${this.#standing(values)}`
      : `No card is best for all. ${this.#standing(values)}`);
    this.#card(cards[0])?.focus();
  }

  #line() {
    this.#ask({ ask: "line" }, ({ line }) => {
      if (!line) return;
      this.moves = [...this.moves.slice(0, this.at), ...line];
      this.answer = this.quiz ? "" : null;
      this.show(`Best play goes on: ${this.#shortened(line)}. The arrows follow it.`);
    });
  }

  #shortened(line) {
    const cards = line.filter((card) => !card.startsWith("="));
    const room = 2 * this.game.seats.length;
    return cards.slice(0, room).map(cardSign).join(" ") + (cards.length > room ? " …" : "");
  }

  #error() {
    const from = this.at + (this.told === this.at ? 1 : 0);
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
      this.at = error;
      this.told = error;
      this.answer = null;
      this.show(null, () => this.#say(this.#event(this.moves[error])));
    });
  }

  #replay() {
    if (this.timer) {
      this.#stop();
      return;
    }
    if (this.at >= this.moves.length) this.goto(0);
    this.timer = setInterval(() => {
      this.#on();
      if (this.at >= this.moves.length) this.#stop();
    }, REPLAY);
  }

  #stop() {
    clearInterval(this.timer);
    this.timer = null;
  }

  #quiz() {
    this.quiz = !this.quiz;
    this.answer = null;
    if (!this.quiz) this.answered?.();
    this.#draw();
    this.#say(this.quiz ? this.#question() : "Open hands.");
  }

  #view(seat) {
    this.seat = this.seat === seat ? null : seat;
    this.#draw();
    this.#say(this.seat ? `As ${seatName(seat)} sees it.` : "Open hands.");
  }

  // What the worker says.

  #request(more) {
    const { game, deal, playing } = this;
    return { game, deal, contract: playing, moves: this.moves.slice(0, this.at), ...more };
  }

  #ask(more, listen) {
    let reached = false;
    this.oracle.ask(this.#request(more), (answer) => {
      reached ||= Boolean(answer.position);
      if (!answer.fault) return listen(answer);
      this.thinking = false;
      if (reached) this.#draw();
      else this.#drawNothing();
      return this.#say(`The engine cannot answer that: ${answer.fault}`);
    });
  }

  // There is no position of this contract.
  #drawNothing() {
    this.state = null;
    this.standing.textContent = `${contractName(this.game, this.contract)}: no values`;
    this.table.setAttribute("aria-busy", "false");
    this.table.replaceChildren();
    this.course.replaceChildren();
  }

  #place() { return this.moves.slice(0, this.at).join(" "); }

  // The values of this position, if all of them are known.
  #values() {
    const found = this.found.get(this.#place());
    return found && complete(found) ? found : null;
  }

  // Draws the position, and asks what its cards are worth.
  show(said = "", then = () => {}) {
    const place = this.#place();
    const listen = (answer) => {
      if (answer.refused)
        said = `The course ends here: ${moveName(answer.refused)} cannot be played.`;
      if (answer.position) {
        this.state = answer.position;
        if (answer.position.moves.length < this.at) {
          this.moves = [...answer.position.moves];
          this.at = this.moves.length;
        }
        this.#draw();
        if (said !== null) this.#say(said || (this.quiz && !this.state.over ? this.#question() : ""));
        this.moved(this);
      }
      if (answer.nodes) this.standing.textContent = `Thinking: ${answer.nodes.toLocaleString("en")} positions …`;
      if (answer.values) {
        this.found.set(place, answer.values);
        if (answer.surrender) this.surrenders.set(place, answer.surrender);
        this.thinking = !answer.done;
        this.#draw();
        if (answer.done) then();
        this.#judge();
      }
    };
    this.thinking = true;
    this.table.setAttribute("aria-busy", "true");
    this.#ask({ ask: "values" }, listen);
  }

  // What is said.

  #say(text) { this.said.textContent = text; }

  #question() {
    return this.state?.mover ? `${seatName(this.state.mover)} to play: your card?` : "";
  }

  #standing(values) { return `${standing(values)}.`.replace(/^./, (first) => first.toUpperCase()); }

  // A step of the play: "Trick 2, West plays the eight of clubs: gives the contract away; the ace
  // of clubs was best."
  #event(move) {
    const { state } = this;
    if (!state?.mover) return "";
    const who = seatName(state.mover);
    if (move.startsWith("=")) return `${who} names ${suitName(move.slice(1))}.`;
    const what = `Trick ${state.tricks.length + 1}, ${who} plays the ${cardName(move)}`;
    const values = this.#values();
    if (!values || !(move in values[0].cards)) return `${what}.`;
    return `${what}${this.#judged(values, move)}.${this.#knew(move, true)}`;
  }

  // What could be known of a card where the hand stands as it was played, if the page was told;
  // of one that was played only what is remarkable.
  #knew(card, remarkable = false) {
    const same = this.#isRecorded() && this.play.slice(0, this.at).join() === this.moves.slice(0, this.at).join();
    const [better, verdict, made] = (same && this.known?.[this.at]) || [];
    if (!made || !(card in made)) return "";
    const who = seatName(this.state.mover);
    const judged = card === this.play[this.at] && { error: `${who} could have known`,
      unlucky: `${who} could not know that`, lucky: "A lucky choice" }[verdict];
    if (remarkable && !judged) return "";
    const often = (each) => `the contract makes in ${Math.round(100 * made[each])} of 100 layouts`;
    const found = better === card ? `it was best: ${often(card)}`
      : `the ${cardName(better)} was best, and after the ${cardName(card)} ${often(card)}`
        + (better in made ? `, after the ${cardName(better)} in ${Math.round(100 * made[better])}` : "");
    return judged ? ` ${judged}: on what ${who} knew, ${found}.` : ` On what ${who} knew, ${found}.`;
  }

  // The contract without the partner, while a quiz asks somebody who cannot know him.
  #public() {
    const { playing: contract, state } = this;
    const played = () => [...state.tricks.flatMap(({ cards }) => cards), ...state.table]
      .some(({ card }) => card === contract.called);
    const secret = contract.called && this.#asks() && state.mover !== contract.partner && !played();
    return secret ? { ...contract, partner: null } : contract;
  }

  // Whether a quiz waits for its answer.
  #asks() { return this.quiz && this.answer === null && !this.state?.over; }

  #judged(values, card) {
    const wrong = effect(values, card);
    if (!wrong) return "";
    const good = bestCards(values);
    const better = good.length ? `; the ${cardName(this.state.legal.findLast((each) => good.includes(each)))} was best` : "";
    return `: ${wrong}${better}`;
  }

  #verdict(card) {
    const values = this.#values();
    const wrong = this.#judged(values, card);
    return `The ${cardName(card)}${wrong || " costs nothing"}. ${this.#standing(values)}${this.#knew(card)} Play it, or another card.`;
  }

  // What is drawn.

  #hidden(seat) {
    if (this.#asks()) return seat !== this.state.mover;
    return this.seat !== null && seat !== this.seat;
  }

  #draw() {
    const { state, game } = this;
    if (!state) return;
    const focused = this.table.contains(document.activeElement) && document.activeElement.dataset.card;
    const shown = this.#asks() ? null : this.found.get(this.#place());
    const values = shown?.length ? shown : null;
    this.quizButton.setAttribute("aria-pressed", String(this.quiz));
    this.table.setAttribute("aria-busy", String(this.thinking));
    this.#drawStanding(values);
    const seats = game.seats;
    const bottom = seats.indexOf(this.seat ?? (seats.length === 4 ? "S" : "1"));
    const order = PLACES[seats.length].map((place) => seats[(bottom + place) % seats.length]);
    const view = {
      game, state, values, surrender: shown && this.surrenders.get(this.#place()), contract: this.#public(), names: this.names, answer: this.answer,
      next: this.quiz ? null : this.moves[this.at], hidden: (each) => this.#hidden(each),
      play: (card) => {
        this.#stop();
        this.move(card);
      },
      name: (trump) => this.#name(trump),
    };
    this.table.replaceChildren(...order.map((each) => drawHand(view, each)), drawTrick(state));
    this.#drawCourse();
    if (focused) (this.#card(focused in state.refused ? focused : state.legal.at(-1)) ?? this.root).focus();
  }

  #drawStanding(values) {
    const { state } = this;
    const name = contractName(this.game, this.#public());
    const found = values && complete(values) ? standing(values) : values ? "…" : null;
    const more = state.goesOn ? ", going on for all tricks" : "";
    const who = state.over ? "the hand is over" : `${seatName(state.mover)} to play`;
    const hidden = this.#asks();
    this.terms.hidden = hidden; // In an end position they name the partner.
    this.standing.textContent = `${name}${more}; ${who}${hidden ? "" : found ? `: ${found}` : " …"}`;
  }

  #card(card) { return this.table.querySelector(`[data-card="${card}"]`); }

  #drawCourse() {
    const moves = this.#asks() ? this.moves.slice(0, this.at) : this.moves;
    const open = (at) => {
      this.#stop();
      this.goto(at);
    };
    this.course.replaceChildren(...drawCourse(moves, this.at, this.game.seats.length, open));
  }
}
