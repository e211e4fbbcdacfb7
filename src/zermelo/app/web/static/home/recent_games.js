/** The games that this browser has shown last, each where it was left; a browser that keeps nothing has none. */

import { format } from "../lib/address.js";

const KEY = "zermelo-recent-games";
const MAX_RECENT = 6;

/**
 * The games, the last one first.
 *
 * @returns {{title: string, query: string, question: object, moves: number}[]} what a game is called, the address of its
 *   last position, what the API is asked of it, and how many moves led to it
 */
export function recentGames() {
  try {
    const found = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(found) ? found.filter((one) => typeof one?.query === "string" && one.question) : [];
  } catch {
    return [];
  }
}

/** Remember the position that is shown, and its address, in place of what was remembered of this game. */
export function rememberGame(address, { game, title, start, moves }) {
  const question = { game, start: address.start && start, moves: moves.join(" ") };
  const others = recentGames().filter((other) => other.question.game !== game);
  const recent = [{ title, query: format(address), question, moves: moves.length }, ...others].slice(0, MAX_RECENT);
  try {
    localStorage.setItem(KEY, JSON.stringify(recent));
  } catch {
    // a browser that keeps nothing
  }
}
