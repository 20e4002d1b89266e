// The reader's own deals: typed in, from a link, or from a hand file.
import { Board } from "./playing_board.js";
import { sharing } from "./sharing.js";
import { button, choice, make, reveal } from "./dom.js";
import { address, located } from "./link.js";
import { Making } from "./deal_entry.js";
import { contractOfTags, dealText, exchanged, nameTag, readDeal, readFile, tricksOf } from "./pbn.js";
import { keptSeat } from "./kept_on_reload.js";
import { anyContract, resolved } from "./allowed_contracts.js";
import { many } from "./words.js";

// Opens a hand at the place in a link; if the link is invalid, opens the hand without it and throws.
export function follow(hand, params, open) {
  let where = null, wrong = null;
  try {
    where = located(hand, params);
  } catch (error) {
    wrong = error;
  }
  open(where);
  if (wrong) throw wrong;
}

// The hands after the exchange, and the reason if it cannot be applied.
function exchangedHands(game, dealt, tags) {
  if (!tags.Drawn && !tags.Discard) return [dealt, ""];
  try {
    return [exchanged(game, dealt, tags), ""];
  } catch (error) {
    return [dealt, error.message];
  }
}

export class Entry {
  // `tables` has the game tables by rules; `first` is the initial game.
  constructor(client, tables, first) {
    Object.assign(this, { client, tables, game: first });
    this.place = make("div");
    this.files = make("div", { class: "file" });
    this.maker = make("div");
    this.games = make("div", { class: "games" });
    this.root = make("div", { class: "entry" }, this.games, this.maker, this.files, this.place);
    this.use(first);
    addEventListener("dragover", (event) => event.preventDefault());
    addEventListener("drop", async (event) => {
      event.preventDefault();
      const [file] = event.dataTransfer.files;
      this.read(file ? await file.text() : event.dataTransfer.getData("text"));
    });
  }

  // Adds the tables of other games once they are loaded.
  more(tables) {
    for (const table of tables) if (!this.#tables(table.id, table.rules)) this.tables.push(table);
    this.#offer();
  }

  // The tables of a game with these rules; options without effect on the page do not count.
  #tables(id, rules) {
    const ofGame = this.tables.filter((table) => table.id === id);
    return ofGame.find((table) => table.rules === rules)
      ?? ofGame.find(({ rules: own, alike }) => !own && rules.split(";").every((option) => alike.includes(option.split("=")[0])));
  }

