// Chooses the card that pays the most on average over random layouts, based on what a seat knows.
// Ranks cards like `spadille.Player`: by payoff, then by how often the seat's goal is reached with best
// play, then by how often it is reached if everybody plays by rules of thumb after the card, then by the
// tricks of both kinds of play. Rules of thumb choose among equal cards.
import { CallLikelihood } from "./call_likelihood.js";
import { Course } from "./course_of_play.js";
import { LayoutSampler, numbers } from "./layouts.js";
import { payoffsOf } from "./payoffs.js";
import { makes, worth } from "./words.js";

const FIGURES = [({ paid }) => paid ?? 0, ({ good }) => good];
const BEST = [...FIGURES, ({ tricks }) => tricks];
const CHOSEN = [...FIGURES, ({ playedOut }) => playedOut, ({ tricks, playedOutTricks }) => tricks + playedOutTricks];

export class Chooser {
  // `request` has the game, the deal, the contract, the views of the seats before the first card, the
  // payoffs, the calls of the bidders, and the strength tables of the game, if there are any.
  constructor(engine, request, seat, state) {
    Object.assign(this, { engine, seat, state, ...request });
    const { game, deal, contract, views, tables, bidders } = this;
    const random = numbers(this.seed + 7919 * state.moves.length), view = views[seat];
    const belief = tables && view.heard?.length ? new CallLikelihood(game, tables, view, bidders, random) : null;
    this.sampler = new LayoutSampler({ engine, game, deal, contract, seat, view, state, random, belief });
    this.sums = new Map(state.legal.map((card) => [card, { paid: 0, good: 0, tricks: 0, playedOut: 0, playedOutTricks: 0 }]));
    this.layouts = 0;
    this.outlooks = new Map();
  }

  // Values the cards in one more layout; false if no layout was found or time ran out.
  step(milliseconds) {
    const { contract, seat } = this;
    // With several declarers, players without a contract are not paid, whatever they play.
    if (contract.declarers.length > 1 && !contract.declarers.includes(seat)) return false;
    const layout = this.sampler.draw();
    if (!layout) return false;
    this.until = milliseconds ? performance.now() + milliseconds : 0;
    return this.#value(layout);
  }

