/**
 * Lecture mode: Learn fills the screen in large type, and a presenter's remote or the keyboard drives it.
 *
 * Remotes send PageDown and PageUp, and b for a blank screen; some send a full stop. Escape ends the lecture, as it ends
 * full screen in every browser.
 */

import { h } from "../lib/dom.js";

const KEYS = {
  PageDown: "forward", ArrowRight: "forward", ArrowDown: "forward", " ": "forward", Enter: "forward", n: "forward",
  PageUp: "back", ArrowLeft: "back", ArrowUp: "back", Backspace: "back", p: "back",
  Home: "first", End: "last", a: "play", h: "hint",
};
const BLANKS = { b: "black", ".": "black", w: "white", ",": "white" };
const TYPING = "input, select, textarea";
const PRESSED = "button, summary, a, [role=button]"; // which Enter and the space bar press

export class Lecture {
  /**
   * @param {object} page  driver(): what shows the steps or the questions, with forward(), back(), first(), last() and,
   *   where it has them, play(), hint() and answer(index); ended(): the lecture is over
   */
  constructor(root, page) {
    Object.assign(this, { root, page, on: false });
    this.blank = h("div", { class: "blank", hidden: true, role: "status", "aria-label": "The screen is blank", onclick: () => this.#uncover() });
    document.body.append(this.blank);
    document.addEventListener("keydown", (event) => this.#key(event), true);
    document.addEventListener("fullscreenchange", () => {
      if (!document.fullscreenElement && this.full) this.end();
      this.full = Boolean(document.fullscreenElement);
    });
  }

  /** Begin; the browser allows full screen only after a click or a key. */
  begin(full) {
    this.on = true;
    document.body.classList.add("lecturing");
    this.root.querySelector(".setup").open = false;
    if (full) document.documentElement.requestFullscreen?.().catch(() => {}); // the window is filled all the same
  }

  end() {
    if (!this.on) return;
    this.on = false;
    this.#uncover();
    document.body.classList.remove("lecturing");
    this.root.querySelector(".setup").open = true;
    if (document.fullscreenElement) document.exitFullscreen().catch(() => {});
    this.page.ended();
  }

  #uncover() {
    this.blank.hidden = true;
  }

  #key(event) {
    if (!this.on || document.body.dataset.mode !== "learn" || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    if (event.target.matches?.(TYPING) || event.target.closest?.("dialog")) return;
    if (["Enter", " "].includes(event.key) && event.target.closest?.(PRESSED) && this.blank.hidden) return;
    if (!this.#take(event.key)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  }

  /** Do what a key means. Return whether it means anything. */
  #take(key) {
    const colour = BLANKS[key];
    if (colour || !this.blank.hidden) {
      const cover = colour && (this.blank.hidden || this.blank.dataset.colour !== colour);
      this.blank.dataset.colour = colour ?? "";
      this.blank.hidden = !cover;
      return true; // any key ends the blank screen, and does nothing else
    }
    if (key === "Escape") return document.querySelector("[role=tooltip]:not([hidden])") ? false : (this.end(), true);
    if (key === "f") return document.fullscreenElement ? false : (this.begin(true), true);
    const driver = this.page.driver();
    if (/^[1-9]$/.test(key) && driver?.answer) return driver.answer(Number(key) - 1), true;
    const action = KEYS[key];
    if (!action || !driver?.[action]) return false;
    driver[action]();
    return true;
  }
}
