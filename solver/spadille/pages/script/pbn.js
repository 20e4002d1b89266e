// Reads and writes deals and hands in the notation of hand files (PBN).
import { contractType, SUITS } from "./hand_encoding.js";
import { cardName, many, seatName } from "./words.js";

// The called card of a declarer who calls nobody.
export const NOBODY = "-";

// Suits and ranks as people write them.
const SIGNS = { "♠": "S", "♤": "S", "♥": "H", "♡": "H", "♦": "D", "♢": "D", "♣": "C", "♧": "C" };
const ranksOf = (text, letters) => [...text.toUpperCase().replace(/10/g, "T").replace(/[\s,-]/g, "")]
  .map((rank) => letters[rank] ?? rank);

const AS_CARDS = /(^|[\s,])[SHDC](10|[2-9TJQKA])([\s,]|$)/i;
const wordsOf = (text) => text.split(/[\s,]+/).filter(Boolean);
const asCard = (word) => word.toUpperCase().replace("10", "T");

// Parses "AK.Q..T9", "♠AK ♥Q ♣10 9", "A♠ K♠ Q♥" or "SA SK HQ"; `letters` are the rank and suit letters of a language.
function handOfText(text, letters) {
  if (/[♠♤♥♡♦♢♣♧]/.test(text)) {
    const suits = /^[♠♤♥♡♦♢♣♧]/.test(text) ? /(?<sign>[♠♤♥♡♦♢♣♧])(?<ranks>[^♠♤♥♡♦♢♣♧]*)/g : /(?<ranks>[^♠♤♥♡♦♢♣♧]*)(?<sign>[♠♤♥♡♦♢♣♧])/g;
    return [...text.matchAll(suits)].flatMap(({ groups: { sign, ranks } }) =>
      ranksOf(ranks, letters).map((rank) => SIGNS[sign] + rank));
  }
  // If one word is a card, all words are cards, or faults.
  if (AS_CARDS.test(text)) return wordsOf(text).map(asCard);
  if (text === "-") return [];
  if (text.split(".").length > SUITS.length) throw new Error(`${text} has more than four suits.`);
  return text.split(".").flatMap((ranks, i) => ranksOf(ranks, letters).map((rank) => SUITS[i] + rank));
}

// The error for a word that is not a card in these letters, but may be one in those of another language.
const unknownCard = (message) => Object.assign(new Error(message), { isUnknownCard: true });

// Throws if there are too many hands or, if all are needed, too few.
function count({ seats }, { length }, all = false) {
  if (all ? length !== seats.length : length > seats.length)
    throw new Error(`There ${length === 1 ? "is" : "are"} ${many(length, "hand")}, not ${seats.length}.`);
}

// Parses one hand per line, in the order of the seats or each preceded by its seat.
function handsOfLines(game, lines, letters) {
  count(game, lines);
  const names = game.seats.flatMap((seat) => [seat, seatName(seat)]).join("|");
  const hands = Object.fromEntries(game.seats.map((seat) => [seat, []]));
  lines.forEach((line, i) => {
    const [, name, hand] = new RegExp(`^\\s*(${names})\\s*[:)]\\s*(.*)$`, "is").exec(line) ?? [null, null, line];
    const seat = game.seats.find((known) => [known, seatName(known)].some((written) => written.toUpperCase() === name?.toUpperCase()));
    const cards = handOfText(hand.trim(), letters), wrong = cards.find((card) => !game.deck.includes(card));
    const words = wordsOf(hand), word = wrong && (words.find((part) => asCard(part) === wrong) ?? words.find((part) => asCard(part).includes(wrong[1])));
    if (word) throw unknownCard(`Line ${i + 1}: "${word}" is not a card of ${game.name}.`);
    hands[seat ?? game.seats[i]] = cards;
  });
  return hands;
}

const handText = (game, cards) => [...SUITS].map((suit) =>
  game.deck.filter((card) => card[0] === suit && cards.includes(card)).map((card) => card[1]).join("")).join(".");

