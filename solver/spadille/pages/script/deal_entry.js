// Entering a deal: card by card, from text or a hand file, or at random.
import { button, choice, inRows, make } from "./dom.js";
import { linkIn } from "./link.js";
import { dealText, readDeal } from "./pbn.js";
import { cardName, cardSign, listed, many, seatName, suitName, SYMBOLS } from "./words.js";

function shuffled(cards) {
  const shuffled = [...cards];
  for (let i = shuffled.length - 1; i > 0; --i) {
    const [random] = crypto.getRandomValues(new Uint32Array(1));
    const j = random % (i + 1);
    [shuffled[i], shuffled[j]] = [shuffled[j], shuffled[i]];
  }
  return shuffled;
}

// A deal that is being entered; hands smaller than in a full deal are an end position.
export function dealOf(game, hands, dealer, currentTrump) {
  const next = game.order[(game.order.indexOf(dealer) + 1) % game.order.length];
  const ending = hands[dealer].length < game.size;
  return { hands, dealer, currentTrump, ...(ending ? { leader: next } : {}) };
}

export class Making {
  // `made` gets every playable deal, or null while there is none, and the argument that was passed
  // to `restore`. `cleared` is called when all cards are taken back, `reading` before a text is read, `file`
  // gets a file's text, and `link` the parameters of a link.
  constructor(game, made, { cleared = () => {}, reading = () => {}, file = () => {}, link = () => {} } = {}) {
    Object.assign(this, { game, made, cleared, reading, file, link });
    this.hands = Object.fromEntries(game.seats.map((seat) => [seat, []]));
    this.seat = game.seats[0];
    this.dealer = game.seats.at(-1);
    this.currentTrump = Object.keys(game.contracts[0].trumps).find((trump) => trump) ?? null;
    this.typed = "";
    this.#build();
    this.#draw();
  }

