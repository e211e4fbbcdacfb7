/** The home of the page: games to go on with, and the gallery of all games. */

import { h, put } from "../lib/dom.js";
import { begin } from "../lib/game_chooser.js";
import { Gallery } from "./gallery.js";
import { recentGames } from "./recent_games.js";
import { thumbnail } from "./thumbnails.js";

const LESSONS = "Trees for lectures"; // games that are there to be learnt from
const WORDS = {
  play: ["Choose a game to play", "Against the computer at any level, with a friend, or engine against engine."],
  analyze: ["Choose a game to analyze", "The engine tells what every move is worth, and finds the mistakes of a game."],
  explore: ["Choose a game to explore", "Perfect play, move by move; games that are small enough are solved while you wait."],
};

let gallery = null;

/**
 * Show the home.
 *
 * @param {object} state  the games, and the address with the mode in which a game will be opened
 * @param {(changes: object) => void} go  shows a game
 * @param {(query: string) => void} open  shows an address
 */
export function showHome(root, { games, address }, go, open) {
  const [title, words] = WORDS[address.mode];
  const choice = h("div", { id: "chosen" });
  const choose = (game) => {
    const mode = game.category === LESSONS ? "learn" : address.mode;
    begin(choice, games, game.name, (chosen) => go({ ...chosen, moves: [], mode }), { browse: () => {}, example: () => {} });
    choice.scrollIntoView({ block: "nearest" }); // of a game that needs a parameter, it has the form
  };
  if (gallery?.games !== games) gallery = new Gallery(games, choose);
  gallery.choose = choose;
  gallery.refresh();
  put(root, h("div", { class: "welcome" }, h("div", {}, h("h2", {}, title), h("p", {}, words)), gallery.field), choice,
    recent(recentGames(), open), gallery.filters, gallery.sections);
}

/** The games to go on with, each at the position where it was left. */
function recent(found, open) {
  if (!found.length) return null;
  const card = ({ title, query, question, moves }) => h("button", { type: "button", class: "card", "data-query": query, onclick: () => open(query) },
    thumbnail(question), h("strong", {}, title), h("small", { class: "told" }, moves ? `${moves} ${moves === 1 ? "move" : "moves"}` : "not begun"));
  return h("section", { id: "recent", "aria-label": "Go on with" }, h("h3", {}, "Go on with"), h("div", { class: "cards" }, ...found.map(card)));
}
