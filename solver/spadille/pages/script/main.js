// The entry point: on a page, it makes hands playable; in the worker, it starts the engine.
import { costsInWords } from "./hints_and_summary.js";
import { Board } from "./playing_board.js";
import { WorkerClient } from "./worker_client.js";
import { button, choice, make, reveal } from "./dom.js";
import { Entry, follow } from "./own_deals.js";
import { contractOf } from "./hand_encoding.js";
import { Lesson } from "./problem_lesson.js";
import { address } from "./link.js";
import { memory } from "./browser_storage.js";
import { sharing } from "./sharing.js";
import { cardsOf, keptAnswer, keptSeat } from "./kept_on_reload.js";
import { anyContract } from "./allowed_contracts.js";
import { unpackJson } from "./unpack.js";
import { contractName, many, seatName, signed } from "./words.js";
import { work } from "./worker.js";

// The choice of a seat from which to play a deal that the reader has not seen.
function seatForm({ game, contract, sitsAt, chose }, play) {
  let seat = sitsAt ?? contract.declarers[0];
  const seats = game.seats.map((seat) => [seat, contract.declarers.includes(seat) ? `${seatName(seat)}, the declarer` : seatName(seat)]);
  return make("p", { class: "start-form" }, make("span", {}, `${contractName(game, { ...contract, partner: null })}. `),
    choice("Sit at", seats, seat, (other) => {
      seat = other;
      chose(seat);
    }), " ",
    button("Play this deal", () => play(seat), { class: "start" }), make("span", { class: "was" }));
}

// The score of an evening that is played on the page: the first result of each deal counts. `add` returns
// the score in one line; `draw` also marks the deals that have been played.
function tally(deals) {
  const kept = memory("sessionStorage", "results");
  const line = make("span", { role: "status" });
  const again = button("Start over", () => {
    kept.keep({});
    draw();
  });
  const counted = () => {
    const results = deals.map((deal) => kept.kept[cardsOf(deal)]).filter(Boolean);
    return { results, count: (what) => results.reduce((sum, result) => sum + Number(result[what]), 0) };
  };
  const draw = () => {
    const { results, count } = counted();
    again.hidden = !results.length;
    line.textContent = `${results.length} of ${many(deals.length, "deal")} played.${results.length ? ` You reached your goal in ${
      count("reached")}; best play reaches it in ${count("par")}. ${costsInWords(count("costs"))} Your payoff: ${
      signed(count("paid"))}.` : ""}`;
    deals.forEach((deal, i) => {
      const result = kept.kept[cardsOf(deal)], link = document.querySelector(`.deals [href="#deal-${deal.number}"]`);
      const was = document.querySelector(`article[data-deal="${i}"] .was`);
      if (link) link.dataset.score = !result ? "" : result.reached ? " ✓" : " ✗";
      if (was) was.textContent = result ? `Played${result.paid === null ? "" : `: ${signed(result.paid)}`}. Another result does not count.` : "";
    });
  };
  draw();
  const played = (deal) => cardsOf(deal) in kept.kept;
  return { root: make("p", { class: "tally" }, line, " ", again), draw, played, add: (deal, result) => {
    const counts = !played(deal);
    if (counts) kept.keep({ ...kept.kept, [cardsOf(deal)]: result });
    draw();
    const { results, count } = counted();
    return `${counts ? "" : "Only the first result of a deal counts. "}${results.length} of ${many(deals.length, "deal")} played: ${signed(count("paid"))} in all, goal reached in ${count("reached")} of ${results.length}.`;
  } };
}

