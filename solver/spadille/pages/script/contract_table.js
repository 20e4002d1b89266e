// The table of contracts that make at the start of the hand, by seat and trump.
import { button, make } from "./dom.js";
import { allowedTrumps, callable } from "./hand_encoding.js";
import { resolved } from "./allowed_contracts.js";
import { seatLabel } from "./draw_position.js";
import { cardSign, complete, contractName, makes, seatName, suitName, SYMBOLS, inWords, worth } from "./words.js";

const WORKERS = 4;

// The contracts of one row by seat; a contract with a called card appears once per card to call.
function choices(game, deal, kind, trump) {
  return Object.fromEntries(game.seats.map((seat) => {
    const calls = kind.side === "called" && !deal.leader ? callable(game, kind, trump, deal.hands[seat]) : [null];
    const partners = kind.side === "partner" ? game.seats.filter((other) => other !== seat) : [null];
    const contracts = (calls.length ? calls : [null]).flatMap((called) => partners.map((partner) =>
      resolved(game, deal, { ids: [kind.id], declarers: [seat], trump, called, partner })));
    return [seat, contracts.filter((contract) => contract?.declarers[0] === seat && contract.trump === trump)];
  }));
}

export class Contracts {
  // `choose` opens a contract; `another` starts a worker. `exchanged` says that the hands are not as dealt.
  constructor(game, deal, choose, another, exchanged) {
    Object.assign(this, { game, deal, choose, another });
    this.workers = [];
    const kinds = game.contracts.filter(({ side }) => side !== "all");
    this.rows = kinds.flatMap((kind) => allowedTrumps(game, deal, kind).map((trump) =>
      ({ kind, trump, own: choices(game, deal, kind, trump) })));
    // Many contracts are in two tables side by side, if there is room.
    const parts = this.rows.length > 14 && matchMedia("(min-width: 60.01rem)").matches ? 2 : 1;
    const bodies = Array.from({ length: parts }, () => make("tbody"));
    this.queue = this.rows.flatMap(({ kind, trump, own }, row) => {
      const cells = game.seats.map((seat) => make("td", {}, own[seat].length ? "…" : "–"));
      const suit = SYMBOLS[trump] ?? suitName("NT");
      bodies[Math.floor(row * parts / this.rows.length)].append(make("tr", {}, make("th", { scope: "row" }, `${kind.name},\u00a0${suit}`), cells));
      return game.seats.flatMap((seat, i) => own[seat].map((contract, rank) => ({ contract, rank, cell: cells[i] })));
    });
    this.root = make("div", { class: "parts" }, make("p", {}, "Tricks or result with best play; ✓ makes.",
      exchanged ? " The hands are those after the exchange, not as dealt." : null),
    bodies.map((body) => make("table", {}, make("thead", {}, make("tr", {}, make("th", { scope: "col" }, "contract"),
      game.seats.map((seat) => make("th", { scope: "col" }, seatName(seat))))), body)));
    this.best = new Map();
  }

  // Fills in the table with several workers; `done` is called at the end.
  start(done) {
    const number = Math.min(this.queue.length, WORKERS, navigator.hardwareConcurrency || 1);
    this.workers = Array.from({ length: number }, () => ({ client: this.another(), question: null }));
    this.workers.forEach((worker) => this.#next(worker, done));
    if (!number) done();
  }

  // Ends the workers; contracts that are not finished are requested again at the next start.
  stop() {
    for (const { client, question } of this.workers) {
      client.end();
      if (question) this.queue.unshift(question);
    }
    this.workers = [];
  }

  #next(worker, done) {
    const question = this.queue.shift() ?? null;
    worker.question = question;
    if (!question) {
      if (this.workers.every((worker) => !worker.question)) {
        this.stop();
        done();
      }
      return;
    }
    const { game, deal } = this, { contract, cell } = question;
    worker.client.ask({ ask: "value", game, deal, contract, moves: [] }, (answer) => {
      if (!answer.fault && !answer.done) return;
      if (answer.values && complete(answer.values)) this.#fill(question, answer.values[0]);
      else if (cell.textContent === "…") cell.textContent = "?";
      this.#next(worker, done);
    });
  }

  // If there are several cards to call or several partners, the best one counts. If several are
  // equally good, the first in order counts, because the workers finish in any order.
  #fill({ contract, rank, cell }, result) {
    const best = this.best.get(cell);
    if (best && (best.value > result.value || (best.value === result.value && best.rank < rank))) return;
    this.best.set(cell, { value: result.value, rank });
    const { called, partner } = contract;
    const more = called ? ` ${cardSign(called)}` : partner ? ` with ${seatName(partner)}` : "";
    const text = inWords(result, result.value), made = makes(result, result.value);
    const brief = result.unit === "tricks" ? worth(result, result.value) : text;
    cell.replaceChildren(button([`${brief}${made ? " ✓" : ""}`, make("span", { class: called ? "with called" : "with" }, !called && partner ? [" with ", seatLabel(partner)] : more)], () => this.choose(contract), {
      title: contractName(this.game, contract), "aria-label": `${text}${made ? ", makes" : ""}${more}`,
    }));
    cell.classList.toggle("makes", makes(result, result.value));
  }
}