  #build() {
    const { game } = this;
    this.pack = make("div", { class: "pack", role: "group", "aria-label": "Undealt cards" });
    this.seats = make("div", { class: "receivers", role: "group", "aria-label": "Hand that gets the next card" });
    this.text = make("textarea", { rows: 2, "aria-label": "The deal as text", spellcheck: "false",
      onchange: () => this.#readText(),
      onpaste: () => setTimeout(() => this.#readText()),
      onkeydown: (event) => {
        if (event.key !== "Enter" || event.shiftKey || !event.ctrlKey && this.text.value.includes("\n")) return;
        event.preventDefault();
        this.#readText();
      } });
    this.said = make("p", { class: "said", role: "status", "aria-live": "polite" });
    const currents = Object.keys(game.contracts[0].trumps).filter((trump) => trump);
    const opened = make("input", { type: "file", accept: ".pbn,.txt", onchange: async () => {
      if (opened.files.length) this.file(await opened.files[0].text());
    } });
    this.root = make("section", { class: "making", "aria-label": "Deal", tabindex: "-1", onkeydown: (event) => this.#key(event) },
      make("p", {}, `Choose a hand and click its cards or type them (${[game.deck[0], game.deck.at(-1)].map((card) => card.replace("T", "10")).join(", ")}), paste or drop a deal, a hand file or a link, or deal at random.`),
      make("div", { class: "tools-line", role: "toolbar", "aria-label": "Deal" },
        button("Random", () => this.random()), button("The rest at random", () => this.random(true)),
        button("Clear", () => this.clear()),
        this.dealers = choice("Dealer", game.seats.map((seat) => [seat, seatName(seat)]), this.dealer, (seat) => {
          this.dealer = seat;
          this.#announce();
        }),
        this.turned = currents.length ? choice("Turn-up", currents.map((trump) =>
          [trump, `${SYMBOLS[trump] ?? ""} ${suitName(trump)}`]), this.currentTrump, (trump) => {
          this.currentTrump = trump;
          this.#announce();
        }) : null,
        make("label", {}, "Hand file ", opened)),
      this.said, this.seats, this.pack, make("label", { class: "deal-text" }, "Deal as text; paste a deal, a hand file or a link here", this.text),
      button("Read", () => this.#readText()));
  }

  // Restores the deal in a link; throws if it is invalid.
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
    this.#announce(params);
    this.#sayMissing();
  }

  // Shows a deal without announcing it.
  set(hands, dealer, currentTrump) {
    const { seats } = this.game;
    this.hands = hands;
    if (seats.includes(dealer)) this.dealer = dealer;
    if (currentTrump && this.turned) this.currentTrump = currentTrump;
    this.dealers.querySelector("select").value = this.dealer;
    if (this.turned) this.turned.querySelector("select").value = this.currentTrump;
    this.#draw();
  }

  clear() {
    for (const seat of this.game.seats) this.hands[seat] = [];
    [this.seat] = this.game.seats;
    this.#changed();
    this.cleared();
  }

  // Deals at random; with `rest`, only the missing cards.
  random(rest = false) {
    if (!rest) for (const seat of this.game.seats) this.hands[seat] = [];
    const left = shuffled(this.#left());
    for (const seat of this.game.seats)
      while (this.hands[seat].length < this.game.size) this.hands[seat].push(left.pop());
    this.#changed();
  }

  // Reads the text in the field unless it is known: leaving the field for the button "Read" reads it, too.
  #readText() {
    if (this.text.value === this.known) return;
    this.known = this.text.value;
    this.read(this.text.value);
  }

  read(text) {
    if (!text.trim()) return;
    this.reading();
    const params = linkIn(text);
    if (params) {
      this.link(params);
      return;
    }
    if (/\[\w+\s+"[^"]*"\][^]*\[Deal\s/.test(text) || (text.match(/\[Deal\s/g) ?? []).length > 1) {
      this.file(text);
      return;
    }
    try {
      this.hands = readDeal(this.game, text);
    } catch (error) {
      this.said.textContent = error.isNoDeal ? "This is not a deal. Enter one hand on each line (♠AK ♥76), a Deal tag, a hand file or a link." : error.message;
      return;
    }
    this.#fill();
    this.#changed();
    this.#sayMissing();
  }

  #short() { return this.game.seats.filter((seat) => this.hands[seat].length < this.game.size); }

  #left() {
    const dealt = new Set(Object.values(this.hands).flat());
    return this.game.deck.filter((card) => !dealt.has(card));
  }

  #give(card) {
    const { seats, size } = this.game;
    if (this.hands[this.seat].length >= size) {
      this.said.textContent = `${seatName(this.seat)} has all cards.`;
      return;
    }
    this.hands[this.seat].push(card);
    const said = `The ${cardName(card)} goes to ${seatName(this.seat)}.`, { seat } = this;
    if (this.hands[seat].length === size) this.seat = seats.find((other) => this.hands[other].length < size) ?? seat;
    const filled = this.#fill();
    this.#changed();
    const next = seat === this.seat ? "" : `The next card goes to ${seatName(this.seat)}.`;
    this.said.textContent = `${said} ${filled ? `The rest is ${filled}'s.` : this.said.textContent || next}`.trim();
  }

  // The last hand gets the remaining cards, if the game deals all cards.
  #fill() {
    const { seats, size, deck } = this.game, short = this.#short();
    if (short.length !== 1 || deck.length !== size * seats.length) return null;
    this.hands[short[0]].push(...this.#left());
    return seatName(short[0]);
  }

