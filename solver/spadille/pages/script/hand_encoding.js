// Encodes a deal and a contract for the engine, like spadille.search; the tables of a game
// come from Python (game_tables.py).
//
// A card's number is 16 times its lane plus its rank in that lane; players are numbered in order of play. A
// lane is an effective suit, and trumps have the last lane.

import { surrenderOf } from "./surrender_questions.js";

export const SUITS = "SHDC";

export const setOf = (numbers) => numbers.reduce((set, number) => set | 1n << BigInt(number), 0n);

// The indices of the cards and suits with one trump suit; null means that the trump is still open.
export function encode(game, trump) {
  const { lanes, numbers, trump: trumpLane, privileged, matadors } = game.suits[trump ?? ""];
  const card = new Map(Object.entries(numbers));
  const suitOf = (name) => lanes[numbers[name] >> 4];
  return {
    card,
    name: new Map([...card].map(([name, number]) => [number, name])),
    lane: (suit) => lanes.indexOf(suit),
    suit: (lane) => lanes[lane] ?? null,
    suitOf,
    trumpLane, privileged, matadors,
    trumps: trumpLane < 0 ? [] : Object.keys(numbers).filter((name) => numbers[name] >> 4 === trumpLane),
  };
}

export const contractType = (game, id) => game.contracts.find((kind) => kind.id === id);

// The trumps in which a contract may be played on a deal.
export function allowedTrumps(game, deal, kind) {
  return deal.trumps?.[kind.id] ?? kind.trumps[deal.currentTrump ?? ""];
}

// The cards that a declarer may call: those of the first tier with a callable card.
export function callable(game, kind, trump, hand) {
  const held = hand.map(encode(game, trump).suitOf);
  const may = ([card, suit]) => !hand.includes(card) && (!suit || held.includes(suit));
  const tier = kind.calls[trump].map((cards) => cards.filter(may)).find((cards) => cards.length) ?? [];
  return tier.map(([card]) => card);
}

// The states of a payoff automaton for each number of tricks played; states are numbered as in Python (the first
// player's `Payoff` in search/payoff_automata.py): `own` is counted first, then the others.
function automaton({ raises, most }, players, tricks, own) {
  const numbers = Array.from({ length: tricks + 1 }, () => new Map());
  const states = Array.from({ length: tricks + 1 }, () => []);
  const number = (depth, state) => {
    const key = state.join();
    if (!numbers[depth].has(key)) numbers[depth].set(key, states[depth].push(state) - 1);
    return numbers[depth].get(key);
  };
  const raised = (state, count) =>
    count < 0 || state[count] === most[count] ? state : state.with(count, state[count] + 1);
  number(0, most.map(() => 0));
  const order = [own, ...Array.from({ length: players }, (_, player) => player).filter((player) => player !== own)];
  const levels = Array.from({ length: tricks }, (_, depth) => states[depth].flatMap((state) => {
    const row = [];
    order.forEach((winner, place) => raises[place].forEach((count, marked) => {
      row[2 * winner + marked] = number(depth + 1, raised(state, count));
    }));
    return row;
  }));
  return { states, levels: [...levels, []], at: (depth, state) => numbers[depth].get(state.join()) };
}

// The objective of a player whose contract pays by more than its tricks. `own` is the player's number,
// `before` the number of tricks played, and `marked` the cards of the penalty suit.
function payoffOf({ game, deal, contract }, { kind, own, tricks, before, marked }) {
  const table = game.payoffs[kind.id];
  const { guess, finals, count, terms, grades, names } = table.ends[before + tricks - 1];
  const { states, levels, at } = automaton(table, game.order.length, before + tricks, own);
  const begun = deal.starts?.[kind.id][game.order[own]][contract.penalty ?? ""] ?? states[0][0];
  if (typeof begun === "string") throw new Error(begun);
  const left = (all) => all.slice(before).reverse();
  return {
    side: 1 << own, credited: 1 << own, start: at(before, begun), guess, levels: left(levels), marked,
    worth: [...finals].map((digit) => parseInt(digit, 36)), values: count, grades, terms,
    named: Array.from({ length: count }, (_, value) => names[grades.findLastIndex((grade) => grade <= value)]),
    counts: terms.length ? left(states) : [],
  };
}

