// Links that contain a position. A link is untrusted input, so it is checked.
import { dealText } from "./pbn.js";
import { allowed } from "./allowed_contracts.js";

// The parameters of a link in a text; null if there is none.
export const linkIn = (text) => /#\S*\bhands=\S+/.test(text) ? new URLSearchParams(text.trim().slice(text.trim().indexOf("#") + 1)) : null;

// Encodes a line of play: the deal (`more`), the contract if it is not the recorded
// one, the cards, the current place, and the seat of a reader who sees no other hand.
export function address(board, more) {
  const { contract, moves, at, play, live, pupil } = board;
  const parameters = new URLSearchParams(more);
  const same = moves.length === play.length && moves.every((move, i) => move === play[i]);
  if (!same) parameters.set("play", moves.join(""));
  parameters.set("at", at);
  if (live) parameters.set("seat", pupil);
  const { declarers, ids, trump, called, partner, penalty } = contract;
  if (JSON.stringify(contract) !== JSON.stringify(board.recorded) || more.hands)
    parameters.set("contract", [declarers.join("+"), ids.join("+"), trump, called, partner, penalty]
      .map((part) => part ?? "").join(","));
  return `#${parameters}`;
}

// A link that contains the deal itself and opens on any page; null if the deal begins after some tricks.
export function linkOf(board) {
  const { game, deal } = board;
  if (deal.won && Object.values(deal.won).some((won) => won)) return null;
  const dealer = deal.leader ? game.order.at(game.order.indexOf(deal.leader) - 1) : deal.dealer;
  const tags = { game: game.id, hands: dealText(game, deal.hands), dealer };
  if (game.rules) tags.rules = game.rules;
  if (deal.currentTrump) tags.turned = deal.currentTrump;
  return location.href.split("#")[0] + address({ ...board, play: [], contract: board.contract, moves: board.moves, at: board.at }, tags);
}

// The contract, cards, place and seat in a link to a hand with recorded play; throws if they are
// invalid. The engine checks whether the cards can be played in this order.
export function located({ game, deal, contract: recorded, play }, params) {
  const text = params.get("contract");
  const contract = text === null ? recorded : contractOfLink(game, deal, text);
  const moves = params.has("play") ? movesOfLink(game, params.get("play")) : [...play];
  const at = Number(params.get("at") || 0);
  if (!Number.isInteger(at) || at < 0 || at > moves.length)
    throw new Error(`at=${params.get("at")} is not a number of cards from 0 to ${moves.length}`);
  const seat = params.get("seat");
  if (seat !== null && !game.seats.includes(seat)) throw new Error(`seat=${seat} is not one of ${game.seats.join(" ")}`);
  return { contract, moves, at, seat };
}

function contractOfLink(game, deal, text) {
  const [by, ids = "", ...rest] = text.split(",");
  const [trump, called, partner, penalty] = rest.map((part) => part || null);
  const contract = { declarers: by.split("+"), ids: ids.split("+"), trump: trump ?? null,
    called: called ?? null, partner: partner ?? null, penalty: penalty ?? null };
  if (rest.length <= 4 && allowed(game, deal, contract)) return contract;
  throw new Error(`contract=${text} is not a contract that this deal allows`);
}

function movesOfLink(game, text) {
  const moves = text.match(/=NT|../gs) ?? [];
  const suits = Object.keys(game.suits).map((trump) => `=${trump}`);
  if (moves.join("") !== text || !moves.every((move) => game.deck.includes(move) || suits.includes(move)))
    throw new Error(`play=${text} is not a list of cards of ${game.name}, such as ${game.deck.slice(0, 2).join("")}`);
  return moves;
}