// Makes a deal on the page playable when the reader asks for it.
function playable(article, client, hand, number) {
  let board = null, from = null;
  // Opens the deal at a position, or for play from a seat after some moves.
  const open = (where = null, seat = where?.seat ?? null) => {
    // A link must not show the hands of a deal that is still to be played.
    if (!seat && board?.live) seat = board.pupil;
    if (!seat && !board && hand.isUnplayed()) {
      from = where;
      approach();
      return;
    }
    if (!board) {
      article.classList.remove("unplayed");
      // While a hand is played from a seat, the results above the deal are hidden.
      const hides = (on) => {
        hand.hides(on);
        if (board) reveal(board.root, false);
      };
      board = new Board(client, { ...hand, hides }, { title: `Play deal ${number} through`, moved: () =>
        history.replaceState(null, "", address(board, { deal: number })) });
      board.side.append(sharing(board));
      start.remove();
      article.querySelector(".columns").before(board.root);
      article.classList.add("played");
    }
    if (seat && !hand.quiz) board.sitAt(seat, where?.moves.slice(0, where.at) ?? [], where?.contract ?? hand.contract);
    else if (where) board.choose(where.contract, where.moves, where.at);
    else board.show();
    reveal(board.root);
  };
  // Shows the reader where to open the deal, or its board.
  const approach = () => {
    if (board) reveal(board.root);
    else {
      article.scrollIntoView();
      (start.querySelector("select") ?? start).focus({ preventScroll: true });
    }
  };
  const start = hand.toPlay ? seatForm(hand, (seat) => open(from, seat)) : button(hand.quiz ? "Your card?" : "Play it through", () => {
    open(hand.quiz ? { ...hand, moves: [...hand.play], at: hand.question } : null);
  }, { class: "start" });
  article.querySelector(".columns").before(start);
  // Asks the quiz question from the start.
  const ask = () => {
    open({ ...hand, moves: [...hand.play], at: hand.question });
    board.ask(hand.question);
    return board;
  };
  // Restores the answer that was given before the page was reloaded.
  const answerAgain = () => {
    const kept = board && keptAnswer(hand.deal, board.at);
    if (kept) board.answerAgain(kept);
  };
  // Begins to play the deal from the seat that the reader chose last, by default the declarer's.
  const begin = (chosen) => board ? approach() : open(from, chosen ?? hand.sitsAt ?? hand.contract.declarers[0]);
  return { open, ask, approach, begin, answerAgain };
}

// A deal on the page, in the form a board needs; null if it has no contract.
function handOnPage(data, deal, article, score) {
  const game = data.games[deal.rules];
  const contract = deal.contract ? contractOf(deal.contract, game) : anyContract(game, deal);
  if (!contract) return null;
  const quiz = data.quiz && deal.question !== null;
  // Anything that reveals the answer is hidden until the reader has answered.
  article.classList.toggle("asked", quiz);
  const hand = { game, deal, contract, names: deal.names, exchanged: deal.exchanged, known: deal.known, quiz, question: deal.question, showsAll: deal.showsAll,
    posed: article.querySelector(".question")?.textContent,
    takenOver: deal.takenOver && { ...deal.takenOver, contract: contractOf(deal.takenOver.contract, game) },
    play: deal.contract ? deal.play : [], answered: () => article.classList.remove("asked"),
    hides: (on) => ["asked", "secret"].forEach((name) => article.classList.toggle(name, on)),
    toPlay: Boolean(data.play && deal.views), sitsAt: data.play === true ? null : data.play, isUnplayed: () => hand.toPlay && !score.played(deal), finished: (result) => score?.add(deal, result) };
  if (hand.toPlay) {
    hand.hides(true);
    article.classList.add("unplayed");
  }
  return hand;
}

// Makes the deals of the page playable; returns a function that opens what the address asks for.
function withDeals(data, client) {
  const opens = new Map();
  const problems = [], places = [];
  const score = data.play ? tally(data.deals) : null;
  if (score) document.querySelector("main").prepend(score.root);
  let chosen = null; // the seat that the reader chose last
  let resume = null; // opens the deal that was being played from a seat
  data.deals.forEach((deal, i) => {
    const article = document.querySelector(`article[data-deal="${i}"]`);
    if (!deal.hands || !article || Object.values(deal.hands).some((hand) => !hand)) return;
    const hand = handOnPage(data, deal, article, score);
    if (!hand) return;
    // Deals that the reader has seen are no longer offered for playing.
    const rest = () => places.filter(({ hand: placed }) => !hand.toPlay || placed.isUnplayed());
    hand.next = () => {
      const later = rest().find(({ number }) => number > deal.number) ?? (hand.toPlay ? rest()[0] : null);
      return later && (() => {
        history.replaceState(null, "", `#deal-${later.number}`);
        if (hand.toPlay) later.begin(chosen);
        else later.approach();
      });
    };
    hand.chose = (seat) => { chosen = seat; };
    const { open, ask, approach, begin, answerAgain } = playable(article, client, hand, deal.number);
    if (hand.quiz) problems.push({ number: deal.number, question: deal.question, answerAgain, label: deal.label, themes: deal.themes, level: deal.level, article, open: ask,
      seed: Object.values(deal.hands).flat().join("").slice(0, 12) + deal.question });
    places.push({ number: deal.number, hand, approach, begin });
    opens.set(String(deal.number), (params) => follow(hand, params, open));
    const sat = keptSeat(deal);
    if (sat) resume = { number: String(deal.number), open: () => open(sat, sat.seat) };
  });
  score?.draw();
  const lesson = problems.length ? new Lesson(problems) : null;
  if (lesson) document.querySelector("main").prepend(lesson.root);
  return visitor({ lesson, problems, opens, resume });
}

