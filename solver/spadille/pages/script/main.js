// Where it begins: in a page the hands become playable, in the worker the engine waits for them.
import { Board } from "./board.js";
import { Oracle } from "./client.js";
import { make, button } from "./dom.js";
import { contractOf } from "./hand.js";
import { Making } from "./making.js";
import { dealText, readDeal, writeFile, writePlay } from "./pbn.js";
import { anyContract, resolved } from "./terms.js";
import { work } from "./worker.js";

// A course of play in the address, so that it can be sent on: the deal, the contract where it is
// not the one that was played, the cards, and at which of them.
function address(board, more) {
  const { contract, moves, at, play } = board;
  const found = new URLSearchParams(more);
  const same = moves.length === play.length && moves.every((move, i) => move === play[i]);
  if (!same) found.set("play", moves.join(""));
  found.set("at", at);
  const { declarers, ids, trump, called, partner, penalty } = contract;
  if (JSON.stringify(contract) !== JSON.stringify(board.recorded) || more.hands)
    found.set("contract", [declarers.join("+"), ids.join("+"), trump, called, partner, penalty]
      .map((part) => part ?? "").join(","));
  return `#${found}`;
}

// What an address says of the contract and the play.
function located(params) {
  const parts = params.get("contract")?.split(",");
  const contract = parts && {
    declarers: parts[0].split("+"), ids: parts[1].split("+"), trump: parts[2] || null,
    called: parts[3] || null, partner: parts[4] || null, penalty: parts[5] || null,
  };
  const moves = params.get("play")?.match(/=NT|../g) ?? null;
  return { contract, moves, at: Number(params.get("at") ?? 0) };
}

// A hand file of what the board shows, to be copied.
function copying(board) {
  const text = make("textarea", { readonly: true, rows: 8, cols: 60, hidden: true, "aria-label": "The hand as PBN" });
  const copy = button("Copy as PBN", () => {
    const { game, deal, contract, state } = board;
    const leader = state.tricks[0]?.cards[0]?.seat ?? state.table[0]?.seat;
    text.value = writeFile(game, deal, contract, state.moves) + writePlay(game, leader, state.tricks, state.table);
    text.hidden = false;
    text.select();
    navigator.clipboard?.writeText(text.value).catch(() => {});
  });
  return [copy, text];
}

// What the list of deals hides at the top of the window, in pixels.
const CLEAR = 64;

// Makes a deal of the page playable, at the wish of the reader.
function playable(article, oracle, hand, number) {
  let board = null;
  const open = (where = null) => {
    if (!board) {
      board = new Board(oracle, hand, { title: `Play deal ${number} through`, moved: () =>
        history.replaceState(null, "", address(board, { deal: number })) });
      board.root.append(...copying(board));
      start.replaceWith(board.root);
      article.classList.add("played");
    }
    if (where) board.choose(where.contract ?? board.contract, where.moves ?? [...board.play], where.at);
    else board.show();
    // Opened by its address in a frame, it moves nothing but what is in the frame.
    if (self === top || document.hasFocus()) board.root.focus();
    else scrollBy(0, board.root.getBoundingClientRect().top - CLEAR);
  };
  const start = button(hand.quiz ? "Your card?" : "Play it through", () => {
    open(hand.quiz ? { at: hand.question } : null);
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
      play: deal.contract ? deal.play : [], answered: () => article.classList.remove("asked") };
    opens.set(deal.number, playable(article, oracle, hand, deal.number));
  });
  return (params) => {
    const open = opens.get(Number(params.get("deal")));
    if (open) open(located(params));
  };
}

function withoutDeals(game, oracle) {
  const place = make("div");
  let board = null, contract = null;
  const sent = () => history.replaceState(null, "", address(board,
    { hands: dealText(game, board.deal.hands), dealer: board.deal.dealer,
      ...(board.deal.currentTrump ? { turned: board.deal.currentTrump } : {}) }));
  const made = (deal, where = null) => {
    if (!deal) {
      contract = board?.contract ?? contract;
      board = null;
      place.replaceChildren();
      return;
    }
    contract = where?.contract ?? board?.contract ?? contract;
    const found = (contract && resolved(game, deal, contract)) ?? anyContract(game, deal);
    if (!found) return;
    board = new Board(oracle, { game, deal, contract: found, play: [] }, { moved: sent, title: "Play" });
    board.root.append(...copying(board));
    place.replaceChildren(board.root);
    if (where) board.choose(found, where.moves ?? [], where.at);
    else board.show();
  };
  const making = new Making(game, made);
  document.querySelector("main").append(making.root, place);
  return (params) => {
    if (!params.get("hands")) return;
    try {
      making.restore(readDeal(game, params.get("hands")), params.get("dealer"), params.get("turned"), located(params));
    } catch { /* An address that is none. */ }
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
  const go = () => visit(new URLSearchParams(location.hash.slice(1)));
  addEventListener("hashchange", go);
  go();
}

if (typeof document === "undefined") work(self);
else start();
