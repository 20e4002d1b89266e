// Chooses the card with the best average over random layouts, given what a seat knows.
// Rules of thumb choose among equal cards, as in `spadille.Player`, which first ranks by payoff: here the
// share of layouts in which the goal is reached comes first.
import { Course } from "./course.js";
import { Guess, numbers } from "./guess.js";
import { makes } from "./words.js";

export class Chooser {
  // `request` has the game, the deal, the contract, and the views of the seats before the first
  // card.
  constructor(engine, request, seat, state) {
    Object.assign(this, { engine, seat, state, ...request });
    this.guess = new Guess(engine, this.game, this.deal, this.contract, seat, this.views[seat], state,
      numbers(this.seed + 7919 * state.moves.length));
    this.sums = new Map(state.legal.map((card) => [card, { good: 0, value: 0 }]));
    this.layouts = 0;
  }

  // Values the cards in one more layout; false if no layout was found or time ran out.
  step(milliseconds) {
    const layout = this.guess.draw();
    if (!layout) return false;
    const { engine, seat } = this;
    const { course } = this.guess;
    const questions = course.questions();
    const question = questions.find((one) => one.seat === seat) ?? questions[0];
    const asked = question.coarse ?? question.objective;
    const about = question.coarse === undefined ? question : { ...question, unit: "made" };
    engine.limit(0, milliseconds);
    const { guess } = course.hand.objectives[asked];
    const [low, high] = engine.bounds(asked, ...engine.span(asked), guess);
    if (low !== high) return false;
    const cards = engine.cards(asked, low);
    if (cards.some(([, value]) => value === null)) return false;
    const gains = course.gains(asked);
    for (const [number, value] of cards) {
      const sum = this.sums.get(course.hand.code.name.get(number));
      sum.good += makes(about, value) === gains ? 1 : 0;
      sum.value += gains ? value : -value;
    }
    this.gains = gains;
    this.layouts += 1;
    return true;
  }

  // The card to play, and the share of layouts in which the contract makes after each card.
  result() {
    const { layouts, sums, gains } = this;
    const most = [...sums.values()].reduce((best, sum) =>
      sum.good > best.good || (sum.good === best.good && sum.value > best.value) ? sum : best);
    const best = [...sums].filter(([, sum]) => sum.good === most.good && sum.value === most.value).map(([card]) => card);
    const share = ({ good }) => gains ? good / layouts : 1 - good / layouts;
    return {
      card: this.#habit(best), best, layouts,
      made: layouts ? Object.fromEntries([...sums].map(([card, sum]) => [card, share(sum)])) : {},
    };
  }

  // Whether the seat knows that another seat is on its side.
  #together(other) {
    const { contract, deal, seat, state, views } = this;
    const gone = [...state.tricks.flatMap(({ cards }) => cards), ...state.table];
    const seen = gone.find(({ card }) => card === contract.called)?.seat
      ?? (deal.hands[seat].includes(contract.called) ? seat : null);
    const partner = views[seat].partnerOpen ? seen : views[seat].partner;
    const side = [...contract.declarers, partner];
    if (side.includes(seat) || side.includes(other)) return side.includes(seat) && side.includes(other);
    return !views[seat].partnerOpen || partner !== null;
  }

  // The card that rules of thumb choose among these; see `by_habit` in analysis/chances/player.py.
  #habit(cards) {
    const { state, seat, contract } = this;
    const { code, contractors } = this.hand;
    const low = (card) => -(code.card.get(card) & 15);
    const trump = (card) => code.card.get(card) >> 4 === code.trumpLane;
    const suits = state.hands[seat].map(code.suitOf);
    const length = (card) => suits.filter((suit) => suit === code.suitOf(card)).length;
    const first = (from, ...keys) => from.reduce((one, other) => {
      const key = keys.find((each) => each(one) !== each(other));
      return key && key(other) > key(one) ? other : one;
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
    if (takes.length && !this.#together(state.winning)) return first(takes, cheap, low);
    return first(loses.length ? loses : cards, cheap, (card) => -length(card), low);
  }

  get hand() {
    this.real ??= new Course(this.engine, this.game, this.deal, this.contract);
    return this.real.hand;
  }

  // Whether a card would be winning the trick; the other hands do not matter.
  #takes(card) {
    const course = this.real;
    this.engine.begin(course.hand);
    course.go([...this.state.moves, card]);
    const { table, tricks, winning } = course.state();
    return (table.length ? winning : tricks.at(-1).winner) === this.seat;
  }
}
