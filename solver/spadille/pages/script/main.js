// Where it begins: in a page the hands become playable, in the worker the engine waits for them.
import { Board } from "./board.js";
import { Oracle } from "./client.js";
import { make, button } from "./dom.js";
import { contractOf } from "./hand.js";
import { address, located } from "./link.js";
import { Making } from "./making.js";
import { dealText, writeHand } from "./pbn.js";
import { anyContract, resolved } from "./terms.js";
import { work } from "./worker.js";

// A hand file of what the board shows, to be copied.
function copying(board) {
  const text = make("textarea", { readonly: true, rows: 8, cols: 60, hidden: true, "aria-label": "The hand as PBN" });
  const copy = button("Copy as PBN", () => {
    if (!board.state) return;
    text.value = writeHand(board);
    text.hidden = false;
    text.select();
    navigator.clipboard?.writeText(text.value).catch(() => {});
  });
  return make("div", { class: "copying" }, copy, text);
}

// What the list of deals hides at the top of the window, in pixels.
const CLEAR = 64;

// Opens a hand where a link says; where that is not valid, as it is without it, and throws why.
function follow(hand, params, open) {
  let where = null, wrong = null;
  try {
    where = located(hand, params);
  } catch (error) {
    wrong = error;
  }
  open(where);
  if (wrong) throw wrong;
}

// Makes a deal of the page playable, at the wish of the reader.
function playable(article, oracle, hand, number) {
  let board = null;
  const open = (where = null) => {
    if (!board) {
      board = new Board(oracle, hand, { title: `Play deal ${number} through`, moved: () =>
        history.replaceState(null, "", address(board, { deal: number })) });
      board.side.append(copying(board));
      start.remove();
      (article.querySelector(".columns") ?? article.querySelector("header")).before(board.root);
      article.classList.add("played");
    }
    if (where) board.choose(where.contract, where.moves, where.at);
    else board.show();
    // Opened by its address in a frame, it moves nothing but what is in the frame.
    if (self === top || document.hasFocus()) {
      board.root.focus({ preventScroll: true });
      board.root.scrollIntoView({ block: "start" });
    } else scrollBy(0, board.root.getBoundingClientRect().top - CLEAR);
  };
  const start = button(hand.quiz ? "Your card?" : "Play it through", () => {
    open(hand.quiz ? { ...hand, moves: [...hand.play], at: hand.question } : null);
  }, { class: "start" });
  (article.querySelector(".columns") ?? article.querySelector("header, h2")).after(start);
  return open;
}

function withDeals(data, oracle) {
  const opens = new Map();
  data.deals.forEach((deal, i) => {
    const article = document.querySelector(`article[data-deal="${i}"]`);
    if (!deal.hands || !article || Object.values(deal.hands).some((hand) => !hand)) return;
    const game = data.games[deal.rules];
    const contract = deal.contract ? contractOf(deal.contract, game) : anyContract(game, deal);
    if (!contract) return;
    const quiz = data.quiz && deal.question !== null;
    // What tells the answer is hidden until there is one.
    article.classList.toggle("asked", quiz);
    const hand = { game, deal, contract, names: deal.names, known: deal.known, quiz, question: deal.question,
      takenOver: deal.takenOver && { ...deal.takenOver, contract: contractOf(deal.takenOver.contract, game) },
      play: deal.contract ? deal.play : [], answered: () => article.classList.remove("asked") };
    const open = playable(article, oracle, hand, deal.number);
    opens.set(String(deal.number), (params) => follow(hand, params, open));
  });
  return (params) => {
    const number = params.get("deal");
    if (number === null) return;
    if (!opens.has(number)) throw new Error(`there is no deal ${number} to play on this page`);
    opens.get(number)(params);
  };
}

function withoutDeals(game, oracle) {
  const place = make("div");
  let board = null, contract = null;
  const sent = () => history.replaceState(null, "", address(board,
    { hands: dealText(game, board.deal.hands), dealer: board.deal.dealer,
      ...(board.deal.currentTrump ? { turned: board.deal.currentTrump } : {}) }));
  const made = (deal, params = null) => {
    if (!deal) {
      contract = board?.contract ?? contract;
      board = null;
      place.replaceChildren();
      return;
    }
    contract = board?.contract ?? contract;
    const found = (contract && resolved(game, deal, contract)) ?? anyContract(game, deal);
    if (!found) return;
    const hand = { game, deal, contract: found, play: [] };
    board = new Board(oracle, hand, { moved: sent, title: "Play" });
    board.side.append(copying(board));
    place.replaceChildren(board.root);
    const open = (where) => where ? board.choose(where.contract, where.moves, where.at) : board.show();
    if (params) follow(hand, params, open);
    else open(null);
  };
  const making = new Making(game, made);
  document.querySelector("main").append(making.root, place);
  return (params) => {
    if (params.has("hands")) making.restore(params);
  };
}

function start() {
  const source = document.currentScript.textContent;
  const data = JSON.parse(document.getElementById("spadille-data").textContent);
  const module = document.getElementById("spadille-engine").textContent;
  const oracle = new Oracle(source, module);
  const [game] = data.deals.length ? [] : Object.values(data.games);
  document.body.classList.add("live");
  const visit = game ? withoutDeals(game, oracle) : withDeals(data, oracle);
  const fault = make("p", { class: "said link-fault", role: "alert" });
  document.querySelector("main").prepend(fault);
  const go = () => {
    fault.textContent = "";
    try {
      visit(new URLSearchParams(location.hash.slice(1)));
    } catch (error) {
      fault.textContent = `This link is not valid: ${error.message.replace(/\.?$/, ".")}`;
    }
  };
  addEventListener("hashchange", go);
  go();
}

if (typeof document === "undefined") work(self);
else start();
