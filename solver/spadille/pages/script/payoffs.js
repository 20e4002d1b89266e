// The payoffs of a contract, by the engine's values and by how the hand can end.
//
// Python writes the payoffs (payoff_data.py). A state of a hand contains the number of tricks of
// each group of players, and the player or side that won the first run.

// The first run after one more trick; `seen` becomes `run + 1` if the side plays on.
function runOn(seen, wonBy, run, won) {
  if (seen >= run) return wonBy === 1 ? [run + 1, 1] : [seen, wonBy];
  const now = won ? 1 : -1;
  return [seen + 1, !seen || wonBy === now ? now : 0];
}

function stepped({ groups, run, goesOn }, [won, seen, wonBy], winner) {
  const group = groups[winner];
  const [more, by] = runOn(seen, wonBy, run, group === 0);
  return [group < 0 ? won : won.with(group, won[group] + 1), goesOn ? more : Math.min(more, run), by];
}

const keyOf = ([won, seen, wonBy]) => [...won, seen, wonBy].join(" ");

// The payoffs of the case that a layout belongs to; null if payoffs are unknown.
export function payoffsOf(data, game, { deal, contract }) {
  if (!data) return null;
  const side = [...contract.declarers, contract.partner].filter((seat) => seat);
  const own = [side.flatMap((seat) => deal.hands[seat]), deal.hands[contract.declarers[0]]];
  const { best } = data;
  const held = best.length ? own.map((hand) => best.every((card) => hand.includes(card)) ? best.length
    : Number(best.slice(0, -1).every((card) => hand.includes(card)))) : [];
  const key = [contract.partner ?? null, ...held].join();
  const row = data.cases.find((numbers) => numbers.slice(0, -1).join() === key);
  if (!row) return null;
  const table = data.tables[row.at(-1)];
  return new Payoffs(table, game, side, data.many);
}

class Payoffs {
  constructor(table, game, side, many) { Object.assign(this, { table, game, side, many }); }

  // Whether payoffs depend on the end of the hand, not only on a value.
  get byEnd() { return Boolean(this.table.ends); }

  // The payoff of a seat for a value, or null if the value does not determine it.
  ofValue(seat, value) { return this.table.values[seat]?.[value] ?? null; }

  // The payoff of a seat for a value, or null if the value and the tricks so far do not determine it.
  ofTricks(seat, value, state) {
    const [, seen, wonBy] = state;
    const paid = this.table.paid[seen < this.table.run ? 0 : wonBy][value];
    return paid ? paid[this.game.seats.indexOf(seat)] : null;
  }

  // The state after tricks with these winners; `led` says whether a card has been led to the next trick.
  state(winners, led) {
    const state = winners.reduce((before, winner) => stepped(this.table, before, this.game.order.indexOf(winner)),
      this.table.start);
    return led && this.mayStop(state) ? [state[0], this.table.run + 1, 1] : state;
  }

  after(state, winner) { return stepped(this.table, state, winner); }

  mayStop([, seen, wonBy]) { return this.table.goesOn && seen === this.table.run && wonBy === 1; }

  // The payoff of a seat for a claim that leads to a final state and a value. Unless the side had `gone` on
  // before, it goes on only by claiming all the tricks.
  claimed(seat, state, value, gone) {
    const { run, goesOn, paid } = this.table;
    const stops = goesOn && !gone && state[1] > run && state[0][0] < this.game.size;
    return (stops ? paid[1][value] : this.paid(state))[this.game.seats.indexOf(seat)];
  }

  // The payoffs of all seats in a final state.
  paid(state) { return this.table.ends[keyOf(state)]?.slice(2) ?? null; }

  // The endings that can be reached from a state, by their keys.
  #reached(state, tricks) {
    const keys = new Set();
    let level = new Map([[keyOf(state), state]]);
    for (let left = tricks; left > 0; left -= 1) {
      const next = new Map();
      for (const [key, state] of level) {
        if (this.mayStop(state)) keys.add(key);
        this.game.order.forEach((_, winner) => {
          const after = stepped(this.table, state, winner);
          next.set(keyOf(after), after);
        });
      }
      level = next;
    }
    for (const key of level.keys()) keys.add(key);
    return [...keys].map((key) => ({ key, end: this.table.ends[key] }));
  }

  // The payoffs still possible from a state with this number of tricks left: those of the side from low to
  // high, each with the payoff of `seat` and whether the contract makes, if these are certain.
  outlook(state, tricks, seat) {
    const ends = this.#reached(state, tricks);
    const values = [...new Set(ends.map(({ end }) => end[0]))].sort((first, other) => first - other);
    const common = (list) => list.every((item) => item === list[0]) ? list[0] : null;
    const at = 2 + this.game.seats.indexOf(seat);
    const payments = values.map((value) => {
      const paid = ends.filter(({ end }) => end[0] === value).map(({ end }) => end);
      const own = paid.map((end) => end[at]);
      return { value, makes: common(paid.map((end) => end[1])), paid: this.side.includes(seat) ? Math.min(...own) : common(own),
        certain: common(own) };
    });
    // The indexes of the side's lowest and highest payoff with exactly `count` tricks.
    const within = (count) => {
      let low = values.length - 1, high = 0;
      for (const { key, end } of ends) {
        const numbers = key.split(" ").map(Number);
        const seen = numbers.at(-2), wonBy = numbers.at(-1);
        const won = numbers.slice(0, -2).reduce((sum, number) => sum + number, 0), number = values.indexOf(end[0]);
        const stops = this.table.goesOn && seen === this.table.run && wonBy === 1;
        if (stops || (won >= count && seen <= this.table.run)) low = Math.min(low, number);
        if (won <= count) high = Math.max(high, number);
      }
      return low === high ? low : null;
    };
    return { payments, within, few: payments.length <= this.many && payments.every(({ makes }) => makes !== null) };
  }

  // The payoff as an objective of the engine, for all tricks of the hand. Its values are numbers of
  // `payments`. A side that may still stop gets at least the payoff of stopping.
  objective({ payments }, from, tricks) {
    const { table, game } = this;
    const values = payments.map(({ value }) => value);
    const numbers = Array.from({ length: tricks + 1 }, () => new Map());
    const states = Array.from({ length: tricks + 1 }, () => []);
    const number = (depth, state) => {
      const key = keyOf(state);
      if (!numbers[depth].has(key)) numbers[depth].set(key, states[depth].push(state) - 1);
      return numbers[depth].get(key);
    };
    number(0, table.start);
    const levels = Array.from({ length: tricks }, (_, depth) => states[depth].flatMap((state) =>
      game.order.flatMap((_each, winner) => {
        const next = number(depth + 1, stepped(table, state, winner));
        return [next, next];
      })));
    const stop = table.goesOn && table.stop && from[1] <= table.run && !this.mayStop(from) ? table.ends[table.stop][0] : -Infinity;
    // Endings that can no longer be reached have an arbitrary number.
    const place = ([won, seen, wonBy]) => {
      const [paid] = table.ends[keyOf([won, seen, wonBy])];
      return Math.max(0, values.indexOf(seen > table.run ? Math.max(paid, stop) : paid));
    };
    const side = this.side.reduce((set, seat) => set | 1 << game.order.indexOf(seat), 0);
    return {
      side, credited: side, start: 0, guess: Math.min(1, values.length - 1), levels: [...levels, []].reverse(), marked: 0n,
      worth: states[tricks].map(place), values: values.length, grades: values.map((_, value) => value), terms: [], counts: [],
    };
  }
}
