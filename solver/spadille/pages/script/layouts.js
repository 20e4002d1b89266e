// A seat's knowledge of the hidden cards, and random layouts based on it.
//
// Python works out the knowledge before the first card (starting_knowledge_data.py). Inferences from the play come from
// the engine, card by card: this script contains no game rules.
import { Course } from "./course_of_play.js";
import { contractType, handOf, setOf } from "./hand_encoding.js";

const TRIES = 200;
// The number of layouts drawn to find the greatest likelihood of the calls, and the maximum number drawn to
// find a layout.
const PILOT = 200, BELIEVING_TRIES = 2000;

// Returns a generator of random numbers from 0 to 1, from a seed (Mulberry32).
export function numbers(seed) {
  let state = seed >>> 0;
  return () => {
    state = state + 0x6D2B79F5 | 0;
    let mixed = Math.imul(state ^ state >>> 15, 1 | state);
    mixed = mixed + Math.imul(mixed ^ mixed >>> 7, 61 | mixed) ^ mixed;
    return ((mixed ^ mixed >>> 14) >>> 0) / 4294967296;
  };
}

// The seats whose hands are face up: the declarer in some contracts, after a number of tricks.
export function exposed(game, contract, { hands }) {
  const { exposedAfter } = contractType(game, contract.ids[0]);
  const tricks = game.size - Math.max(...Object.values(hands).map((hand) => hand.length));
  return exposedAfter && tricks >= exposedAfter ? [contract.declarers[0]] : [];
}

// Whether the declaring side went on for all tricks after winning the first run, which is public
// knowledge; null if it has not had the choice.
function goneOn(game, contract, { tricks, table, goesOn }) {
  const kind = contractType(game, contract.ids[0]);
  const run = kind.goesOn ? kind.inARow.goesOn.indexOf(true) : Infinity;
  return tricks.length > run || (tricks.length === run && table.length) ? goesOn : null;
}

// Whether the engine lets a player play `card` to a trick while holding `other`. The other hands do
// not matter, so they get arbitrary cards.
function allows(engine, hand, seatAt, table, leader, card, other) {
  const { problem } = hand;
  const spare = [...hand.code.card.values()].filter((spared) => ![...table, card, other].includes(spared));
  const hands = Array.from({ length: problem.players }, (_, player) => {
    if (player === seatAt) return [card, other];
    const place = (player - leader + problem.players) % problem.players;
    return spare.splice(0, place < table.length ? 1 : 2);
  }).map((cards) => cards.reduce((set, number) => set | 1n << BigInt(number), 0n));
  const every = hands.reduce((all, set) => all | set, 0n);
  engine.begin({
    problem: { ...problem, hands, trick: table, leader, called: problem.called & every },
    namer: -1, trumps: [], objectives: [],
  });
  return engine.refusal(card) === 0;
}

export class LayoutSampler {
  // `view` is the knowledge of `seat` before the first card. Only public facts of the position `state` and the
  // seat's own hand are used. `belief` is what the seat concludes from the calls, if anything.
  constructor({ state, belief, ...known }) {
    Object.assign(this, known);
    const { game, contract, seat, view } = this;
    this.moves = state.moves;
    this.goesOn = goneOn(game, contract, state);
    this.hands = new Map();
    const tricks = [...state.tricks.map(({ cards }) => cards), state.table];
    const played = tricks.flat();
    const gone = new Set(played.map(({ card }) => card));
    this.played = Object.fromEntries(game.seats.map((player) =>
      [player, played.filter((move) => move.seat === player).map(({ card }) => card)]));
    this.open = { [seat]: state.hands[seat] };
    for (const player of exposed(game, contract, state)) this.open[player] = state.hands[player];
    const shown = new Set(Object.values(this.open).flat());
    this.unseen = view.unseen.filter((card) => !gone.has(card) && !shown.has(card));
    this.room = Object.fromEntries(Object.entries(view.sizes).filter(([place]) => !this.open[place])
      .map(([place, size]) => [place, size - (this.played[place]?.length ?? 0)]));
    this.places = Object.keys(this.room);
    this.never = Object.fromEntries(this.places.map((place) => [place, new Set(view.never[place])]));
    this.#learn(tricks);
    this.#classify();
    this.belief = belief;
    this.likeliest = 0;
    for (let i = 0; belief && i < PILOT; i += 1) this.#believes(this.#complete(this.#dealt() ?? {}));
    // If no drawn layout fits the calls, they are ignored.
    if (!this.likeliest) this.belief = null;
  }