// Opens what the address asks for. `resume` is the deal that was being played before the page was loaded.
function visitor({ lesson, problems, opens, resume }) {
  let isFirst = true; // the page has just been loaded, perhaps again
  return (params) => {
    const number = params.get("deal"), was = isFirst ? resume : null, left = isFirst ? lesson?.left : null;
    const again = isFirst ? problems.find((problem) => String(problem.number) === number) : null;
    isFirst = false;
    const [isPlain, article = null] = /^#(?:deal-(\d+)|results|own)$/.exec(location.hash) ?? [];
    if (isPlain && lesson?.isOn) {
      lesson.turnTo(article);
      return;
    }
    if (params.has("problem")) {
      if (!lesson) throw new Error("this page has no problems");
      lesson.visit(params.get("problem"));
      return;
    }
    if (left && !params.has("hands") && [null, String(left.number)].includes(number)) {
      lesson.resume();
      left.answerAgain();
      return;
    }
    if (was && !params.has("hands") && [null, was.number].includes(number)) {
      was.open();
      return;
    }
    if (number === null) return;
    if (!opens.has(number)) throw new Error(`there is no deal ${number} to play on this page`);
    opens.get(number)(params);
    again?.answerAgain();
  };
}

// Marks the deal in view in the list of deals.
function markCurrent() {
  const observer = new IntersectionObserver((seen) => seen.forEach(({ target, isIntersecting }) => {
    const link = document.querySelector(`.deals [href="#${target.id}"]`);
    link?.setAttribute("aria-current", String(isIntersecting));
    if (link && isIntersecting) link.closest("ol").scrollLeft = link.offsetLeft - innerWidth / 2;
  }), { rootMargin: "-30% 0px -70%" });
  document.querySelectorAll("article, .results").forEach((part) => observer.observe(part));
}

// The form for the reader's own deals, with a link in the list of deals; `show` leads to it.
function ownDeal(entry) {
  const root = make("details", { class: "own", id: "own" }, make("summary", {}, "Enter a deal, or open a hand file"), entry.root);
  // Deals get their real heights when they come into sight. In Firefox, that moves the form away again.
  const keepInSight = (frames) => {
    root.scrollIntoView();
    if (frames) requestAnimationFrame(() => keepInSight(frames - 1));
  };
  const show = () => {
    root.open = true;
    root.firstChild.focus({ preventScroll: true });
    keepInSight(4);
  };
  const links = document.querySelector(".deals ol"), first = links?.querySelector("[href='#results']")?.parentNode;
  const link = make("li", {}, make("a", { href: "#own", onclick: show }, "Own deal"));
  if (first) first.after(link);
  else links?.prepend(link);
  return { root, show };
}

async function start() {
  const source = document.currentScript.textContent;
  const data = await unpackJson("spadille-data");
  const module = document.getElementById("spadille-engine").textContent;
  const client = new WorkerClient(source, module, document.getElementById("spadille-strength")?.textContent);
  document.body.classList.add("live");
  const [game] = Object.values(data.games);
  const main = document.querySelector("main");
  const visit = withDeals(data, client);
  markCurrent();
  const entry = game && new Entry(client, Object.values(data.games), game);
  const own = data.deals.length && entry ? ownDeal(entry) : null;
  if (own) main.append(own.root);
  else if (entry) main.append(entry.root);
  const fault = make("p", { class: "said link-fault", role: "alert" });
  document.querySelector("main").prepend(fault);
  const go = () => {
    fault.textContent = "";
    try {
      const params = new URLSearchParams(location.hash.slice(1));
      if (params.has("hands") && own) own.root.open = true;
      visit(params);
      if (location.hash === "#own") own?.show();
      entry?.visit(params);
    } catch (error) {
      fault.textContent = `This link is not valid: ${error.message.replace(/\.?$/, ".")}`;
    }
  };
  addEventListener("hashchange", go);
  go();
  // Links and files may use games that no deal on the page uses.
  entry?.more(await unpackJson("spadille-games"));
  if (new URLSearchParams(location.hash.slice(1)).has("game") && !entry?.board) go();
}

if (typeof document === "undefined") work(self);
else start();
