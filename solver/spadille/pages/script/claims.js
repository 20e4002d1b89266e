// The claims of a player at a seat. A side that claims takes exactly these further tricks, and the others the
// rest. Only numbers of tricks that settle the result and the player's payoff may be claimed.
import { payoffsOf } from "./payoffs.js";

// The states after `left` more tricks, each with the number of these tricks that the players in `side` win.
function endsOf(course, left, side, start, step) {
  let level = [[0, start]];
  for (; left > 0; left -= 1) {
    const next = new Map();
    for (const [count, state] of level)
      course.game.order.forEach((_, winner) => {
        const after = [count + (side >> winner & 1), step(state, winner, left)];
        next.set(JSON.stringify(after), after);
      });
    level = [...next.values()];
  }
  return level;
}

// Whether the side has gone on for all tricks, by leading to the trick after the first run.
function wentOn({ goesOn, hand, tricks, table, won }) {
  const played = won.reduce((sum, number) => sum + number, 0);
  return Boolean(goesOn && (table.length || hand.inARow.goesOn[played - 1]));
}

// The players who claim together with a seat, as a bit set. After the first run of a Frog, the declarer needs
// all tricks alone.
export function claimants(course, seat) {
  const { hand, game } = course, own = 1 << game.order.indexOf(seat);
  if (!(hand.side & own)) return (1 << game.order.length) - 1 & ~hand.side;
  return course.goesOn && hand.runners & own ? hand.runners : hand.side;
}

// The possible claims, each with the number of tricks, the result, and the payoff of `seat` (null if unknown).
export function claimsOf(course, payoffs, seat) {
  const { game, deal, hand, tricks, table, won } = course;
  const { contract, contractors: [{ seat: declarer, kind, main }, ...others] } = hand;
  if (others.length) return [];
  const { order } = game, left = hand.tricks - tricks.length;
  const paid = payoffsOf(payoffs, game, { deal, contract });
  if (kind.aim === "misere") {
    if (seat !== declarer || won[order.indexOf(seat)]) return [];
    const end = { seat, unit: "tricks", target: 0, value: 0, cards: {} };
    return [{ tricks: 0, left, end: [end], paid: paid?.ofValue(seat, 0) ?? null }];
  }
  const side = claimants(course, seat), gone = wentOn(course), counted = gone ? hand.runners : hand.side;
  const have = won.reduce((sum, number, player) => sum + (counted >> player & 1 ? number : 0), 0);
  const total = (count) => have + (side & counted ? count : left - count);
  const results = Array.from({ length: left + 1 }, () => new Set()), pays = results.map(() => new Set());
  const objective = hand.objectives[main], values = [];
  if (objective.named) {
    const step = (state, winner, left) => objective.levels[left][2 * (order.length * state + winner)];
    const start = tricks.reduce((state, { winner }, i) => step(state, order.indexOf(winner), hand.tricks - i), objective.start);
    for (const [count, state] of endsOf(course, left, side, start, step)) {
      values[count] = objective.worth[state];
      results[count].add(objective.named[values[count]][0]);
      if (!paid?.byEnd) pays[count].add(paid?.ofValue(seat, values[count]) ?? null);
    }
  } else results.forEach((_, count) => { values[count] = total(count); });
  if (paid?.byEnd) {
    const start = paid.state(tricks.map(({ winner }) => winner), table.length);
    for (const [count, state] of endsOf(course, left, side, start, (state, winner) => paid.after(state, winner)))
      pays[count].add(paid.claimed(seat, state, values[count], gone));
  } else if (!objective.named) pays.forEach((set, count) => set.add(paid?.ofValue(seat, values[count]) ?? null));
  return values.map((value, count) => {
    const on = gone || (kind.goesOn && !kind.runAlone && value === game.size);
    const end = objective.named ? { unit: "outcome", names: objective.named }
      : { unit: "tricks", target: on ? game.size : kind.target, goesOn: on };
    return { tricks: count, left, end: [{ seat: declarer, ...end, value, cards: {} }], paid: [...pays[count]][0] };
  }).filter((_, count) => (gone || !course.goesOn || count === 0 || count === left) && results[count].size < 2 && pays[count].size === 1).reverse();
}