  // A card that did not follow suit shows which cards its player did not hold.
  #learn(tricks) {
    const { game, engine } = this;
    const { code, problem } = handOf(game, this.deal, this.contract);
    const number = (card) => code.card.get(card);
    const { called } = this.contract;
    const owed = called && game.duty ? 1n << BigInt(number(called)) : 0n;
    const hand = { code, problem: { ...problem, called: owed } };
    for (const trick of tricks)
      trick.forEach(({ seat, card }, place) => {
        if (!this.room[seat]) return;
        const followed = code.suitOf(card) === code.suitOf(trick[0].card);
        const table = trick.slice(0, place).map((move) => number(move.card));
        const at = game.order.indexOf(seat), leader = game.order.indexOf(trick[0].seat);
        const others = followed ? this.unseen.filter((other) => owed && other === called) : this.unseen;
        for (const other of others)
          if (!this.never[seat].has(other) && !allows(engine, hand, at, table, leader, number(card), number(other)))
            this.never[seat].add(other);
      });
  }

  // Cards with the same possible places, and the same values in all sums, form a class; layouts are counted
  // class by class.
  #classify() {
    this.sums = this.view.sums.filter(({ seat }) => this.places.includes(seat));
    const classes = new Map();
    for (const card of this.unseen) {
      const may = this.places.map((place) => Number(!this.never[place].has(card)));
      const values = this.sums.map((sum) => sum.values[card] ?? 0);
      const key = `${may} ${values}`;
      if (!classes.has(key)) classes.set(key, { cards: [], may, values });
      classes.get(key).cards.push(card);
    }
    this.classes = [...classes.values()];
    this.counts = new Map();
    // The room in each place, and the sums over the cards already played.
    this.root = [
      this.places.map((place) => this.room[place]),
      this.sums.map(({ seat, values }) => (this.played[seat] ?? []).reduce((sum, card) => sum + (values[card] ?? 0), 0)),
    ];
  }

  // The number of layouts, each multiplied by the weights of its sums.
  get count() { return this.#ways(0, ...this.root); }

  // The number of ways in which the classes starting at `at` can fill the remaining room.
  #ways(at, room, totals) {
    if (at === this.classes.length)
      return this.sums.reduce((weight, sum, i) => weight * (sum.weights[totals[i]] ?? 0), 1);
    const key = `${at} ${room} ${totals}`;
    if (!this.counts.has(key))
      this.counts.set(key, this.#splits(at, room, totals).reduce((sum, [ways]) => sum + ways, 0));
    return this.counts.get(key);
  }

  // The possible numbers of cards of a class in each place, with the number of layouts.
  #splits(at, room, totals) {
    const { cards, may, values } = this.classes[at];
    const splits = [];
    const divide = (place, left, takes, ways) => {
      if (place === room.length) {
        if (left) return;
        const rest = room.map((free, i) => free - takes[i]);
        const after = totals.map((total, i) => total + values[i] * takes[this.places.indexOf(this.sums[i].seat)]);
        const all = ways * this.#ways(at + 1, rest, after);
        if (all) splits.push([all, takes, rest, after]);
        return;
      }
      const most = may[place] ? Math.min(left, room[place]) : 0;
      let choose = 1;
      for (let take = 0; take <= most; take += 1) {
        divide(place + 1, left - take, [...takes, take], ways * choose);
        choose = choose * (left - take) / (take + 1);
      }
    };
    divide(0, cards.length, [], 1);
    return splits;
  }

  // The hands at the start of play in a random possible layout, with its contract; null if no layout
  // was found.
  draw() {
    const most = this.belief ? BELIEVING_TRIES : TRIES;
    for (let tries = 0; tries < most; tries += 1) {
      const dealt = this.#dealt();
      if (!dealt) return null;
      const layout = this.#complete(dealt);
      if (this.#believes(layout) && this.#accepted(layout)) return layout;
    }
    return null;
  }

  #dealt() {
    let [room, totals] = this.root;
    const hands = Object.fromEntries(this.places.map((place) => [place, []]));
    for (let at = 0; at < this.classes.length; at += 1) {
      const splits = this.#splits(at, room, totals);
      let rest = this.random() * splits.reduce((sum, [ways]) => sum + ways, 0);
      const split = splits.find(([ways]) => (rest -= ways) < 0) ?? splits.at(-1);
      if (!split) return null;
      const cards = [...this.classes[at].cards];
      split[1].forEach((take, place) => {
        for (let i = 0; i < take; i += 1)
          hands[this.places[place]].push(...cards.splice(Math.floor(this.random() * cards.length), 1));
      });
      [, , room, totals] = split;
    }
    return hands;
  }

  #complete(dealt) {
    const hands = Object.fromEntries(this.game.seats.map((seat) =>
      [seat, [...this.played[seat], ...this.open[seat] ?? dealt[seat]]]));
    const { view, contract } = this;
    const holder = this.game.seats.find((seat) => hands[seat].includes(contract.called)) ?? null;
    const partner = view.partnerOpen ? holder : view.partner;
    return { deal: { ...this.deal, hands }, contract: { ...contract, partner } };
  }

  // Accepts a layout with a probability proportional to the likelihood of the calls.
  #believes({ deal }) {
    if (!this.belief) return true;
    const wanted = this.random() * this.likeliest;
    const likelihood = this.belief.likelihood(deal.hands, wanted);
    this.likeliest = Math.max(this.likeliest, likelihood);
    return likelihood > wanted;
  }

  // Whether the recorded moves, and the choice to go on, are possible in a layout.
  #accepted({ deal, contract }) {
    const { game } = this;
    // Layouts with the same partner differ only in their cards.
    const same = this.hands.get(contract.partner) ?? handOf(game, deal, contract);
    this.hands.set(contract.partner, same);
    const held = game.order.map((seat) => setOf(deal.hands[seat].map((card) => same.code.card.get(card))));
    // Surrenders are left out, because their payoffs are slow to set up.
    const asked = 1 + Math.max(...same.contractors.flatMap(({ main, coarse = 0, rest = 0 }) => [main, coarse, rest]));
    const hand = { ...same, problem: { ...same.problem, hands: held }, objectives: same.objectives.slice(0, asked), surrender: null };
    this.course = new Course(this.engine, game, deal, contract, hand);
    if (this.course.go(this.moves) !== this.moves.length) return false;
    return this.goesOn === null || this.course.goesOn === this.goesOn;
  }
}
