/** A match of two engines, played by the server and watched live: the board follows the game, the score grows. */

import { asked } from "../lib/address.js";
import { lines } from "../lib/api.js";
import { h, options, put } from "../lib/dom.js";
import { levelOptions } from "./levels.js";

const GAMES = [["2", "2 games"], ["10", "10 games"], ["50", "50 games"]];

/**
 * The choice of two engines, and the match after the button is pressed; it is made once and keeps what was chosen.
 *
 * @param {() => void} begins  called when the board is about to show games of the match
 */
export function engineMatch(page, begins) {
  let work = null;
  const choice = (id, pairs) => h("select", { id }, ...pairs);
  const first = choice("match-first", levelOptions("3", {}));
  const second = choice("match-second", levelOptions("5", {}));
  const games = choice("match-games", options(GAMES, "2"));
  const button = h("button", { type: "button", id: "match-start", onclick: () => (work ? stop() : run()) }, "Start the match");
  const score = h("p", { id: "match-score", class: "quiet", role: "status" });
  const root = h("details", { id: "match" }, h("summary", {}, "A match of two engines"),
    h("div", { class: "row" }, h("label", {}, "One engine", first), h("label", {}, "The other", second),
      h("label", {}, "Games", games), button), score);

  function stop() {
    work?.abort();
    work = null;
    button.textContent = "Start the match";
  }

  async function run() {
    work = new AbortController();
    const { signal } = work;
    begins();
    button.textContent = "Stop";
    const place = asked(page.address);
    const question = { ...place, first: first.value, second: second.value, games: games.value };
    try {
      for await (const found of lines("match", question, { signal, waiting: page.waiting })) {
        if (found.error) throw new Error(found.error);
        if (!root.isConnected) return stop(); // the reader has gone elsewhere
        await show(place, found, signal);
      }
      stop();
    } catch (error) {
      if (!signal.aborted) stop(), page.fail(error);
    }
  }

  async function show(place, found, signal) {
    const position = await page.fetch({ ...place, moves: found.moves.join(" ") }, signal);
    if (signal.aborted) return;
    page.board.show(position, { enabled: false, flip: page.address.flip });
    page.evalBar(found.share);
    const [won, drawn, lost] = found.counts;
    const sides = found.seats[0] === 0 ? "The one begins." : "The other begins.";
    put(score, `Game ${found.number} of ${found.games}: ${won} won, ${drawn} drawn, ${lost} lost by the one. `,
      found.elo ? `Elo ${found.elo}. ` : "", found.result || sides);
  }

  return { root, stop };
}
