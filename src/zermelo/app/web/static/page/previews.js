/** Previews: positions that are looked at without being played, as an engine's line or an example of the rules. */

import { asked } from "../lib/address.js";
import { h, sleep } from "../lib/dom.js";
import { ending } from "../lib/outcome_text.js";
import { showStatus } from "./notices.js";
import { here, state } from "./page_state.js";
import { position } from "./positions.js";

const EXAMPLE_DELAY = 900; // milliseconds between two moves of an example

export class Previews {
  /** @param {object} page  board, go(changes), fail(error), and restore(): show the position of the page again */
  constructor(page) {
    this.page = page;
    this.moves = null; // of the present preview
  }

  get on() {
    return this.moves !== null;
  }

  /** Forget the preview: something else is shown. */
  drop() {
    this.moves = null;
  }

  end() {
    if (!this.on) return;
    this.drop();
    this.page.restore();
  }

  /** Look at the position after some more moves, which are not played. */
  async show(moves) {
    const { address, position: shown } = state;
    this.moves = moves;
    try {
      const ahead = await position(asked({ ...address, moves: [...here(), ...moves] }, Infinity));
      if (this.moves !== moves || state.position !== shown) return;
      this.page.board.show(ahead, { enabled: false, flip: address.flip });
      const play = () => this.page.go({ moves: [...here(), ...moves] });
      showStatus(h("span", { class: "preview" }, `Preview: ${moves.join(" ")}`),
        h("button", { type: "button", id: "play-preview", onclick: play }, "Play"), this.#back());
    } catch (error) {
      this.drop();
      this.page.fail(error);
    }
  }

  /** Let an example play itself on the board: the game that is shown stays as it is. */
  async example(game, moves) {
    const mine = (this.moves = [...moves]);
    try {
      for (let count = 0; count <= moves.length; count++) {
        const ahead = await position({ game, moves: moves.slice(0, count).join(" ") });
        if (this.moves !== mine) return;
        this.page.board.show(ahead, { enabled: false, flip: false });
        const said = (ahead.outcome && ending(ahead.outcome)) ?? `Example: ${moves[count - 1] ?? "the start"}`;
        showStatus(h("span", { class: "preview" }, said), this.#back());
        await sleep(EXAMPLE_DELAY);
      }
    } catch (error) {
      if (this.moves === mine) this.page.fail(error);
    }
  }

  #back() {
    return h("button", { type: "button", id: "end-preview", onclick: () => this.end() }, "Back");
  }
}
