// The likelihood that bidders with these hands make the calls that were heard: the model of csrc/call_likelihood.hpp
// and docs/chances.md, with the tables of pages/belief_data.py.

const UNITS = 16; // numbers in a vector

const ones = (mask) => {
  let count = 0;
  for (let left = mask; left; left &= left - 1) count += 1;
  return count;
};

// Reads `length` weights of two bytes each.
const weights = (blob, at, length) => {
  const view = new DataView(blob.buffer, blob.byteOffset + at);
  return Int32Array.from({ length }, (_, i) => view.getInt16(2 * i, true));
};

// The values of hands for one kind of contract and one trump suit, as in csrc/strength.hpp.
class Strength {
  constructor({ suits, position, positions, quantum, layers, scores, least }, blob) {
    Object.assign(this, { positions, quantum, scores, least });
    const vectors = (at, number) => at === null ? null : blob.subarray(at, at + number * UNITS);
    this.position = vectors(position, positions);
    this.suits = suits.map(([length, low, holdings, called, calledSuit]) => {
      const size = low + 1 << length - low;
      return { low, holdings: vectors(holdings, size), called: vectors(called, length), calledSuit: vectors(calledSuit, size) };
    });
    this.sums = new Int32Array(UNITS);
    let from = UNITS;
    this.layers = layers.map(({ weights: at, bias, shift }) => {
      const layer = { bias, shift, weights: weights(blob, at, from * bias.length), units: new Int32Array(bias.length) };
      from = bias.length;
      return layer;
    });
    this.units = this.layers.at(-1).units;
  }

  // The mean payoff, in units, of a hand (given as the cards in each lane) for a place in order of play.
  payoff(lanes, place, called) {
    const { sums } = this;
    sums.fill(0);
    const add = (vectors, index) => {
      for (let i = 0, from = index * UNITS; i < UNITS; i += 1) sums[i] += vectors[from + i];
    };
    const indexOf = ({ low }, mask) => (mask >> low) * (low + 1) + ones(mask & (1 << low) - 1);
    add(this.position, Math.min(place, this.positions - 1));
    for (let lane = 0; lane < 4; lane += 1) add(this.suits[lane].holdings, indexOf(this.suits[lane], lanes[lane]));
    if (called >= 0) {
      const suit = this.suits[called >> 4];
      add(suit.called, called & 15);
      add(suit.calledSuit, indexOf(suit, lanes[called >> 4]));
    }
    this.#activate();
    let total = this.least;
    for (const score of this.scores) total += score.rise * this.#share(score);
    return total;
  }

  // Computes the layers.
  #activate() {
    const { sums, quantum, layers } = this;
    for (let i = 0; i < UNITS; i += 1) sums[i] = (layers.length > 1 ? sums[i] : Math.max(sums[i], 0)) * quantum;
    let inputs = sums;
    for (const { bias, shift, weights, units } of layers) {
      const size = units.length;
      units.set(bias);
      for (let i = 0, at = 0; i < inputs.length; i += 1, at += size) {
        const input = inputs[i];
        if (input) for (let n = 0; n < size; n += 1) units[n] += weights[at + n] * input;
      }
      for (let n = 0; n < size; n += 1) units[n] = Math.max(units[n], 0) >> shift;
      inputs = units;
    }
  }

  #share({ weights, bias, start, step, shares }) {
    let value = bias - start;
    for (let n = 0; n < weights.length; n += 1) value += weights[n] * this.units[n];
    if (value <= 0) return shares[0];
    const knot = Math.floor(value / step);
    if (knot + 1 >= shares.length) return shares.at(-1);
    return shares[knot] + (shares[knot + 1] - shares[knot]) * (value % step) / step;
  }
}

// Reads the tables of a page, keyed by rules: the length of a header, the header in JSON, and the
// vectors.
export function strengthTables(bytes) {
  const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
  const header = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + length)));
  const blob = new Int8Array(bytes.buffer, bytes.byteOffset + 4 + length);
  return Object.fromEntries(Object.entries(header).map(([rules, { parts, offers, ...tables }]) => {
    const strengths = parts.map((part) => new Strength(part, blob));
    return [rules, { ...tables, offers: offers.map(({ part, ...offer }) => ({ ...offer, strength: strengths[part] })) }];
  }));
}

// Draws the given number of cards at random.
function someOf(cards, number, random) {
  const left = [...cards];
  return Array.from({ length: number }, () => left.splice(Math.floor(random() * left.length), 1)[0]);
}

// Draws some of the cards, by the likelihood of each selection given the number of keepers in it.
function likelyOf(cards, keepers, likelihood, random) {
  const number = likelihood.length - 1;
  const good = cards.filter((card) => keepers.has(card)), other = cards.filter((card) => !keepers.has(card));
  const weights = likelihood.map((each, i) => each * ways(good.length, i) * ways(other.length, number - i));
  let chosen = Math.max(0, number - other.length);
  let rest = random() * weights.reduce((sum, weight) => sum + weight, 0) - weights[chosen];
  while (rest >= 0 && chosen < Math.min(good.length, number)) rest -= weights[chosen += 1];
  return [...someOf(good, chosen, random), ...someOf(other, number - chosen, random)];
}

