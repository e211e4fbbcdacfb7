/** The gallery: all games with pictures of their boards, by category, to search and to choose from. */

import { paintEdges } from "../board/edges.js";
import { get } from "./api.js";
import { h, put } from "./dom.js";
import { recentGames } from "./recent_games.js";

const [RECENT, FOUND] = ["Recent", "Found"];
const pictures = new Map(); // promises of SVG texts, by the names of games

/** Open the gallery; `choose(name)` gets the game that is clicked. */
export function openGallery(games, choose) {
  const shelves = h("div", { class: "shelves" });
  const field = h("input", { type: "search", id: "find-game", placeholder: "Find a game", "aria-label": "Find a game",
    autocomplete: "off", oninput: () => fill() });
  const close = h("button", { type: "button", onclick: () => dialog.close() }, "Close");
  const dialog = h("dialog", { id: "gallery", "aria-label": "Games", onclose: () => (observer.disconnect(), dialog.remove()) },
    h("div", { class: "gallery-head" }, h("h2", {}, "Games"), field, close), shelves);
  const observer = new IntersectionObserver((entries) => entries.filter((one) => one.isIntersecting).forEach(({ target }) => {
    observer.unobserve(target);
    draw(target);
  }), { root: dialog, rootMargin: "200px" });
  const take = (name) => (dialog.close(), choose(name));

  function fill() {
    const wanted = field.value.trim().toLowerCase();
    const fits = (game) => [game.title, game.description, game.category].join(" ").toLowerCase().includes(wanted);
    const found = games.filter(fits);
    const rank = ({ title }) => (title.toLowerCase().startsWith(wanted) ? 0 : title.toLowerCase().includes(wanted) ? 1 : 2);
    const ranked = [...found].sort((one, two) => rank(one) - rank(two)); // a game that is called so comes first
    const recent = wanted ? [] : recentGames().map((name) => games.find((game) => game.name === name)).filter(Boolean);
    const kinds = [...new Set(found.map((game) => game.category))].sort((one, two) => (two === "Your games") - (one === "Your games"));
    put(shelves, shelf(RECENT, recent), ...(wanted ? [shelf(FOUND, ranked)]
      : kinds.map((kind) => shelf(kind, found.filter((game) => game.category === kind)))),
      found.length ? null : h("p", {}, `No game is called ${field.value.trim()}.`));
    for (const picture of shelves.querySelectorAll(".thumbnail")) observer.observe(picture);
  }

  function shelf(title, found) {
    if (!found.length) return null;
    return h("section", { "aria-label": title }, h("h3", {}, title), h("div", { class: "cards" }, ...found.map(card)));
  }

  function card({ name, title, description, database, book, chance }) {
    const marks = [[database, "solved here"], [book, "book"], [chance, "dice"]].filter(([has]) => has);
    return h("button", { type: "button", class: "card", "data-game": name, title: description, onclick: () => take(name) },
      h("span", { class: "thumbnail", "data-game": name, "aria-hidden": "true" }), h("span", {}, title),
      ...marks.map(([, word]) => h("small", { class: "badge" }, word)));
  }

  document.body.append(dialog);
  fill();
  dialog.showModal();
  field.focus();
}

async function draw(thumbnail) {
  const { game } = thumbnail.dataset;
  if (!pictures.has(game)) pictures.set(game, get("picture", { game }).then(({ svg }) => svg, () => (pictures.delete(game), "")));
  thumbnail.innerHTML = await pictures.get(game); // a game that needs a parameter has no picture
  const squares = [...thumbnail.querySelectorAll(".square")].map((square) => [square.dataset.square, square]);
  if (squares.length) paintEdges(game, thumbnail, new Map(squares));
}
