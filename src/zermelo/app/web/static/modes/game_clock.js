/**
 * The players' clocks: minutes for the game, and seconds that are added after each move.
 *
 * They start with the first move, stand still while dice roll, while the page loads and in other modes, and survive a reload.
 */

import { h, put } from "../lib/dom.js";

export const CLOCKS = [["", "None"], ["1+0", "1 min"], ["3+2", "3 min + 2 s"], ["5+3", "5 min + 3 s"], ["10+5", "10 min + 5 s"],
  ["30+0", "30 min"]];
const KEY = "zermelo-clock";
const TICK = 100; // milliseconds between two drawings
const EXPECTED_MOVES = 30; // that the engine plans for
const LEAST_SECONDS = 0.05; // of the engine's move, however late it is

export class GameClock {
  #since = 0; // when the running clock was started or last drawn
  #timer = null;
  #running = null;

  /** @param {(player: number) => void} flag  called when a player's time is up */
  constructor(root, flag) {
    this.root = root;
    this.flag = flag;
    this.left = [0, 0]; // milliseconds
    this.state = ""; // the clock and the game for which `left` is
    this.plies = 0;
  }

  /**
   * Show the clocks of a position, and let the one of `player` run; null lets none run. The player who has moved
   * since the last call gets the increment.
   *
   * @param {object} game  text: the clock as "5+3", "" is none; key: what tells games apart; plies: how many were played
   */
  show({ text, key, plies, names }, player) {
    this.pause();
    this.root.hidden = !text;
    if (!text) return void (this.state = "");
    this.names = names;
    const [minutes, increment] = text.split("+").map(Number);
    const state = JSON.stringify([text, key]);
    if (state !== this.state || !plies || (player !== null && this.left.includes(0))) this.#begin(state, plies, 60_000 * minutes);
    if (plies > this.plies && this.moved !== null) this.left[this.moved] += 1000 * increment;
    this.increment = increment;
    this.plies = plies;
    this.moved = player;
    if (player !== null && plies) this.#start(player);
    this.#draw();
    this.#keep();
  }

  /** Stop the clock that runs. */
  pause() {
    this.#spend();
    clearInterval(this.#timer);
    this.#timer = this.#running = null;
  }

  /** The seconds that a player may think about a move. */
  share(player) {
    const seconds = this.left[player] / 1000;
    return Math.max(LEAST_SECONDS, Math.min(seconds / EXPECTED_MOVES + 0.7 * this.increment, seconds / 3));
  }

  #begin(state, plies, full) {
    const kept = plies ? remembered() : null;
    this.left = kept?.state === state ? kept.left : [full, full];
    this.state = state;
    this.plies = plies;
    this.moved = null;
  }

  #start(player) {
    this.#running = player;
    this.#since = performance.now();
    this.#timer = setInterval(() => this.#tick(), TICK);
  }

  #tick() {
    this.#spend();
    this.#draw();
    if (this.left[this.#running] > 0) return;
    const player = this.#running;
    this.pause();
    this.flag(player);
  }

  #spend() {
    if (this.#running === null) return;
    const now = performance.now();
    this.left[this.#running] = Math.max(0, this.left[this.#running] - (now - this.#since));
    this.#since = now;
  }

  #draw() {
    const face = (player) => h("span", { class: `clock ${this.#running === player ? "running" : ""} ${
      this.left[player] < 20_000 ? "low" : ""}`, "data-player": player },
    h("span", { class: `stone side${player}`, "aria-hidden": "true" }), `${this.names[player]} `, h("time", {}, written(this.left[player])));
    put(this.root, face(0), face(1));
  }

  #keep() {
    try {
      sessionStorage.setItem(KEY, JSON.stringify({ state: this.state, left: this.left }));
    } catch {
      // a browser that keeps nothing begins anew after a reload
    }
  }
}

/** A time as 4:59, or 0:09.3 in the last ten seconds. */
export function written(milliseconds) {
  const tenths = Math.ceil(milliseconds / 100);
  if (tenths < 100) return `0:0${Math.floor(tenths / 10)}.${tenths % 10}`;
  const seconds = Math.ceil(milliseconds / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

function remembered() {
  try {
    const found = JSON.parse(sessionStorage.getItem(KEY));
    const times = Array.isArray(found?.left) && found.left.length === 2 && found.left.every((left) => left > 0);
    return times ? found : null;
  } catch {
    return null;
  }
}
