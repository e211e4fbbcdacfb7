/** A game as text: what is shown, to copy and to save, and another game or a position, to paste and to load. */

import { $, h } from "../lib/dom.js";
import { exported, loadText } from "../lib/game_files.js";
import { download, save } from "../lib/game_record.js";
import { state } from "./page_state.js";
import { sentence } from "./notices.js";
import { copy } from "./sharing.js";

const NAMES = { pgn: "PGN", pdn: "PDN", sgf: "SGF", ggf: "GGF", mat: ".mat", txt: "text" };

/** Open the dialog of the game that is shown. */
export async function openExchange(page) {
  const position = h("input", { id: "position-text", readonly: true, value: state.position.state, spellcheck: "false" });
  const moves = h("textarea", { id: "moves-text", readonly: true, rows: 6, spellcheck: "false" });
  const copyMoves = button("copy-moves", "Copy moves", () => copy(copyMoves, moves.value));
  const saveMoves = button("save-text", "Save moves", () => save(page.line, moves.value, ending));
  const pasted = h("textarea", { id: "pasted", rows: 4, spellcheck: "false", placeholder: "Moves, a position, or a whole file" });
  const wrong = h("p", { id: "wrong", role: "alert", hidden: true });
  const closed = new AbortController();
  let ending = "txt";
  const dialog = h("dialog", { id: "exchange-dialog", "aria-label": "Save or load", onclose: () => (closed.abort(), dialog.remove()) },
    h("h2", {}, "This game"),
    h("label", {}, "Position", h("div", { class: "row" }, position, button("copy-position", "Copy", ({ currentTarget }) => copy(currentTarget, position.value)))),
    h("label", {}, "Moves", moves),
    h("div", { class: "row" }, copyMoves, saveMoves,
      button("save", "Save record", () => download(page.line))),
    h("h2", {}, "Another game"),
    h("label", {}, "Paste it", pasted), wrong,
    h("div", { class: "row" }, button("load-text", "Load", load, "primary"), button("load", "Choose a file", () => $("file").click()),
      button("", "Close", () => dialog.close())));

  async function load() {
    try {
      await loadText(page, pasted.value);
      dialog.close();
    } catch (error) {
      refuse(error);
    }
  }

  function refuse({ message }) {
    wrong.textContent = sentence(message);
    wrong.hidden = false;
  }

  $("file").addEventListener("change", () => dialog.close(), { signal: closed.signal });
  copyMoves.disabled = saveMoves.disabled = true; // until the text is there
  document.body.append(dialog);
  dialog.showModal();
  try {
    const found = await exported(page);
    moves.value = found.text;
    moves.scrollTop = moves.scrollHeight; // the moves stand after the tags
    ending = found.ending;
    copyMoves.disabled = saveMoves.disabled = false;
    saveMoves.textContent = `Save as ${NAMES[ending]}`;
  } catch (error) {
    refuse(error); // another game can be loaded all the same
  }
}

const button = (id, text, onclick, kind = null) => h("button", { type: "button", id: id || null, class: kind, onclick }, text);
