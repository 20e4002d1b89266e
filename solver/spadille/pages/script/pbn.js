// Deals and hands as hand files write them (PBN).
import { contractType, SUITS } from "./hand.js";

// Who calls nobody.
export const NOBODY = "-";

// "AK.Q..T9" as cards.
function handOfText(text) {
  if (text === "-") return [];
  if (text.split(".").length > SUITS.length) throw new Error(`${text} has more than four suits.`);
  return text.split(".").flatMap((ranks, i) => [...ranks.toUpperCase()].map((rank) => SUITS[i] + rank));
}

const handText = (game, cards) => [...SUITS].map((suit) =>
  game.deck.filter((card) => card[0] === suit && cards.includes(card)).map((card) => card[1]).join("")).join(".");

// Hands by seat from a tag Deal or its value; throws what is wrong with it.
export function readDeal(game, text) {
  const value = /\[Deal\s+"([^"]*)"\]/.exec(text)?.[1] ?? text.trim().replaceAll('"', "");
  const [, first, rest] = /^(\w):(.*)$/s.exec(value) ?? [];
  const start = game.seats.indexOf(first?.toUpperCase());
  if (start < 0) throw new Error(`A deal begins with a seat, one of ${game.seats.join(" ")}, and a colon.`);
  const texts = rest.trim().split(/\s+/);
  if (texts.length !== game.seats.length) throw new Error(`There are ${texts.length} hands, not ${game.seats.length}.`);
  const hands = Object.fromEntries(game.seats.map((seat, i) =>
    [seat, handOfText(texts[(i - start + game.seats.length) % game.seats.length])]));
  const seen = new Set();
  for (const card of Object.values(hands).flat()) {
    if (!game.deck.includes(card)) throw new Error(`${card} is not in the pack of ${game.name}.`);
    if (seen.has(card)) throw new Error(`${card} is held twice.`);
    seen.add(card);
  }
  const long = game.seats.find((seat) => hands[seat].length > game.size);
  if (long) throw new Error(`Seat ${long} holds ${hands[long].length} cards, not ${game.size}.`);
  return hands;
}

export const dealText = (game, hands) =>
  `${game.seats[0]}:${game.seats.map((seat) => handText(game, hands[seat])).join(" ")}`;

// A position as a hand file: the deal, its contract, and the play up to here.
export function writeHand({ game, deal, contract, state, playing = contract, takenOver }) {
  const leader = state.tricks[0]?.cards[0]?.seat ?? state.table[0]?.seat;
  const surrender = playing === contract ? "" : `[Surrender "${takenOver.surrender}"]\n`;
  return writeFile(game, deal, contract, state.moves) + surrender
    + writePlay(game, leader, state.tricks, state.table);
}

function writeFile(game, deal, contract, moves) {
  const tags = [["Game", game.id]];
  if (game.rules) tags.push(["Rules", game.rules]);
  if (deal.leader) tags.push(["Leader", deal.leader]);
  else tags.push(["Dealer", deal.dealer]);
  tags.push(["Deal", dealText(game, deal.hands)]);
  if (deal.currentTrump) tags.push(["CurrentTrump", deal.currentTrump]);
  const won = game.seats.filter((seat) => deal.won?.[seat]);
  if (won.length) tags.push(["Won", won.map((seat) => `${seat}:${deal.won[seat]}`).join(";")]);
  const named = moves.find((move) => move.startsWith("="))?.slice(1);
  tags.push(["Declarer", (contract.penalty ? contract.declarers.slice(0, 1) : contract.declarers).join(" ")]);
  tags.push(["Contract", [...new Set(contract.penalty ? contract.ids : [])].join() || contract.ids.join(" ")]);
  const trump = contract.trump ?? named;
  if (trump) tags.push(["Trump", trump]);
  // A card that was called before an end position may have been played: then the partner is told.
  if (contract.called) tags.push(["Called", contract.called]);
  else if (!deal.leader && contractType(game, contract.ids[0]).side === "called") tags.push(["Called", NOBODY]);
  if (contract.partner && (deal.leader || !contract.called)) tags.push(["Partner", contract.partner]);
  if (contract.penalty) tags.push(["Penalty", contract.penalty]);
  if (deal.trumpBy && isRecorded(deal, contract)) tags.push(["TrumpBy", deal.trumpBy]);
  return tags.map(([name, value]) => `[${name} "${value}"]\n`).join("");
}

// Whether a contract with one declarer is the one that was played.
const isRecorded = ({ contract: recorded }, { declarers, ids, trump, called }) =>
  [declarers[0], ids[0], trump, called].join()
    === [recorded.declarer, recorded.contract, recorded.trump, recorded.called].join();

// The section of the play: columns are the seats in order of play from the first leader.
function writePlay(game, leader, tricks, table) {
  if (!tricks.length && !table.length) return "";
  const start = game.order.indexOf(leader);
  const columns = game.order.map((_, i) => game.order[(start + i) % game.order.length]);
  const rows = [...tricks.map(({ cards }) => cards), table].filter((cards) => cards.length)
    .map((cards) => columns.map((seat) => cards.find((one) => one.seat === seat)?.card ?? "-").join(" "));
  return `[Play "${leader}"]\n${rows.join("\n")}\n*\n`;
}