// Hands by seat from a Deal tag or its value, or from one hand per line. The letters may be English
// or those of another language. If some card is unknown in all of them, throws the error for English
// letters. Phones write suits as emoji, with a mark after each symbol.
export function readDeal(game, text) {
  const value = (/\[Deal\s+"([^"]*)"\]/.exec(text)?.[1] ?? text).trim().replace(/["\uFE0E\uFE0F]/g, "");
  const lines = value.split("\n").filter((line) => line.trim());
  const inLines = lines.length > 1 || !/^\w:/.test(value) && (AS_CARDS.test(value) || /[♠♤♥♡♦♢♣♧]/.test(value));
  let fault = null;
  for (const letters of [{}, ...game.letters])
    try {
      return checked(game, inLines ? handsOfLines(game, lines, letters) : handsOfValue(game, value, letters));
    } catch (error) {
      if (!error.isUnknownCard) throw error;
      fault ??= error;
    }
  throw fault;
}

function checked(game, hands) {
  const seen = new Set();
  for (const card of Object.values(hands).flat()) {
    if (!game.deck.includes(card)) throw unknownCard(`${card} is not in the pack of ${game.name}.`);
    if (seen.has(card)) throw new Error(`${card} is held twice.`);
    seen.add(card);
  }
  const long = game.seats.find((seat) => hands[seat].length > game.size);
  if (long) throw new Error(`${seatName(long)} holds ${hands[long].length} cards, not ${game.size}.`);
  return hands;
}

function handsOfValue(game, value, letters) {
  const [, first, rest] = /^(\w):(.*)$/s.exec(value) ?? [];
  const start = game.seats.indexOf(first?.toUpperCase());
  if (start < 0) throw Object.assign(new Error(`A deal begins with a seat, one of ${game.seats.join(" ")}, and a colon.`), { isNoDeal: true });
  const texts = rest.trim().split(/\s+/);
  count(game, texts, true);
  return Object.fromEntries(game.seats.map((seat, i) =>
    [seat, handOfText(texts[(i - start + game.seats.length) % game.seats.length], letters)]));
}

// The cards of each seat in a tag such as Discard: "1:SA H2;2:C3".
const cardsBySeat = (text) => new Map((text ?? "").split(";").filter(Boolean).map((part) => {
  const [seat, cards = ""] = part.trim().split(":");
  return [seat, cards.split(/\s+/).filter(Boolean)];
}));

// The hands after the exchange recorded in the Drawn and Discard tags. A seat without Drawn takes as many
// cards from the top of the talon as it discards (Deal.playing_hands in Python). Throws if the tags do not
// fit.
export function exchanged(game, hands, tags) {
  const drawn = cardsBySeat(tags.Drawn), discard = cardsBySeat(tags.Discard);
  const dealt = Object.values(hands).flat();
  const talon = (tags.Talon ?? "").split(/\s+/).filter(Boolean);
  const pile = talon.length ? talon : game.deck.filter((card) => !dealt.includes(card));
  const played = { ...hands };
  const take = (cards, card, seat, where) => {
    if (!cards.includes(card)) throw new Error(`the ${cardName(card)}, which ${seatName(seat)} exchanges, is not in ${where}`);
    cards.splice(cards.indexOf(card), 1);
  };
  for (const seat of new Set([...drawn.keys(), ...discard.keys()])) {
    const away = discard.get(seat) ?? [];
    if (!drawn.has(seat) && !talon.length && away.length !== pile.length)
      throw new Error("the cards drawn are unknown: the file needs Drawn or Talon");
    const taken = drawn.get(seat) ?? pile.slice(0, away.length);
    const hand = [...played[seat] ?? [], ...taken];
    for (const card of taken) take(pile, card, seat, "the talon");
    for (const card of away) take(hand, card, seat, "the hand");
    if (hand.length !== game.size) throw new Error(`${seatName(seat)} has ${hand.length} cards after it, not ${game.size}`);
    if (game.passesOn) pile.push(...away);
    played[seat] = game.deck.filter((card) => hand.includes(card));
  }
  return played;
}

// The deals of a hand file: their tags, and the lines of each section after its tag.
export function readFile(text) {
  const games = [];
  let section = null;
  for (const line of text.replace(/\{[^}]*\}/g, " ").split(/\r?\n/)) {
    const [, name, value] = /^\s*\[(\w+)\s+"([^"]*)"\]/.exec(line) ?? [];
    if (name) {
      if (!games.length || name in games.at(-1).tags) games.push({ tags: {}, sections: {} });
      games.at(-1).tags[name] = value === "#" ? games.at(-2)?.tags[name] ?? "" : value;
      section = games.at(-1).sections[name] = [];
    } else if (section && line.trim() && !/^\s*[%;]/.test(line)) section.push(line.trim());
  }
  return games.filter(({ tags }) => tags.Deal);
}