  #take(seat, card) {
    this.hands[seat] = this.hands[seat].filter((other) => other !== card);
    this.seat = seat;
    this.#changed();
  }

  // Arrow keys move through the pack or the hands; typing a suit and a rank selects a card.
  #key(event) {
    if (event.target.closest("select, input, textarea") || event.ctrlKey || event.metaKey || event.altKey) return;
    const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -100, ArrowDown: 100 }[event.key];
    const group = [this.pack, this.seats].find((buttons) => buttons.contains(event.target));
    if (step && group) {
      this.#move(group, event.target, step);
      event.preventDefault();
      return;
    }
    // Once all cards are dealt, keys act on the board.
    if (event.key.length !== 1 || !/[\w]/.test(event.key) || !this.#short().length) return;
    event.preventDefault();
    const letter = event.key.toUpperCase();
    this.typed = "SHDC".includes(this.typed[0] ?? "-") && this.typed.length < 3 ? this.typed + letter : letter;
    const card = this.typed.replace("10", "T");
    if (!/^[SHDC][2-9TJQKA]$/.test(card)) return;
    this.typed = "";
    if (this.#left().includes(card)) this.#give(card);
    else this.said.textContent = `The ${cardName(card)} ${this.game.deck.includes(card) ? "has been dealt" : "is not in this pack"}.`;
  }

  #move(group, from, step) {
    const rows = [...group.children].map((row) => [...row.querySelectorAll("button")]).filter((row) => row.length);
    const row = rows.findIndex((buttons) => buttons.includes(from));
    if (Math.abs(step) === 1) rows.flat().at((rows.flat().indexOf(from) + step) % rows.flat().length).focus();
    else {
      const distance = (other) => Math.abs(other.offsetLeft - from.offsetLeft);
      rows.at((row + Math.sign(step)) % rows.length).reduce((near, other) => distance(other) < distance(near) ? other : near).focus();
    }
  }

  #changed() {
    this.#draw();
    this.#announce();
  }

  // Whether all hands have the same number of cards, and can be played.
  #isComplete() {
    const [first, ...others] = this.game.seats.map((seat) => this.hands[seat].length);
    return first > 0 && others.every((length) => length === first);
  }

  // Says how many cards are missing after a text was read; the buttons of the hands also have these numbers.
  #sayMissing() {
    if (!this.#isComplete()) this.said.textContent = `${listed(this.#short().map((seat) =>
      `${seatName(seat)} needs ${many(this.game.size - this.hands[seat].length, "card")}`))}.`;
  }

  // Hands of equal size can be played; if they are smaller than in a full deal, they are an end
  // position.
  #announce(more = null) {
    if (!this.#isComplete()) {
      this.said.textContent = "";
      this.made(null);
      return;
    }
    const { game, dealer, currentTrump } = this;
    const hands = Object.fromEntries(game.seats.map((seat) =>
      [seat, game.deck.filter((card) => this.hands[seat].includes(card))]));
    const deal = dealOf(game, hands, dealer, currentTrump);
    this.said.textContent = deal.leader ? `An end position: ${seatName(deal.leader)} leads.` : "";
    this.made(deal, more);
  }

  #draw() {
    const { game } = this;
    const active = document.activeElement;
    const within = this.pack.contains(active) ? active.dataset.card : null;
    const row = [...this.seats.children].findIndex((hand) => hand.contains(active));
    const column = row < 0 ? 0 : [...this.seats.children[row].children].indexOf(active);
    const card = (name, onclick, label, tabindex = null) => button(cardSign(name), onclick,
      { class: `card ${name[0].toLowerCase()}`, "data-card": name, "aria-label": label, tabindex });
    const order = (cards) => game.deck.filter((name) => cards.includes(name));
    this.seats.replaceChildren(...game.seats.map((seat) => make("div", { class: "receiver" },
      button(`${seatName(seat)} (${this.hands[seat].length}/${game.size})`, () => {
        this.seat = seat;
        this.#draw();
      }, { "aria-pressed": String(seat === this.seat), tabindex: seat === this.seat ? null : "-1" }),
      order(this.hands[seat]).map((name) =>
        card(name, () => this.#take(seat, name), `take back the ${cardName(name)}`, "-1")))));
    if (row >= 0) {
      const hand = [...this.seats.children[row].children];
      (hand[column] ?? hand.at(-1)).focus();
    }
    // A dealt card leaves a gap, so that the others keep their places.
    const left = this.#left();
    this.pack.replaceChildren(...left.length ? [..."SHDC"].map((suit) => make("div", {}, game.deck.filter((name) => name[0] === suit)
      .map((name) => left.includes(name) ? card(name, () => this.#give(name), cardName(name)) : make("span")))) : []);
    const longest = Math.max(...[..."SHDC"].map((suit) => game.deck.filter((name) => name[0] === suit).length));
    inRows(this.pack, longest);
    this.known = this.text.value = dealText(game, this.hands);
    // Only one card of the pack is in the tab order; after it is dealt, the next card takes its
    // place.
    const cards = [...this.pack.querySelectorAll("button")];
    const after = game.deck.indexOf(within);
    const next = within && (cards.find((shown) => game.deck.indexOf(shown.dataset.card) >= after) ?? cards.at(-1));
    cards.forEach((shown) => { shown.tabIndex = shown === (next ?? cards[0]) ? 0 : -1; });
    if (within) (next ?? this.seats.querySelector("button")).focus();
  }
}