const ways = (of, number) => Array.from({ length: number }, (_, i) => (of - i) / (i + 1)).reduce((all, factor) => all * factor, 1);

export class CallLikelihood {
  // `tables` are the strength tables of the game. `view` names the seats whose calls a seat
  // believes; `bidders` has their choices.
  constructor(game, tables, view, bidders, random) {
    Object.assign(this, { game, tables, view, random, bidders: view.heard.map((seat) => ({ ...bidders[seat], seat })) });
    this.keepers = new Set(view.exchanges?.keepers);
  }

  // The likelihood of all calls given the hands when play began; 0 if it does not exceed `least`.
  likelihood(hands, least = 0) {
    const held = new Set(Object.values(hands).flat());
    let pile = this.view.pile?.filter((card) => !held.has(card));
    let product = 1;
    for (const bidder of this.bidders) {
      let hand = hands[bidder.seat];
      if (bidder.exchanged) ({ hand, pile } = this.#dealt(bidder, hand, pile));
      product *= this.#ofBidder(bidder, hand, least / product);
      if (!(product > least)) return 0;
    }
    return product;
  }

  // Undoes an exchange: draws a hand that may have been dealt. Layouts are weighted by the likelihood of the
  // exchange, whichever cards it was.
  #dealt({ seat, exchanged }, hand, pile) {
    const { random, keepers, view: { exchanges } } = this;
    const kept = likelyOf(hand, keepers, exchanges.kept[seat], random);
    const away = new Set(someOf(likelyOf(pile, keepers, exchanges.away, random), exchanged, random));
    return { hand: [...kept, ...away], pile: pile.filter((card) => !away.has(card)) };
  }

  #ofBidder({ place, choices, called }, hand, least) {
    const { tables, game } = this;
    const lanesOf = new Map(), worth = new Map();
    let likelihood = 1;
    const lanes = (trump) => {
      if (!lanesOf.has(trump)) {
        const lanes = [0, 0, 0, 0], { numbers } = game.suits[trump];
        for (const card of hand) lanes[numbers[card] >> 4] |= 1 << (numbers[card] & 15);
        lanesOf.set(trump, lanes);
      }
      return lanesOf.get(trump);
    };
    const value = (offer) => {
      if (!worth.has(offer)) {
        const bid = this.#worth(tables.offers[offer], lanes(tables.offers[offer].trump), place, called?.offer === offer ? called.card : -1);
        likelihood *= bid.likelihood;
        worth.set(offer, bid.worth);
      }
      return worth.get(offer);
    };
    const highest = (offers) => offers.reduce((best, offer) => Math.max(best, value(offer)), -Infinity);
    // A pass is always possible, so the values of the chosen offers alone bound the likelihood.
    let bound = 1;
    for (const { options, chosen, duty } of choices) {
      const [, offers] = options[chosen];
      if (!offers.length || duty.length) continue;
      const best = highest(offers);
      if (options.some(([, choices]) => !choices.length)) bound /= 1 + Math.exp(-best / tables.spread);
      if (bound <= least) return 0;
    }
    if (called) value(called.offer);
    for (const { options, chosen, duty, least: lowest } of choices) {
      const required = duty.length ? lowest[hand.filter((card) => duty.includes(card)).length] : -Infinity;
      const values = options.map(([height, offers]) => height < required ? -Infinity : offers.length ? highest(offers) : 0);
      const best = Math.max(...values);
      if (values[chosen] === -Infinity) return 0;
      likelihood *= Math.exp((values[chosen] - best) / tables.spread)
        / values.reduce((sum, value) => sum + Math.exp((value - best) / tables.spread), 0);
    }
    return likelihood;
  }

  // The value of an offer, and the likelihood of its called card.
  #worth({ strength, unit, calls, tiers }, lanes, place, named) {
    if (!calls) return { worth: unit * strength.payoff(lanes, place, -1), likelihood: 1 };
    const has = (card) => lanes[card >> 4] >> (card & 15) & 1;
    for (const tier of tiers) {
      const may = tier.filter((card) => !has(card) && (!this.tables.needsSuit || lanes[card >> 4]));
      if (!may.length) continue;
      const values = may.map((card) => unit * strength.payoff(lanes, place, card));
      const best = Math.max(...values), chosen = may.indexOf(named);
      if (named < 0) return { worth: best, likelihood: 1 };
      if (chosen < 0) return { worth: best, likelihood: 0 };
      const weights = values.map((value) => Math.exp((value - best) / this.tables.spread));
      return { worth: best, likelihood: weights[chosen] / weights.reduce((sum, weight) => sum + weight) };
    }
    return { worth: -Infinity, likelihood: named < 0 ? 1 : 0 };
  }
}
