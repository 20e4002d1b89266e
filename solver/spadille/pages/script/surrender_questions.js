// The questions to the engine about surrendering, the same as in spadille.search.surrender_value; worker.js turns the
// answers into values. Chips and states come from Python (surrender_data.py).

// Turns a list in the order of the players' places, `own` first, into one in the order of their numbers.
const byNumber = (list, own) => list.map((_, player) => list[player === own ? 0 : player < own ? player + 1 : player]);

// The payoff of one player as an objective of the engine.
function chips({ levels }, { values, finals }, players, own, start, before) {
  const steps = levels.map((level) => Array.from({ length: level.length / players }, (_, state) =>
    byNumber(level.slice(players * state, players * (state + 1)), own).flatMap((next) => [next, next])).flat());
  return {
    side: 1 << own, credited: 1 << own, start, guess: 1, levels: steps.slice(before).reverse(), marked: 0n,
    worth: [...finals].map((digit) => parseInt(digit, 36)), values: values.length,
    grades: values.map((_, value) => value), terms: [], counts: [],
  };
}

// The questions about the surrender of a contract; null if values do not include surrenders.
// `add` takes an objective and returns its number.
export function surrenderOf(game, deal, contract, kind, { code, before, tricks }, add) {
  const table = kind.surrender;
  if (!table || contract.takenOver || before + tricks !== game.size) return null;
  const paid = deal.surrenders?.[kind.id] ?? table.paid;
  const { order } = game;
  const best = code.trumps.slice(0, table.held);
  const ask = (seat, cases) => {
    const chosen = cases[cases.length > 1 && best.every((card) => deal.hands[seat].includes(card)) ? 1 : 0];
    const start = deal.surrenderStarts?.[kind.id][seat] ?? 0;
    const objective = chips(table, chosen, order.length, order.indexOf(seat), start, before);
    return { seat, ...chosen, objective: add(objective) };
  };
  const [seat] = contract.declarers;
  const own = order.indexOf(seat);
  const others = [...order.slice(own + 1), ...order.slice(0, own)];
  return {
    seat, last: table.until - before, surrendered: paid.surrendered, playedOn: ask(seat, paid.playedOn),
    tookOver: others.map((other) => {
      const { former, ...asked } = ask(other, paid.tookOver);
      const place = own < order.indexOf(other) ? own + 1 : own;
      return { ...asked, former: former[place] };
    }),
  };
}
