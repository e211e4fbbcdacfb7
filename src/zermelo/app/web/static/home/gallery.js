/** The gallery: all games as cards with pictures of their boards, by category, to search and to choose from. */

import { h, put } from "../lib/dom.js";
import { thumbnail } from "./thumbnails.js";

const FOUND = "Found";

export class Gallery {
  #wanted = ""; // what is searched for
  #kind = ""; // the category that is shown; empty for all

  /** @param {(game: object) => void} choose  called with the game that is clicked */
  constructor(games, choose) {
    this.games = games;
    this.choose = choose;
    this.ranked = [...games].sort((one, two) => one.rank - two.rank);
    this.kinds = [...new Set(this.ranked.map(({ category }) => category))];
    this.field = h("input", { type: "search", id: "find-game", placeholder: "Find a game", "aria-label": "Find a game",
      autocomplete: "off", oninput: () => this.#search(), onkeydown: (event) => event.key === "Enter" && this.#first() });
    this.filters = h("div", { class: "filters", role: "group", "aria-label": "Kinds of games" },
      ...["", ...this.kinds].map((kind) => h("button", { type: "button", "data-kind": kind, onclick: () => this.#show(kind) }, kind || "All")));
    this.sections = h("div", { id: "gallery", class: "game-kinds" });
  }

  /** Draw the cards anew: what is known of the games may have changed. */
  refresh() {
    this.#show(this.#kind);
  }

  #search() {
    this.#wanted = this.field.value.trim().toLowerCase();
    this.#show(this.#kind);
  }

  /** Show one kind of games, or all. */
  #show(kind) {
    this.#kind = kind;
    for (const button of this.filters.children) button.setAttribute("aria-pressed", button.dataset.kind === kind);
    const found = this.#found();
    const take = (game) => this.choose(game);
    const sections = this.#wanted ? [section(FOUND, found, take)]
      : this.kinds.map((one) => section(one, found.filter(({ category }) => category === one), take));
    put(this.sections, ...sections, found.length ? null : this.#none());
  }

  /** The games of the kind that fit the search; those that are called so come first. */
  #found() {
    const wanted = this.#wanted;
    const kind = this.ranked.filter(({ category }) => !this.#kind || category === this.#kind);
    if (!wanted) return kind;
    const rank = ({ title }) => (title.toLowerCase().startsWith(wanted) ? 0 : title.toLowerCase().includes(wanted) ? 1 : 2);
    const fits = (game) => [game.title, game.description, game.category].join(" ").toLowerCase().includes(wanted);
    return kind.filter(fits).sort((one, two) => rank(one) - rank(two));
  }

  #none() {
    const all = () => {
      this.field.value = "";
      this.#kind = "";
      this.#search();
      this.field.focus();
    };
    const where = this.#kind ? ` in ${this.#kind}` : "";
    return h("p", { class: "nothing", role: "status" }, `No game${where} is called ${this.field.value.trim()}. `,
      h("button", { type: "button", onclick: all }, "Show all games"));
  }

  #first() {
    const [first] = this.#found();
    if (this.#wanted && first) this.choose(first);
  }
}

function section(title, games, choose) {
  if (!games.length) return null;
  return h("section", { "aria-label": title }, h("h3", {}, title), h("div", { class: "cards" }, ...games.map((game) => card(game, choose))));
}

function card(game, choose) {
  const { name, title, description, database, book, chance } = game;
  const marks = [[database, "solved here"], [book, "book"], [chance, "dice"]].filter(([has]) => has);
  return h("button", { type: "button", class: "card", "data-game": name, onclick: () => choose(game) },
    thumbnail({ game: name }), h("strong", {}, title), h("small", { class: "told" }, description),
    marks.length ? h("span", { class: "badges" }, ...marks.map(([, word]) => h("small", { class: "badge" }, word))) : null);
}
