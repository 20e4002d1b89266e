// The worker: answers one request at a time, and drops it as soon as another one arrives.
//
// Requests are { id, ask, game, deal, contract, moves }; `ask` is "values", "value" (without cards),
// "line", "error", "record", "choose", "costs" or "claim". "choose" and "costs" also need `views`, the
// knowledge of each seat before the first card: "choose" returns a card for the player to move, based on
// what that player knows, and "costs" returns the cost of each card that `seat` played. "claim" returns
// whether the side of `seat` can claim `tricks` more tricks (null if `patience` milliseconds do not suffice
// for a proof), and the result. A `hint` takes more time than another choice, and is sent as it improves.
// Answers have the same id: { position } at once (with the winners of the whole line, which goes on with `after`), { values, done } as they are found, { surrender } with
// the last of them if the declarer may surrender, { line }, { error }.
import { strengthTables } from "./call_likelihood.js";
import { Chooser } from "./computer_player.js";
import { claimants, claimsOf } from "./claims.js";
import { Course } from "./course_of_play.js";
import { Engine } from "./engine.js";
import { unpack } from "./unpack.js";
import { concerned, costs } from "./words.js";

// Searches pause for messages at increasing intervals, in milliseconds; the transposition table
// keeps their results.
const FIRST = 40, LATEST = 400;
// The limits for choosing a card: the number of layouts, and milliseconds; a reader can wait longer for a
// hint, or for the judgment of a card after the hand.
const LAYOUTS = 100, CHOICE = 450, HINT = 4000, JUDGMENT = 1500;
// The number of layouts in which a claim is checked at least, and the milliseconds after which that is given up.
const CLAIMED = 10, PROOF = 4000;
// The milliseconds after which a long choice lets messages arrive.
const PAUSE = 80;

// The seat and the card that won a trick.
const winnerOf = ({ winner, cards }) => ({ seat: winner, card: cards.find(({ seat }) => seat === winner).card });

// Lets messages arrive.
const breathe = () => new Promise((go) => setTimeout(go));

export class Desk {
  #key = null;

  constructor(engine, answer, strengths = {}) {
    this.engine = engine;
    this.strengths = strengths; // tables by rules
    this.answer = answer;
    this.current = null;
    this.spent = 0;
  }

  // Answers a request, unless another one arrives.
  async take(request) {
    this.current = request.id;
    const key = JSON.stringify([request.game.id, request.deal, request.contract]);
    if (key !== this.#key) {
      this.#key = null;
      this.course = new Course(this.engine, request.game, request.deal, request.contract);
      this.#key = key;
    }
    this.spent = 0;
    this.bound = null;
    const send = (what) => this.answer({ id: request.id, ...what });
    if (request.ask === "record") return send({ record: this.course.record(request.tricks) });
    const played = this.course.go(request.moves);
    if (played < request.moves.length) send({ refused: request.moves[played] });
    const state = this.course.state();
    const whole = request.after?.length && played === request.moves.length ? this.#winners(request) : this.course.tricks;
    const claims = request.pupil && !state.over ? claimsOf(this.course, request.payoffs, request.pupil) : [];
    send({ position: { ...state, winners: whole.map(winnerOf), claims: claims.map(({ tricks }) => tricks) } });
    if (request.ask === "error") return this.#error(request, send);
    if (request.ask === "costs") return this.#costs(request, send);
    if (request.ask === "claim") return this.#claim(request, state, send);
    if (request.ask === "choose") {
      const chosen = state.over || state.mover === request.pupil ? null : await (request.hint
        ? this.#chosen(request, state, HINT, (chosen) => send({ chosen, done: false })) : this.#chosen(request, state));
      return chosen === undefined ? undefined : send({ chosen, done: true });
    }
    if (state.over || request.ask === "value") return send({ values: await this.#values(request, () => {}), done: true });
    const values = await this.#values(request, (values) => send({ values, done: false }));
    if (!values) return undefined;
    if (request.ask !== "line") {
      const surrender = await this.#surrender(request);
      return surrender === undefined ? undefined : send({ values, surrender, done: true });
    }
    return send({ line: await this.#line(request, values) });
  }

  // The tricks of the whole line, which goes on with the moves `after` the position.
  #winners({ moves, after }) {
    this.course.go([...moves, ...after]);
    const { tricks } = this.course;
    this.course.go(moves);
    return tricks;
  }

  // Calls `ask` repeatedly, for a short time each, until it is done; null if another request
  // arrived, false if it exceeded its node limit.
  async #sliced(request, ask, most = Infinity) {
    let nodes = 0;
    for (let ms = FIRST; ; ms = Math.min(2 * ms, LATEST)) {
      this.engine.limit(0, ms);
      const done = ask();
      nodes += this.engine.nodes;
      this.spent += this.engine.nodes;
      if (done) return true;
      this.answer({ id: request.id, nodes: this.spent, bound: this.bound });
      await breathe();
      if (this.current !== request.id) return null;
      if (nodes > most) return false;
    }
  }

  // The value of the position for a declarer, or `least` if it is lower; `about` says how to read
  // the bounds that are sent during the search.
  async #bounds(request, objective, most, least = 0, about = null) {
    const { engine } = this;
    const guess = Math.max(this.course.hand.objectives[objective].guess, least);
    let [low, high] = engine.span(objective);
    if (least) [low, high] = [Math.max(low, least), Math.max(high, least)];
    const settled = await this.#sliced(request, () => {
      [low, high] = engine.bounds(objective, low, high, guess);
      if (about) this.bound = { ...about, low, high };
      return low === high;
    }, most);
    return settled && { value: low };
  }