// The tag with a player's name.
export const nameTag = (seat) => seatName(seat).replace(" ", "");

// The tricks of a Play section, each with the card of every seat.
export function tricksOf(game, { tags, sections }) {
  const start = game.order.indexOf(tags.Play);
  if (start < 0) return [];
  return sections.Play.map((line) => line.split(/\s+/)).filter(([first]) => first !== "*").map((cells) =>
    Object.fromEntries(cells.slice(0, game.order.length).flatMap((cell, i) => {
      const [card] = /^[SHDC][2-9TJQKA]/.exec(cell) ?? [];
      return card ? [[game.order[(start + i) % game.order.length], card]] : [];
    })));
}

// The contract in the tags of a hand file; null if the page cannot read it.
export function contractOfTags(game, tags) {
  const kind = (text) => game.contracts.find(({ id, name }) => [id, name].some((word) => word.toLowerCase() === text.toLowerCase()));
  const own = (value) => value && value !== NOBODY ? value : null;
  const ids = kind(tags.Contract ?? "") ? [kind(tags.Contract).id] : (tags.Contract ?? "").split(" ").map((word) => kind(word)?.id);
  const declarers = (tags.Declarer ?? "").split(" ");
  if (!declarers[0] || ids.some((id) => !id)) return null;
  return { ids: ids.length < declarers.length ? declarers.map(() => ids[0]) : ids, declarers, trump: own(tags.Trump),
    called: tags.Called ?? null, partner: own(tags.Partner), penalty: own(tags.Penalty) };
}

export const dealText = (game, hands) =>
  `${game.seats[0]}:${game.seats.map((seat) => handText(game, hands[seat])).join(" ")}`;

// Writes a position as a hand file: the deal, its contract, and the play so far.
export function writeHand({ game, deal, contract, state, playing = contract, takenOver, names = {}, rest = [], others = [] }) {
  const leader = state.tricks[0]?.cards[0]?.seat ?? state.table[0]?.seat;
  const surrender = playing === contract ? "" : `[Surrender "${takenOver.surrender}"]\n`;
  const players = game.seats.filter((seat) => names?.[seat]).map((seat) => `[${nameTag(seat)} "${names[seat].replace(/["\\]/g, "'")}"]\n`);
  const goesOn = rest.length ? [`{This line goes on: ${rest.join(" ")}}\n`] : [];
  const lines = others.map(({ moves, from }) => `{Another line, from card ${from + 1}: ${moves.slice(from).join(" ")}}\n`);
  return writeFile(game, deal, contract, state.moves) + players.join("") + surrender
    + writePlay(game, leader, state.tricks, state.table) + [...goesOn, ...lines].join("");
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
  // The called card may have been played before an end position, so the partner is written, too.
  if (contract.called) tags.push(["Called", contract.called]);
  else if (!deal.leader && contractType(game, contract.ids[0]).side === "called") tags.push(["Called", NOBODY]);
  if (contract.partner && (deal.leader || !contract.called)) tags.push(["Partner", contract.partner]);
  if (contract.penalty) tags.push(["Penalty", contract.penalty]);
  if (deal.trumpBy && isRecorded(deal, contract)) tags.push(["TrumpBy", deal.trumpBy]);
  return tags.map(([name, value]) => `[${name} "${value}"]\n`).join("");
}

// Whether a contract with one declarer is the recorded one.
const isRecorded = ({ contract: recorded }, { declarers, ids, trump, called }) =>
  [declarers[0], ids[0], trump, called].join()
    === [recorded.declarer, recorded.contract, recorded.trump, recorded.called].join();

// The Play section: its columns are the seats in order of play from the first leader.
function writePlay(game, leader, tricks, table) {
  if (!tricks.length && !table.length) return "";
  const start = game.order.indexOf(leader);
  const columns = game.order.map((_, i) => game.order[(start + i) % game.order.length]);
  const rows = [...tricks.map(({ cards }) => cards), table].filter((cards) => cards.length)
    .map((cards) => columns.map((seat) => cards.find((move) => move.seat === seat)?.card ?? "-").join(" "));
  return `[Play "${leader}"]\n${rows.join("\n")}\n*\n`;
}
