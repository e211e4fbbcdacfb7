/** The buttons around the board, and the tabs of the modes: what they do, and when they may. */

import { MODES } from "../lib/address.js";
import { part } from "../lib/api.js";
import { $ } from "../lib/dom.js";
import { modes, state } from "./page_state.js";
import { share } from "./sharing.js";

/** Mark the tab of the mode of an address, and show its part of the page; an address without a game is the home. */
export function tabs({ mode, game }) {
  for (const tab of document.querySelectorAll("[role=tab]")) {
    const selected = tab.dataset.mode === mode;
    tab.setAttribute("aria-selected", selected);
    tab.tabIndex = selected ? 0 : -1;
  }
  const part = game ? (mode === "learn" ? "learn" : "table") : "home";
  document.body.dataset.mode = game ? mode : "home";
  for (const id of ["home", "table", "learn"]) $(id).hidden = id !== part;
}

/** Enable the buttons that the position allows. */
export function buttons() {
  $("undo").disabled = step(-1) === null;
  $("redo").disabled = step(1) === null;
  $("hint").hidden = state.address.mode !== "play";
  $("resign").hidden = state.address.mode !== "play" || !modes.play?.canResign();
  $("draw").hidden = state.address.mode !== "play" || !modes.play?.canOffer();
  for (const id of ["new", "copy-link", "exchange"]) $(id).disabled = false;
  $("flip").disabled = !state.position.board.turns;
  $("hint").disabled = Boolean(state.position.outcome) || state.position.chance;
  $("flip").setAttribute("aria-pressed", state.address.flip);
}

/** The ply that undo or redo leads to: in play the reader's own decision, elsewhere the next one; null for none. */
function step(way) {
  const { mode, at, moves } = state.address;
  if (mode === "play" && modes.play) return modes.play.step(way);
  return at + way >= 0 && at + way <= moves.length ? at + way : null;
}

/** Step through the game by a key: back, on, first or last. Learn has its own steps. */
export function stepTo(page, step) {
  const { mode, at, moves } = state.address;
  if (mode === "learn" || !state.position) return false;
  const to = { back: at - 1, on: at + 1, first: 0, last: moves.length }[step];
  if (to !== at && to >= 0 && to <= moves.length) page.go({ at: to }, { replace: true });
  return true;
}

/** Let the buttons and tabs do what they say. */
export function listenToButtons(page) {
  const walk = (way) => {
    const at = step(way);
    if (at !== null) page.go({ at });
  };
  $("undo").onclick = () => walk(-1);
  $("redo").onclick = () => walk(1);
  $("flip").onclick = () => page.go({ flip: !state.address.flip }, { replace: true });
  $("hint").onclick = () => modes.play?.hint();
  $("resign").onclick = () => modes.play.resign();
  $("draw").onclick = () => modes.play.offerDraw();
  $("copy-link").onclick = ({ currentTarget }) => share(currentTarget);
  const exchange = () => part(import("./exchange.js")).then((code) => code.openExchange(page)).catch((error) => page.fail(error, exchange));
  $("exchange").onclick = exchange;
  listenToFiles(page);
  const list = document.querySelector("[role=tablist]");
  list.onclick = (event) => event.target.dataset.mode && page.go({ mode: event.target.dataset.mode });
  list.onkeydown = (event) => turnTab(page, event);
}

/** Take up a game from a file that is chosen, or dropped anywhere on the page. */
function listenToFiles(page) {
  const load = async (file) => file && part(import("../lib/game_files.js")).then((code) => code.loadFile(page, file)).catch(page.fail);
  $("file").onchange = async () => {
    const [file] = $("file").files;
    await load(file);
    $("file").value = "";
  };
  addEventListener("dragover", (event) => event.dataTransfer.types.includes("Files") && event.preventDefault());
  addEventListener("drop", (event) => {
    const [file] = event.dataTransfer.files;
    if (!file) return;
    event.preventDefault();
    load(file);
  });
}

function turnTab(page, event) {
  const way = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (!way) return;
  const next = MODES[(MODES.indexOf(state.address.mode) + way + MODES.length) % MODES.length];
  document.querySelector(`[data-mode=${next}][role=tab]`).focus();
  page.go({ mode: next });
}
