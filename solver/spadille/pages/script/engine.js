// The engine (csrc/wasm.cpp): one hand in play, and the values of its objectives.

const bits = (low, high) => BigInt(low >>> 0) | BigInt(high >>> 0) << 32n;
const halves = (set) => [Number(set & 0xFFFFFFFFn) | 0, Number(set >> 32n) | 0];

// The numbers of the cards in a set, ascending.
function* members(set) {
  for (let card = 0; set; ++card, set >>= 1n) if (set & 1n) yield card;
}

const list = (numbers) => [numbers.length, ...numbers];

export class Engine {
  // `bytes` is the compiled module.
  static async load(bytes) {
    const imports = {
      env: { emscripten_notify_memory_growth() {} },
      wasi_snapshot_preview1: {
        // The clock for time limits, in nanoseconds.
        clock_time_get: (clock, precision, at) => {
          const now = BigInt(Math.round(performance.now() * 1e6));
          new DataView(engine.wasm.memory.buffer).setBigUint64(at, now, true);
          return 0;
        },
        proc_exit: (status) => { throw new Error(`the engine ended with ${status}`); },
      },
    };
    const { instance } = await WebAssembly.instantiate(bytes, imports);
    const engine = new Engine(instance.exports);
    engine.wasm._initialize();
    return engine;
  }

  constructor(wasm) { this.wasm = wasm; }

  // Starts a hand made by `handOf`.
  begin(hand) {
    const { problem } = hand;
    this.#call("begin", [
      problem.players, problem.trump, problem.leader, ...halves(problem.matadors), ...list(problem.following),
      ...Array.from({ length: 5 }, (_, i) => halves(problem.hands[i] ?? 0n)).flat(),
      ...list(problem.trick), ...halves(problem.called), hand.namer, ...list(hand.trumps),
    ]);
    hand.objectives.forEach((objective) => this.#add(objective));
    this.objectives = hand.objectives.length;
  }

  #add(objective) {
    if (!objective.levels) {
      this.#call("add_tricks", [objective.side, objective.credited, objective.madeOrNot ? 1 : 0, objective.start]);
      return;
    }
    this.#call("add_payoff", [
      objective.side, ...halves(objective.marked), objective.start,
      objective.levels.length, ...objective.levels.flatMap(list),
      ...list(objective.worth), objective.values, ...list(objective.grades),
      objective.terms.length, ...objective.terms.flat(),
      objective.counts.length, ...objective.counts.flatMap((level) => [level.length, ...level.flatMap(list)]),
    ]);
  }

  // Passes numbers to a function that returns an error number.
  #call(name, numbers) {
    const at = this.wasm.room(numbers.length);
    new Int32Array(this.wasm.memory.buffer, at, numbers.length).set(numbers);
    const fault = this.wasm[name]();
    if (!fault) return;
    const bytes = new Uint8Array(this.wasm.memory.buffer, fault);
    throw new Error(String.fromCharCode(...bytes.subarray(0, bytes.indexOf(0))));
  }

  #read(at) { return new Int32Array(this.wasm.memory.buffer, at); }

  rewind() { this.wasm.rewind(); }

  // The player who wins the trick with this card, or -1.
  play(card) { return this.wasm.play(card); }

  name(lane) { this.wasm.name(lane); }

  // The number of the reason why a card is illegal now; 0 if it is legal.
  refusal(card) { return this.wasm.refusal(card); }

  position() {
    const [left, leader, mover, winning, trump, low, high, lowEqual, highEqual, ...rest] =
      this.#read(this.wasm.position()).subarray(0, 9 + this.objectives);
    return {
      left, leader, mover, winning, trump, legal: [...members(bits(low, high))],
      equivalents: [...members(bits(lowEqual, highEqual))], states: rest,
    };
  }

  // Limits later searches to these numbers of nodes and milliseconds; 0 means no limit.
  limit(nodes = 0, ms = 0) { this.wasm.limit(nodes, ms); }

  get nodes() { return this.wasm.nodes(); }

  forget() { this.wasm.forget(); }

  span(objective) {
    const [low, high] = this.#read(this.wasm.span(objective));
    return [low, high];
  }

  // The bounds on the value, which are equal unless a limit stopped the search.
  bounds(objective, low, high, guess) {
    const numbers = this.#read(this.wasm.bounds(objective, low, high, guess));
    return [numbers[0], numbers[1]];
  }

  // The values of the legal cards as pairs [card, value]; null if a limit stopped the search.
  cards(objective, value) { return this.#values(this.wasm.cards(objective, value)); }

  // The values of the legal cards if everybody plays by rules of thumb after the card.
  playouts(objective) { return this.#values(this.wasm.playouts(objective)); }

  #values(at) {
    const numbers = this.#read(at);
    return Array.from({ length: numbers[0] }, (_, i) =>
      [numbers[1 + 3 * i], numbers[3 + 3 * i] ? numbers[2 + 3 * i] : null]);
  }

  // An optimal line: its cards and the trump named in it (or -1); null if a limit stopped the search.
  line(objective, value) {
    const numbers = this.#read(this.wasm.line(objective, value));
    if (!numbers[0]) return null;
    return { named: numbers[1], cards: [...numbers.subarray(3, 3 + numbers[2])] };
  }
}