  // The values of the cards; `progress` gets some of them before the others are known.
  async #cards(request, objective, value, most, progress) {
    let cards = [];
    const settled = await this.#sliced(request, () => {
      const before = cards.filter(([, value]) => value !== null).length;
      cards = this.engine.cards(objective, value);
      const known = cards.filter(([, value]) => value !== null).length;
      if (before < known && known < cards.length) progress(cards);
      return known === cards.length;
    }, most);
    return settled && cards;
  }

  // The values of the position and of each card for each declarer; null if another request arrived.
  async #values(request, progress) {
    const { contractors } = this.course.hand;
    const values = contractors.map(() => null);
    for (const question of this.course.questions()) {
      const { seat, unit, target, names, coarse, goesOn } = question;
      const about = { seat, unit, target, names, goesOn, gains: this.course.gains(question.objective) };
      const report = (value, cards, more = {}) => {
        values[contractors.findIndex((objective) => objective.seat === seat)] = {
          ...about, value, cards: this.#named(cards), ...more,
        };
      };
      const some = (more) => (value, cards) => {
        report(value, cards, more);
        progress([...values]);
      };
      if (coarse !== undefined) {
        const made = { unit: "made" };
        const whether = await this.#asked(request, coarse, Infinity, some(made), null);
        if (!whether) return null;
        some(made)(whether.value, whether.cards);
        if (request.ask === "value") continue;
        // The number of tricks in a lost Misère can take too long to compute, as in `spadille cards`.
        const exact = await this.#asked(request, question.objective, request.game.hardNodes, () => {}, about);
        if (exact === null) return null;
        if (exact) report(exact.value, exact.cards);
      } else {
        const exact = await this.#asked(request, question.objective, Infinity, some(), about);
        if (!exact) return null;
        report(exact.value, exact.cards);
        if (values.includes(null)) progress([...values]);
      }
    }
    return values;
  }

  async #asked(request, objective, most, progress, about) {
    const position = await this.#bounds(request, objective, most, 0, about);
    if (!position) return position;
    const over = this.course.lost || !this.engine.position().left || request.ask === "value";
    const cards = over ? [] : await this.#cards(request, objective, position.value, most,
      (some) => progress(position.value, some));
    return cards && { value: position.value, cards };
  }

  // The declarer's payoffs for surrendering and for playing to the end, and the opponent who gains
  // by taking over; null if the declarer cannot surrender, undefined if another request arrived.
  async #surrender(request) {
    const asked = this.course.surrender;
    if (!asked) return null;
    const { seat, surrendered, playedOn, tookOver } = asked;
    const onward = await this.#bounds(request, playedOn.objective, Infinity);
    if (!onward) return undefined;
    const choice = { seat, surrendered, playedOn: playedOn.values[onward.value], takenOver: null };
    for (const { seat: other, objective, values, former } of tookOver) {
      const gain = values.findIndex((gain) => gain > 0);
      if (gain < 0) continue;
      const taken = await this.#bounds(request, objective, Infinity, gain - 1);
      if (!taken) return undefined;
      if (taken.value >= gain && former[taken.value] < surrendered)
        return { ...choice, surrendered: former[taken.value], takenOver: other };
    }
    return choice;
  }

  #named(cards) {
    const { name } = this.course.hand.code;
    return Object.fromEntries(cards.map(([card, value]) => [name.get(card), value]));
  }

  // The best line from here, as moves.
  async #line(request, values) {
    const [question] = this.course.questions();
    const objective = values[0].unit === "made" ? question.coarse : question.objective;
    let line = null;
    const settled = await this.#sliced(request, () => {
      line = this.engine.line(objective, values[0].value);
      return line !== null;
    });
    if (!settled) return null;
    const { code, namer } = this.course.hand;
    const moves = line.cards.map((card) => code.name.get(card));
    if (line.named < 0) return moves;
    // The declarer names the trump just before the first card.
    const own = this.course.deal.hands[this.course.game.order[namer]];
    const first = moves.findIndex((card) => own.includes(card));
    return moves.toSpliced(first, 0, `=${code.suit(line.named)}`);
  }

  #chooser(request, state) {
    const tables = this.strengths[`${request.game.id} ${request.game.rules}`.trim()];
    return new Chooser(this.engine, { ...request, tables }, state.mover, state);
  }

  // Chooses a card based on the knowledge of the player to move; undefined if another request arrived.
  // `progress` gets the choice so far.
  async #chosen(request, state, time = CHOICE, progress = () => {}) {
    this.#key = null; // The engine's hand is replaced by layouts.
    let paused = performance.now();
    const until = paused + time;
    const chooser = this.#chooser(request, state);
    const most = request.layouts ?? LAYOUTS;
    while (state.legal.length > 1 && chooser.layouts < most) {
      const left = request.layouts ? 0 : until - performance.now();
      if (left < 0 || !chooser.step(left)) break;
      if (performance.now() < paused + PAUSE) continue;
      progress(chooser.result());
      await breathe();
      if (this.current !== request.id) return undefined;
      paused = performance.now();
    }
    return chooser.result();
  }

  // Reports the costly cards of a seat, each with the best card based on what the seat knew.
  async #costs(request, send) {
    const { contract, moves, seat } = request;
    const costly = [];
    let start = null;
    for (let at = 0; at <= moves.length; ++at) {
      const course = new Course(this.engine, request.game, request.deal, contract);
      this.course = course;
      this.#key = null;
      course.go(moves.slice(0, at));
      const state = course.state();
      if (at && at < moves.length && (state.mover !== seat || state.naming)) continue;
      const values = await this.#values(request, () => {});
      if (!values) return;
      start ??= values;
      if (at === moves.length) {
        const recorded = request.play.length ? await this.#recorded(request) : null;
        if (recorded === undefined) return;
        send({ costs: costly, start, end: values, recorded, done: true });
        return;
      }
      if (state.mover !== seat || state.legal.length < 2) continue;
      if (!concerned(values).some((side) => costs(side, moves[at]))) continue;
      const chosen = await this.#chosen(request, state, JUDGMENT);
      if (!chosen) return;
      costly.push({ at, values, chosen });
    }
  }

  // Whether a claim holds: in this layout and in others that fit what the player knows, the player's side wins
  // this number of further tricks against any defense; in a Misère, the player takes none.
  async #claim(request, state, send) {
    const { game, moves, seat, tricks, patience = PROOF } = request, { engine } = this, start = performance.now();
    const isLate = () => performance.now() >= start + patience;
    const claim = claimsOf(this.course, request.payoffs, seat).find((each) => each.tricks === tricks);
    // Bounds on the number of tricks that the side can win in the layout of a course; null if another request arrived.
    const most = async (course, bounds) => {
      const { deal, hand } = course, side = claimants(course, seat);
      const already = state.tricks.filter(({ winner }) => side >> game.order.indexOf(winner) & 1).length;
      const tally = hand.objectives[hand.contractors[0].coarse] ?? { side, credited: side, start: -already };
      this.#key = null;
      this.course = new Course(engine, game, deal, hand.contract, { ...hand, objectives: [tally], surrender: null });
      this.course.go(moves);
      let [low, high] = bounds ?? engine.span(0);
      const settled = await this.#sliced(request, () => {
        [low, high] = engine.bounds(0, low, high, tricks);
        return low === high || isLate();
      });
      return settled && [low, high];
    };
    const holds = ([low, high]) => low >= tricks || (high < tricks ? false : null);
    const real = await most(this.course);
    if (!real) return;
    const isSure = engine.span(0)[0] >= tricks, best = real[0] === real[1] ? real[0] : null;
    let good = holds(real);
    const { sampler } = this.#chooser(request, state);
    for (let layouts = 0; good && !isSure && layouts < LAYOUTS; ++layouts) {
      if (layouts >= CLAIMED && performance.now() > start + CHOICE) break;
      if (isLate()) good = null;
      else if (!sampler.draw()) break;
      else {
        const found = await most(sampler.course, [tricks - 1, tricks]);
        await breathe();
        if (!found || this.current !== request.id) return;
        good = holds(found);
      }
    }
    send({ claim: { ...claim, good, best }, done: true });
  }

  // The value of the recorded play; undefined if another request arrived.
  async #recorded(request) {
    this.course = new Course(this.engine, request.game, request.deal, request.contract);
    this.#key = null;
    this.course.go(request.play);
    return await this.#values({ ...request, ask: "value" }, () => {}) ?? undefined;
  }

  // The first card, starting at `from`, that cost its player's side something.
  async #error(request, send) {
    const { moves, from } = request;
    for (let at = from; at < moves.length; ++at) {
      this.course.go(moves.slice(0, at));
      if (moves[at].startsWith("=")) continue;
      const values = await this.#values(request, () => {});
      if (!values) return;
      if (concerned(values).some((side) => costs(side, moves[at]))) {
        send({ error: at });
        return;
      }
    }
    send({ error: null });
  }
}

// Waits for the packed module and strength tables, then for requests.
export function work(scope) {
  const answer = (reply) => scope.postMessage(reply);
  const open = async ({ module, strength }) => new Desk(await Engine.load(await unpack(module)), answer,
    strength ? strengthTables(await unpack(strength)) : {});
  let desk = null;
  scope.onmessage = async ({ data }) => {
    try {
      if (data.module) desk = open(data);
      else if (data.stop) (await desk).current = null;
      else await (await desk).take(data);
    } catch (error) {
      answer({ id: data.id, fault: String(error?.message ?? error) });
    }
  };
}