  // Adds the values of the cards in a layout that `sampler` has just set up.
  #value(layout) {
    const { seat } = this;
    const { course } = this.sampler;
    const questions = course.questions();
    const question = questions.find((asked) => asked.seat === seat) ?? questions[0];
    const payoffs = payoffsOf(this.payoffs, this.game, layout);
    const { state, outlook } = this.#outlook(payoffs, course);
    const gains = course.gains(question.objective);
    const rows = outlook?.few && question.kind.aim === "most"
      ? this.#byPayoff(layout, payoffs, state, outlook, gains)
      : this.#byValue(layout, payoffs, state, outlook, question, gains);
    if (!rows) return false;
    for (const { card, paid, good, tricks, playedOut, playedOutTricks } of rows) {
      const sum = this.sums.get(card);
      sum.paid = sum.paid === null || paid === null ? null : sum.paid + paid;
      sum.good += good === gains ? 1 : 0;
      sum.tricks += gains ? tricks : -tricks;
      sum.playedOut += playedOut === gains ? 1 : 0;
      sum.playedOutTricks += gains ? playedOutTricks : -playedOutTricks;
    }
    this.gains = gains;
    this.layouts += 1;
    return true;
  }

  // The state of the hand and the payoffs that are still possible, if payoffs depend on more than a
  // value.
  #outlook(payoffs, course) {
    if (!payoffs?.byEnd) return {};
    const { tricks } = this.state;
    if (!this.outlooks.has(payoffs.table)) {
      const state = payoffs.state(tricks.map(({ winner }) => winner), true);
      this.outlooks.set(payoffs.table, { state, outlook: payoffs.outlook(state, course.hand.tricks - tricks.length, this.seat) });
    }
    return this.outlooks.get(payoffs.table);
  }

  // The value of each card for an objective, as pairs; null if time ran out.
  #asked(course, objective) {
    const { engine } = this;
    const limit = () => engine.limit(0, this.until ? Math.max(1, this.until - performance.now()) : 0);
    limit();
    const { guess } = course.hand.objectives[objective];
    const [low, high] = engine.bounds(objective, ...engine.span(objective), guess);
    if (low !== high) return null;
    limit();
    const cards = engine.cards(objective, low);
    return cards.some(([, value]) => value === null) ? null
      : cards.map(([number, value]) => [course.hand.code.name.get(number), value]);
  }

  // The value of each card for an objective if everybody plays by rules of thumb after it.
  #playedOut(course, objective) {
    const { name } = course.hand.code;
    return new Map(this.engine.playouts(objective).map(([number, value]) => [name.get(number), value]));
  }

  // Asks for the payoffs of the cards only. The engine has to start the hand again for another
  // objective.
  #paid(layout, payoffs, state, outlook) {
    const { hand } = this.sampler.course;
    outlook.objective ??= payoffs.objective(outlook, state, hand.tricks);
    const course = new Course(this.engine, this.game, layout.deal, layout.contract,
      { ...hand, objectives: [outlook.objective] });
    course.go(this.state.moves);
    const values = this.#asked(course, 0);
    return values && { values, playedOut: this.#playedOut(course, 0) };
  }

  #byPayoff(layout, payoffs, state, outlook) {
    const found = this.#paid(layout, payoffs, state, outlook);
    const good = (value) => Boolean(outlook.payments[value].makes);
    return found?.values.map(([card, value]) => ({ card, paid: outlook.payments[value].certain,
      good: good(value), tricks: 0, playedOut: good(found.playedOut.get(card)), playedOutTricks: 0 }));
  }

  #byValue(layout, payoffs, state, outlook, question, gains) {
    const { coarse, objective } = question;
    const { course } = this.sampler;
    const about = coarse === undefined ? question : { ...question, unit: "made" };
    const values = this.#asked(course, coarse ?? objective);
    if (!values) return null;
    const playedOut = this.#playedOut(course, coarse ?? objective);
    const tricks = (value) => about.unit === "tricks" ? value : 0;
    const rows = values.map(([card, value]) => {
      const end = playedOut.get(card);
      return { card, value, paid: null, good: makes(about, value), tricks: tricks(value),
        playedOut: makes(about, end), playedOutTricks: tricks(end) };
    });
    if (!payoffs) return rows;
    if (!payoffs.byEnd)
      rows.forEach((row) => { row.paid = payoffs.ofValue(this.seat, about.unit === "points" ? worth(about, row.value) : row.value); });
    else if (question.kind.aim === "most")
      rows.forEach((row) => { row.paid = payoffs.ofTricks(this.seat, row.value, state); });
    else {
      const within = rows.map(({ value }) => course.goesOn ? null : outlook.within(value));
      const paid = within.includes(null) ? this.#paid(layout, payoffs, state, outlook)?.values : [];
      if (!paid) return null;
      const forced = new Map(paid);
      rows.forEach((row, i) => {
        const settled = within[i] === null ? null : payoffs.ofTricks(this.seat, row.value, state);
        row.paid = settled ?? outlook.payments[within[i] ?? forced.get(row.card)].paid;
      });
    }
    return rows;
  }

  // The card to play and its equals, the cards with the best figures, and the share of layouts in which the
  // contract makes after each card. Playing out the layouts decides among cards with equal figures, but it
  // does not prove that one of them is better.
  result() {
    const { layouts, sums, gains } = this;
    const first = (order) => {
      const compare = (card, other) => order.map((key) => key(card) - key(other)).find((more) => more) ?? 0;
      const most = [...sums.values()].reduce((best, sum) => compare(sum, best) > 0 ? sum : best);
      return [...sums].filter(([, sum]) => !compare(sum, most)).map(([card]) => card);
    };
    const choices = first(CHOSEN);
    const share = ({ good }) => gains ? good / layouts : 1 - good / layouts;
    return {
      card: this.#habit(choices), choices, best: first(BEST), layouts,
      made: layouts ? Object.fromEntries([...sums].map(([card, sum]) => [card, share(sum)])) : {},
      paid: layouts ? Object.fromEntries([...sums].map(([card, { paid }]) => [card, paid === null ? null : paid / layouts])) : {},
    };
  }

  // Whether the seat knows that another seat is on its side.
  #together(other) {
    const { contract, deal, seat, state, views } = this;
    if (contract.declarers.length > 1) return false;
    const gone = [...state.tricks.flatMap(({ cards }) => cards), ...state.table];
    const seen = gone.find(({ card }) => card === contract.called)?.seat
      ?? (deal.hands[seat].includes(contract.called) ? seat : null);
    const partner = views[seat].partnerOpen ? seen : views[seat].partner;
    const side = [contract.declarers[0], partner];
    if (side.includes(seat) || side.includes(other)) return side.includes(seat) && side.includes(other);
    return !views[seat].partnerOpen || partner !== null;
  }

  // The card among these that rules of thumb choose; see `by_habit` in analysis/chances/player.py.
  #habit(among) {
    const { state, seat, contract } = this;
    const { code, contractors } = this.hand;
    const { deck } = this.game;
    const cards = [...among].sort((first, other) => deck.indexOf(first) - deck.indexOf(other));
    // The number of higher cards in the suit of a card.
    const names = [...code.card.keys()];
    const low = (card) => names.filter((name) => code.suitOf(name) === code.suitOf(card)).indexOf(card);
    const trump = (card) => code.card.get(card) >> 4 === code.trumpLane;
    const suits = state.hands[seat].map(code.suitOf);
    const length = (card) => suits.filter((suit) => suit === code.suitOf(card)).length;
    const first = (from, ...keys) => from.reduce((best, other) => {
      const key = keys.find((compared) => compared(best) !== compared(other));
      return key && key(other) > key(best) ? other : best;
    });
    const plain = cards.filter((card) => !trump(card));
    const declares = contract.declarers[0] === seat;
    const misere = contractors[0].kind.aim === "misere";
    if (!state.table.length) {
      if (misere) return first(cards, low);
      const trumps = cards.filter(trump);
      if (declares && trumps.length) return first(trumps, (card) => -low(card));
      return first(plain.length ? plain : cards, length, (card) => -low(card));
    }
    const takes = cards.filter((card) => this.#takes(card));
    const loses = cards.filter((card) => !takes.includes(card));
    if (misere) return declares ? first(loses.length ? loses : cards, (card) => -low(card)) : first(cards, low);
    const cheap = (card) => Number(!trump(card));
    if (takes.length && !this.#together(state.winning)) return first(takes, low);
    return first(loses.length ? loses : cards, cheap, (card) => -length(card), low);
  }

  get hand() {
    this.real ??= new Course(this.engine, this.game, this.deal, this.contract);
    return this.real.hand;
  }

  // Whether a card would win the trick so far; the other hands do not matter.
  #takes(card) {
    const course = this.real;
    this.engine.begin(course.hand);
    course.go([...this.state.moves, card]);
    const { table, tricks, winning } = course.state();
    return (table.length ? winning : tricks.at(-1).winner) === this.seat;
  }
}
