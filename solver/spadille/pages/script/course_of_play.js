// The course of a hand: plays cards, and describes the position after each.
//
// A move is a card, or "=" and the trump that is named. The engine decides which cards are legal
// and which card wins; this module knows how a contract counts tricks.
import { handOf } from "./hand_encoding.js";

export const NAMING = "=";

const has = (set, player) => Boolean(set >> player & 1);

export class Course {
  constructor(engine, game, deal, contract, hand = handOf(game, deal, contract)) {
    this.engine = engine;
    this.game = game;
    this.deal = deal;
    this.hand = hand;
    engine.begin(this.hand);
    this.go([]);
  }

  // Plays these moves from the beginning; returns how many of them can be played.
  go(moves) {
    this.engine.rewind();
    this.moves = [];
    this.tricks = [];
    this.table = [];
    this.won = [...this.hand.won];
    this.row = this.hand.row;
    this.lost = false;
    for (const move of moves) if (this.refusal(move)) break; else this.#play(move);
    return this.moves.length;
  }

  // The moves of tricks, each with the card of every seat, up to the first illegal one.
  record(tricks) {
    this.go([]);
    for (const cards of tricks)
      for (let i = 0; i < this.game.order.length; ++i) {
        const card = cards[this.game.order[this.engine.position().mover]];
        if (!card || this.refusal(card)) return this.moves;
        this.#play(card);
      }
    return this.moves;
  }

  // The reason why a move is illegal, a number of `Refusal` in csrc/following.hpp; 0 if it is legal.
  refusal(move) {
    if (this.lost) return 1;
    if (move.startsWith(NAMING)) {
      const { trump, mover } = this.engine.position();
      const lane = this.hand.code.lane(move.slice(1));
      const named = trump < 0 && mover === this.hand.namer && this.hand.trumps.includes(lane);
      return named ? 0 : 2;
    }
    return this.engine.refusal(this.hand.code.card.get(move) ?? -1);
  }

  #play(move) {
    const { engine, hand, game } = this;
    this.moves.push(move);
    if (move.startsWith(NAMING)) {
      engine.name(hand.code.lane(move.slice(1)));
      return;
    }
    const { mover } = engine.position();
    this.table.push({ seat: game.order[mover], card: move });
    const winner = engine.play(hand.code.card.get(move));
    if (winner < 0) return;
    const ours = has(hand.runners, winner);
    this.tricks.push({ winner: game.order[winner], cards: this.table });
    this.table = [];
    this.won[winner] += 1;
    if (this.row === null) return;
    if (ours) this.row += 1;
    else if (hand.inARow.ends[this.row]) this.lost = true;
    else if (!this.goesOn) this.row = null;
  }

  // Whether the side has won the first tricks, so playing another card means going on for all.
  get goesOn() { return this.row !== null && this.hand.inARow.goesOn[this.row]; }

  // The questions about a surrender; null unless the declarer may surrender instead of playing a card.
  get surrender() {
    const { surrender } = this.hand;
    if (!surrender || this.tricks.length >= surrender.last) return null;
    return this.game.order[this.engine.position().mover] === surrender.seat ? surrender : null;
  }

  // The position, with everything needed to draw it.
  state() {
    const { code } = this.hand;
    const { order } = this.game;
    const at = this.engine.position();
    const over = at.left === 0 || this.lost;
    const played = new Set(this.moves);
    const hands = Object.fromEntries(order.map((seat) =>
      [seat, this.deal.hands[seat].filter((card) => !played.has(card))]));
    const mover = over ? null : order[at.mover];
    const naming = !over && at.trump < 0 && at.mover === this.hand.namer;
    const legal = over ? [] : at.legal.map((card) => code.name.get(card));
    return {
      moves: this.moves, hands, mover, naming, over, lost: this.lost, legal,
      leader: order[at.leader], table: this.table, tricks: this.tricks,
      winning: at.winning < 0 ? null : order[at.winning],
      trump: at.trump < 0 ? null : code.suit(at.trump),
      trumps: naming ? this.hand.trumps.map(code.suit) : [],
      refused: Object.fromEntries((hands[mover] ?? []).map((card) => [card, this.refusal(card)])),
      won: Object.fromEntries(order.map((seat, player) => [seat, this.won[player]])),
      goesOn: this.goesOn,
      maySurrender: !over && this.surrender !== null,
    };
  }

  // The questions for each declarer. For a Misère, the first question is whether it makes, which is
  // much quicker to answer.
  questions() {
    return this.hand.contractors.map((contractor) => {
      const { seat, kind } = contractor;
      if (contractor.coarse !== undefined)
        return { seat, kind, unit: "tricks", objective: contractor.main, coarse: contractor.coarse, target: 0 };
      if (kind.aim !== "tricks") {
        const names = this.hand.objectives[contractor.main].named;
        return { seat, kind, unit: kind.aim === "most" ? "outcome" : "points",
          objective: contractor.main, names };
      }
      const rest = contractor.rest !== undefined && this.goesOn;
      return { seat, kind, unit: "tricks", objective: rest ? contractor.rest : contractor.main,
        target: rest ? this.game.size : kind.target, goesOn: rest };
    });
  }

  // Whether the player to move prefers high values of an objective.
  gains(objective) {
    return has(this.hand.objectives[objective].side, this.engine.position().mover);
  }
}