  #offer() {
    if (this.tables.length < 2) return;
    const names = this.tables.map((table, number) => [String(number), [table.name, table.rules].filter(Boolean).join(", ")]);
    this.games.replaceChildren(choice("Game", names, String(this.tables.indexOf(this.game)), (number) => {
      this.use(this.tables[number]);
    }));
  }

  // Switches to another game.
  use(game) {
    this.game = game;
    this.board = this.contract = this.shown = null;
    this.place.replaceChildren();
    this.#mark();
    this.making = new Making(game, (deal, params) => this.#made(deal, params), {
      cleared: () => this.#cleared(), reading: () => this.#hide(), file: (text) => this.read(text), link: (params) => this.#link(params) });
    this.maker.replaceChildren(this.making.root);
    this.#offer();
  }

  // Opens the deal in a link, for any game with tables on the page.
  visit(params) {
    if (!params.has("hands")) return;
    const id = params.get("game") ?? this.game.id, rules = params.get("rules") ?? (id === this.game.id ? this.game.rules : "");
    const game = this.#tables(id, rules);
    if (!game) throw new Error(`this page does not have the game ${[id, rules].filter(Boolean).join(" with ")}`);
    if (game !== this.game) this.use(game);
    this.making.restore(params);
  }

  // Opens a link that was pasted.
  #link(params) {
    try {
      this.visit(params);
    } catch (error) {
      this.making.said.textContent = `This link is not valid: ${error.message}`;
    }
  }

  // Hides the board of the last deal until another deal is shown.
  #hide(hidden = true) { this.place.hidden = hidden; }

  #cleared() {
    this.#mark();
    this.contract = this.board?.contract ?? this.contract;
    this.board = this.shown = null;
    this.place.replaceChildren();
  }

  // Called when a deal becomes complete or incomplete; while it is incomplete, the board keeps the
  // last deal.
  #made(deal, params = null) {
    if (deal) this.#hide(false);
    if (!deal || (!params && JSON.stringify(deal) === this.shown)) return;
    this.contract = this.board?.contract ?? this.contract;
    const contract = (this.contract && resolved(this.game, deal, this.contract)) ?? anyContract(this.game, deal);
    if (!contract) return;
    this.#mark();
    this.#show({ game: this.game, deal, contract, play: [], chosen: Boolean(this.contract) }, params);
  }

  #show(hand, params = null) {
    const { game } = hand;
    this.#hide(false);
    this.shown = JSON.stringify(hand.deal);
    const moved = (board) => {
      if (board !== this.board) return;
      const { deal } = board;
      history.replaceState(null, "", address(board, { ...(this.tables.length > 1 ? { game: game.id } : {}),
        ...(game.rules ? { rules: game.rules } : {}), hands: dealText(game, deal.hands), dealer: deal.dealer,
        ...(deal.currentTrump ? { turned: deal.currentTrump } : {}) }));
    };
    // While the deal is played from a seat, its hands are not shown above the board either.
    const hides = (on) => {
      this.root.classList.toggle("sitting", on);
      reveal(this.board.root, false);
    };
    this.root.classList.remove("sitting");
    this.board = new Board(this.client, { heading: "h2", ...hand, hides }, { moved, title: "Play" });
    this.board.side.append(sharing(this.board));
    this.place.replaceChildren(this.board.root);
    const sat = params && keptSeat(hand.deal);
    const open = (where) => {
      if (sat) this.board.sitAt(sat.seat, sat.moves, sat.contract);
      else if (where?.seat) this.board.sitAt(where.seat, where.moves.slice(0, where.at), where.contract);
      else if (where) this.board.choose(where.contract, where.moves, where.at);
      else this.board.show(hand.chosen ? "" : "Choose a contract. The table of contracts shows which ones make.");
    };
    // While the reader chooses a dealer or types cards, the focus stays on that control.
    const active = document.activeElement;
    if (!active?.matches("select")) reveal(this.board.root, !this.making.root.contains(active));
    if (params && !sat) follow(hand, params, open);
    else open(null);
  }

  // Lists the deals of a hand file, and opens the first.
  read(text) {
    this.#hide();
    const games = readFile(text);
    if (!games.length) {
      this.making.read(text);
      return;
    }
    const say = (words) => { this.making.said.textContent = words; };
    const open = (game, number) => {
      const id = game.tags.Game?.toLowerCase();
      const tables = (id ? this.#tables(id, game.tags.Rules ?? "") : this.game);
      if (!tables) {
        say(`Deal ${number + 1} needs ${[id, game.tags.Rules].filter(Boolean).join(" with ")}, which this page does not have.`);
        return;
      }
      if (tables !== this.game) this.use(tables);
      try {
        this.#open(tables, game, (words) => say(`Deal ${game.tags.Board || number + 1} of ${games.length}. ${words}`));
      } catch (error) {
        say(`Deal ${game.tags.Board || number + 1}: ${error.message}`);
      }
    };
    const choices = games.map((game, number) => button(game.tags.Board || String(number + 1), () => {
      open(game, number);
      this.#mark(number);
    }));
    this.files.replaceChildren(make("nav", { class: "deals", "aria-label": "Deals in the file" },
      make("ol", {}, make("li", { class: "count" }, `${many(games.length, "deal")} in the file:`), choices.map((each) => make("li", {}, each)))));
    open(games[0], 0);
    this.#mark(0);
  }

  // Marks the deal of the file that is open, if any.
  #mark(open = null) {
    this.files.querySelectorAll("button").forEach((each, number) => each.setAttribute("aria-current", String(number === open)));
  }

  // Opens a deal of a hand file, with its contract, names and play.
  #open(game, file, say) {
    const { tags } = file;
    const dealt = readDeal(game, tags.Deal);
    const [hands, wrong] = exchangedHands(game, dealt, tags);
    const names = Object.fromEntries(game.seats.flatMap((seat) => (tags[nameTag(seat)] ?? "?") !== "?" ? [[seat, tags[nameTag(seat)]]] : []));
    const lengths = new Set(Object.values(hands).map((hand) => hand.length));
    this.making.set(hands, tags.Dealer, tags.CurrentTrump);
    if (lengths.size > 1 || lengths.has(0)) {
      say("Its hands do not have the same number of cards.");
      return;
    }
    const short = [...lengths][0] < game.size;
    const deal = { hands, dealer: tags.Dealer || game.seats.at(-1), currentTrump: this.making.currentTrump, ...(short ? { leader: tags.Leader } : {}) };
    if (short && !game.seats.includes(tags.Leader)) deal.leader = game.order[(game.order.indexOf(deal.dealer) + 1) % game.order.length];
    const wanted = contractOfTags(game, tags);
    const contract = (wanted && resolved(game, deal, wanted)) ?? anyContract(game, deal);
    const hand = { game, deal, contract, names, play: [], chosen: Boolean(wanted), exchanged: hands !== dealt };
    const notes = [wrong && `Its hands are as dealt, as its exchange cannot be applied: ${wrong}.`,
      !wrong && hands !== dealt && "Its hands are those after the exchange.",
      !wanted && "Its contract is not in its tags: choose one."].filter(Boolean);
    const tricks = wrong || !wanted ? [] : tricksOf(game, file);
    if (!tricks.length) {
      this.#show(hand);
      say(notes.join(" "));
      return;
    }
    this.client.ask({ ask: "record", game, deal, contract, moves: [], tricks }, ({ record, fault }) => {
      this.#show({ ...hand, play: record ?? [] });
      const all = tricks.reduce((sum, cards) => sum + Object.keys(cards).length, 0);
      if (fault || record.length < all) notes.push(`Its play is valid for ${many(record?.length ?? 0, "card")}.`);
      say(notes.join(" "));
    });
  }
}