// A contract as in JSON (docs/json.md), with a list of declarers.
export function contractOf(fields, game) {
  const declarers = [fields.declarer].flat();
  const words = fields.contract.split(" ");
  const ids = words.length < declarers.length ? declarers.map(() => words[0]) : words;
  return { ...fields, declarers, ids };
}

// Everything that the engine needs for a hand, and the meaning of its answers.
//
// `deal` has the current hands by seat, the dealer or, in an end position, the leader and the
// tricks that each seat has won; `contract` comes from `contractOf`.
export function handOf(game, deal, contract) {
  const { order } = game;
  const player = (seat) => order.indexOf(seat);
  const code = encode(game, contract.trump);
  const kinds = contract.ids.map((id) => contractType(game, id));
  const [kind] = kinds;
  const held = order.map((seat) => deal.hands[seat].map((card) => code.card.get(card)));
  const tricks = held[0].length;
  const won = order.map((seat) => deal.won?.[seat] ?? 0);
  const before = won.reduce((sum, tricks) => sum + tricks, 0);
  const leader = deal.leader ?? (kind.leader === "declarer" ? contract.declarers[0]
    : order[(player(deal.dealer) + 1) % order.length]);
  const all = (1 << order.length) - 1;
  const called = contract.called && game.duty ? [code.card.get(contract.called)] : [];
  const open = contract.trump === null;
  const side = [...contract.declarers, contract.partner].filter((seat) => seat != null)
    .reduce((set, seat) => set | 1 << player(seat), 0);
  const objectives = [];
  const add = (objective) => objectives.push(objective) - 1;

  const contractors = contract.declarers.map((seat, number) => {
    const own = player(seat);
    const type = kinds[number];
    const contractor = { seat, kind: type, target: type.target };
    if (type.aim === "misere") {
      const tally = { side: 1 << own, credited: all ^ 1 << own, start: -won[own] - tricks, guess: 0 };
      return { ...contractor, main: add(tally), coarse: add({ ...tally, madeOrNot: true }) };
    }
    if (type.aim !== "tricks") {
      const marked = contract.penalty ? 0xFFFFn << BigInt(16 * code.lane(contract.penalty)) : 0n;
      const payoff = payoffOf({ game, deal, contract }, { kind: type, own, tricks, before, marked });
      return { ...contractor, main: add(payoff) };
    }
    const both = contract.declarers.length > 1 ? 1 << own : side;
    const sum = (set) => won.reduce((all, number, player) => all + (set >> player & 1 ? number : 0), 0);
    contractor.main = add({ side: both, credited: both, start: sum(both), guess: type.target });
    if (type.goesOn) {
      const runners = type.runAlone ? 1 << own : side;
      const guess = before + tricks;
      contractor.rest = add({ side, credited: runners, start: sum(runners), guess });
    }
    return contractor;
  });

  const surrender = surrenderOf(game, deal, contract, kind, { code, before, tricks }, add);
  const runners = kind.runAlone ? 1 << player(contract.declarers[0]) : side;
  const { inARow } = kind;
  const known = before === won.reduce((sum, number, player) => sum + (runners >> player & 1 ? number : 0), 0)
    && (!inARow?.all || before + tricks === game.size);
  return {
    code, contract, contractors, side, tricks, won,
    problem: {
      players: order.length, trump: code.trumpLane, leader: player(leader), following: game.following,
      matadors: setOf(code.privileged.map((card) => code.card.get(card))),
      hands: held.map(setOf), trick: [],
      called: setOf(called.filter((card) => held.some((hand) => hand.includes(card)))),
    },
    namer: open ? player(contract.declarers[0]) : -1,
    trumps: open ? allowedTrumps(game, deal, kind).map(code.lane) : [],
    objectives, surrender,
    // The number of tricks won in a row from the start; null if one was lost or the number is unknown.
    inARow, row: inARow && known ? before : null, runners,
  };
}
