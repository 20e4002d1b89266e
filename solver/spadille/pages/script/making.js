// A page without a deal: cards are dealt by hand, from a text or at random.
import { button, choice, make } from "./dom.js";
import { dealText, readDeal } from "./pbn.js";
import { cardName, cardSign, listed, many, seatName, suitName, SYMBOLS } from "./words.js";

function shuffled(cards) {
  const found = [...cards];
  for (let i = found.length - 1; i > 0; --i) {
    const [random] = crypto.getRandomValues(new Uint32Array(1));
    const j = random % (i + 1);
    [found[i], found[j]] = [found[j], found[i]];
  }
  return found;
}

// A deal that is made: shorter hands than are dealt are an end position.
export function dealOf(game, hands, dealer, currentTrump) {
  const next = game.order[(game.order.indexOf(dealer) + 1) % game.order.length];
  const ending = hands[dealer].length < game.size;
  return { hands, dealer, currentTrump, ...(ending ? { leader: next } : {}) };
}

export class Making {
  // `made` gets every deal that can be played, and null while there is none; behind it what
  // `restore` was given.
  constructor(game, made) {
    this.game = game;
    this.made = made;
    this.hands = Object.fromEntries(game.seats.map((seat) => [seat, []]));
    this.seat = game.seats[0];
    this.dealer = game.seats.at(-1);
    this.currentTrump = Object.keys(game.contracts[0].trumps).find((trump) => trump) ?? null;
    this.#build();
    this.#draw();
  }

  #build() {
    const { game } = this;
    this.pack = make("div", { class: "pack", role: "group", "aria-label": "Cards not dealt" });
    this.seats = make("div", { class: "receivers", role: "group", "aria-label": "Who gets the next card" });
    this.text = make("input", { type: "text", size: 60, "aria-label": "The deal as text", spellcheck: "false",
      onchange: () => this.read(this.text.value) });
    this.said = make("p", { class: "said", role: "status", "aria-live": "polite" });
    const currents = Object.keys(game.contracts[0].trumps).filter((trump) => trump);
    this.root = make("section", { class: "making", "aria-label": "Deal" },
      make("p", {}, "Choose a hand and click its cards, paste a deal, or deal at random."),
      make("div", { class: "tools", role: "toolbar", "aria-label": "Deal" },
        button("Random", () => this.random()), button("The rest at random", () => this.random(true)),
        button("Clear", () => this.clear()),
        this.dealers = choice("Dealer", game.seats.map((seat) => [seat, seatName(seat)]), this.dealer, (seat) => {
          this.dealer = seat;
          this.#tell();
        }),
        this.turned = currents.length ? choice("Turn-up", currents.map((trump) =>
          [trump, `${SYMBOLS[trump] ?? ""} ${suitName(trump)}`]), this.currentTrump, (trump) => {
          this.currentTrump = trump;
          this.#tell();
        }) : null),
      this.seats, this.pack, make("label", { class: "deal-text" }, "Deal ", this.text), this.said);
  }

  // The deal of a link; throws what is wrong with it.
  restore(params) {
    const hands = readDeal(this.game, params.get("hands"));
    const chosen = (name, select, own) => {
      const wanted = params.get(name) ?? own;
      const values = select ? [...select.options].map((option) => option.value) : [null];
      if (!values.includes(wanted)) throw new Error(`${name}=${wanted} is not one of ${values.join(" ") || "none"}`);
      return wanted;
    };
    const [dealers, turned] = [this.dealers, this.turned].map((label) => label?.querySelector("select"));
    const dealer = chosen("dealer", dealers, this.dealer);
    const currentTrump = chosen("turned", turned, this.currentTrump);
    Object.assign(this, { hands, dealer, currentTrump });
    dealers.value = dealer;
    if (turned) turned.value = currentTrump;
    this.#draw();
    this.#tell(params);
  }

  clear() {
    for (const seat of this.game.seats) this.hands[seat] = [];
    this.#changed();
  }

  // Deals at random, `rest`: only what is missing.
  random(rest = false) {
    if (!rest) for (const seat of this.game.seats) this.hands[seat] = [];
    const left = shuffled(this.#left());
    for (const seat of this.game.seats)
      while (this.hands[seat].length < this.game.size) this.hands[seat].push(left.pop());
    this.#changed();
  }

  read(text) {
    try {
      this.hands = readDeal(this.game, text);
    } catch (error) {
      this.said.textContent = error.message;
      return;
    }
    this.#changed();
  }

  #left() {
    const dealt = new Set(Object.values(this.hands).flat());
    return this.game.deck.filter((card) => !dealt.has(card));
  }

  #give(card) {
    this.hands[this.seat].push(card);
    const { seats, size } = this.game;
    if (this.hands[this.seat].length === size) this.seat = seats.find((seat) => this.hands[seat].length < size) ?? this.seat;
    this.#changed();
  }

  #take(seat, card) {
    this.hands[seat] = this.hands[seat].filter((each) => each !== card);
    this.seat = seat;
    this.#changed();
  }

  #changed() {
    this.#draw();
    this.#tell();
  }

  // Hands of equal length can be played; shorter ones than are dealt are an end position.
  #tell(more = null) {
    const lengths = new Set(this.game.seats.map((seat) => this.hands[seat].length));
    const [length] = lengths;
    if (lengths.size > 1 || !length) {
      const short = this.game.seats.filter((seat) => this.hands[seat].length < this.game.size);
      this.said.textContent = `${listed(short.map((seat) =>
        `${seatName(seat)} needs ${many(this.game.size - this.hands[seat].length, "card")}`))}.`;
      this.made(null);
      return;
    }
    const { game, dealer, currentTrump } = this;
    const hands = Object.fromEntries(game.seats.map((seat) => [seat, [...this.hands[seat]]]));
    const deal = dealOf(game, hands, dealer, currentTrump);
    this.said.textContent = deal.leader ? `An end position: ${seatName(deal.leader)} leads.` : "";
    this.made(deal, more);
  }

  #draw() {
    const { game } = this;
    const active = document.activeElement?.dataset?.card;
    const card = (each, onclick, label) => button(cardSign(each), onclick,
      { class: `card ${each[0].toLowerCase()}`, "data-card": each, "aria-label": label });
    const order = (cards) => game.deck.filter((each) => cards.includes(each));
    this.seats.replaceChildren(...game.seats.map((seat) => make("div", { class: "receiver" },
      button(`${seatName(seat)} (${this.hands[seat].length}/${game.size})`, () => {
        this.seat = seat;
        this.#draw();
      }, { "aria-pressed": String(seat === this.seat) }),
      order(this.hands[seat]).map((each) =>
        card(each, () => this.#take(seat, each), `take back the ${cardName(each)}`)))));
    const full = this.hands[this.seat].length >= game.size;
    this.pack.replaceChildren(...[..."SHDC"].map((suit) => make("div", {}, this.#left().filter((each) =>
      each[0] === suit).map((each) => card(each, () => full || this.#give(each), cardName(each))))));
    this.text.value = dealText(game, this.hands);
    if (active) (this.root.querySelector(`[data-card="${active}"]`) ?? this.pack.querySelector("button"))?.focus();
  }
}
