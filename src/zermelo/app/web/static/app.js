/** The page: it fetches and shows what the address names; the modes do the rest. */

import { Board } from "./board/board.js";
import { face } from "./board/dice.js";
import { drawEvalBar } from "./board/eval_bar.js";
import { legal, played, priced } from "./board/move_lists.js";
import { MODES, asked, format, parse, problems } from "./lib/address.js";
import { get } from "./lib/api.js";
import { $, h, put, sleep } from "./lib/dom.js";
import { begin, chooser } from "./lib/game_chooser.js";
import { loadFile, saveMoves } from "./lib/game_files.js";
import { download } from "./lib/game_record.js";
import { GameTree } from "./lib/game_tree.js";
import { ending } from "./lib/outcome_text.js";
import { rememberGame } from "./lib/recent_games.js";
import { listenToKeys } from "./lib/shortcuts.js";
import { switchSound } from "./lib/sound.js";
import { follow } from "./lib/theme.js";

const MAX_CACHED_POSITIONS = 300; // so that stepping through a game is quick
const EXAMPLE_DELAY = 900; // milliseconds between two moves of an example
const COPIED_DELAY = 1500; // milliseconds that a button says "Copied"
const ADDRESS_DELAY = 400; // milliseconds before a step of Learn is in the address: browsers limit the changes a second

/** `address` is what is asked for, `shown` what is on the page; they differ while it is fetched. */
const state = { games: [], address: parse(location.search), shown: null, position: null, line: null, first: "",
  loading: false, threads: 1 };
const modes = {}; // play, analyze, explore and learn, made when they are first entered
const positions = new Map();
const turns = new Map(); // who made a move, by the game, its start and the path to the move
const comments = new Map(); // of moves of games that were loaded, by the same keys
let showing = new AbortController();
let current = null;
let writing = null; // the timer of ADDRESS_DELAY
let statusLine = []; // the status line, without the message on a click
let previewing = null; // the moves of an engine's line that is looked at without being played

/** What a mode may use. */
const page = {
  get address() { return state.address; },
  get position() { return state.position; },
  get line() { return state.line; },
  get threads() { return state.threads; },
  panel: $("mode"),
  board: new Board($("board"), (text) => page.play(text), (message) =>
    message ? showStatus(message) : showStatus(...statusLine)),

  /**
   * Show another address, and write it once it is shown; `replace` leaves no trace in the browser's history. Moves that
   * are not yet in the game become a variation of it; no moves at all are a new game.
   */
  go(changes, { replace = false } = {}) {
    const moves = changes.moves ?? state.address.moves;
    const at = Math.min(changes.at ?? (changes.moves ? Infinity : state.address.at), moves.length);
    const elsewhere = ["game", "start", "moves", "at"].some((name) => name in changes);
    const learn = changes.learn ?? (elsewhere ? { ...state.address.learn, step: "", question: "" } : state.address.learn);
    const anew = "game" in changes || "start" in changes || !moves.length;
    const lines = changes.lines ?? (anew ? [] : treeWith(moves).lines());
    state.address = { ...state.address, ...changes, moves, at, learn, lines: lines.length > 1 ? lines : [] };
    return render(replace ? "replaceState" : "pushState");
  },

  /** Play a move in the position shown. Another one than was played there begins a variation. */
  play(text, how) {
    if (state.loading) return;
    const path = [...here(), text];
    const tree = treeWith(path);
    if (state.address.mode !== "play") return page.go({ moves: tree.line(path), at: path.length }, how);
    tree.promote(path); // a game that is played goes on here, and what was taken back is a variation
    return page.go({ moves: path, lines: tree.lines() }, how);
  },

  /** The tree of the game. */
  tree: () => treeWith(state.address.moves),

  /** Remember comments on moves of the game, by the paths to them, and show them in the list. */
  comment(found) {
    for (const { moves, text } of found) comments.set(turnKey(moves), text);
    if (found.length) modes[current]?.show();
  },

  /** The comments on moves of the game, each {moves, text}. */
  comments() {
    const tree = treeWith(state.address.moves);
    const known = [...comments].map(([key, text]) => [...JSON.parse(key), text]);
    return known.filter(([game, start, moves]) => game === state.address.game && start === state.address.start && tree.find(moves))
      .map(([, , moves, text]) => ({ moves, text }));
  },

  /** Show the position at the end of a path of the game's tree. */
  visit: (path) => page.go({ moves: treeWith(path).line(path), at: path.length }),

  /** Look at the position after some more moves, which are not played. */
  async preview(moves) {
    const { address, position: shown } = state;
    previewing = moves;
    try {
      const ahead = await position(asked({ ...address, moves: [...here(), ...moves] }, Infinity));
      if (previewing !== moves || state.position !== shown) return;
      page.board.show(ahead, { enabled: false, flip: address.flip });
      showStatus(h("span", { class: "preview" }, `Preview: ${moves.join(" ")}`),
        h("button", { type: "button", id: "play-preview", onclick: () => page.go({ moves: [...here(), ...moves] }) }, "Play"),
        h("button", { type: "button", id: "end-preview", onclick: page.endPreview }, "Back"));
    } catch (error) {
      previewing = null;
      page.fail(error);
    }
  },

  endPreview() {
    if (!previewing) return;
    previewing = null;
    modes[current]?.show();
  },

  /** Show the board with its lists: `enabled` where the reader may move, `values` by the texts of moves. */
  table({ enabled, values = {}, note }) {
    previewing = null;
    page.board.show(state.position, { enabled, flip: state.address.flip });
    $("table").dataset.sides = page.board.svg.dataset.sides ?? "";
    legal($("legal"), state.position, { enabled, play: (text) => page.play(text) });
    page.paint(values);
    page.list(note);
  },

  /** Write values, by the texts of moves, on the board and on the buttons. */
  paint(values) {
    if (!previewing) page.board.paint(values);
    priced($("legal"), values, state.position.board);
  },

  /** Draw an arrow along the best move. */
  point(text) {
    if (!previewing) page.board.point(state.position.legal.find((move) => move.text === text)?.squares ?? []);
  },

  /** Who made the last move of a path: {player, chance}; undefined where that is not known yet. */
  turn: (path) => turns.get(turnKey(path)),

  /** Write the moves of the game; `note(path)` is what stands behind each of them. */
  list(note) {
    const said = (path) => (comments.has(turnKey(path)) ? h("em", { class: "comment" }, comments.get(turnKey(path))) : null);
    played($("played"), treeWith(state.address.moves), here(), { go: page.visit, turn: page.turn, note, said });
    variationButtons();
  },

  /** The status line, a live region for screen readers; a stone shows its player. */
  say(text, player = null, ...more) {
    const { outcome, history: turns } = state.position;
    const last = turns.at(-1);
    const stone = h("span", { class: `stone side${player}`, "aria-hidden": "true" });
    statusLine = [player === null || outcome ? null : stone, last?.chance ? face(last.text) : null, text, ...more];
    showStatus(...statusLine);
    $("status").classList.toggle("over", Boolean(outcome));
  },

  /** The evaluation bar: the first player's share from 0 to 1; null is unknown, undefined hides the bar. */
  evalBar: (share) => drawEvalBar(share, state.position?.board, state.address.flip),

  waiting: (seconds) => notice(`The server is busy; asking again in ${seconds} s.`, null, "passing"),
  gone: (seconds) => notice(`The server cannot be reached; trying again in ${seconds} s.`, null, "passing"),
  recovered: () => $("notice").dataset.kind === "passing" && page.calm(),
  calm: () => ($("notice").hidden = true),
  fail: (error, again) => notice(error.message, again),
  fetch: (question, signal) => position(question, signal),
  refresh: () => buttons(),

  /** Fetch what is shown anew: the server knows more of it now. */
  reload() {
    positions.clear();
    const entry = state.games.find(({ name }) => name === state.address.game.replace(/\(.*$/s, ""));
    if (entry) entry.database = true; // the gallery says so
    return render();
  },
};

/** Show words in the status line. */
function showStatus(...words) {
  put($("status"), ...words);
}

/** Show a sentence; a game at its beginning, as Python writes it, says nothing to the reader. */
function notice(said, again, kind = "error") {
  const bare = said.replace(/^[A-Z]\w*\(.*?\): /s, "");
  const sentence = bare[0].toUpperCase() + bare.slice(1);
  const retry = again ? h("button", { type: "button", onclick: () => (page.calm(), again()) }, "Try again") : null;
  put($("notice"), h("span", {}, sentence), meant(bare), retry);
  $("notice").dataset.kind = kind;
  $("notice").hidden = false;
}

/** A button for the game that a message thinks was meant. */
function meant(sentence) {
  const name = sentence.match(/did you mean (\w+)\?/)?.[1];
  const entry = state.games.find((game) => game.name === name);
  return entry ? h("button", { type: "button", id: "meant", onclick: () => (page.calm(), chosen({ game: name, start: "" })) }, `Open ${entry.title}`) : null;
}

// -- the tree of the game --------------------------------------------------------------------------------------------

/** The path to the position shown. */
const here = () => state.address.moves.slice(0, state.address.at);

/** The tree of the game, with the moves of a path. */
function treeWith(path) {
  const tree = new GameTree(state.address.lines);
  for (const line of [state.address.moves, path]) tree.add(line);
  return tree;
}

const turnKey = (path) => JSON.stringify([state.address.game, state.address.start, path]);

/** Remember who made the moves of a line, for when another one is shown. */
function rememberTurns(line) {
  line.history.forEach((turn, ply) => turns.set(turnKey(line.moves.slice(0, ply + 1)), turn));
}

/** What can be done with the move that led to the position shown. */
function variationButtons() {
  const path = here();
  const tree = treeWith(path);
  const promote = () => (tree.promote(path), page.go({ lines: tree.lines() }, { replace: true }));
  const remove = () => {
    const before = path.slice(0, -1);
    tree.remove(path);
    page.go({ moves: tree.line(before), at: before.length, lines: tree.lines() });
  };
  const button = (id, text, onclick) => h("button", { type: "button", id, onclick }, text);
  put($("variation"), tree.isMain(path) ? null : button("promote", "Make main line", promote),
    path.length && state.address.mode !== "play" ? button("delete", "Delete from here", remove) : null);
}

// -- showing what the address says -----------------------------------------------------------------------------------

/** Show what is asked for, and update the address; what cannot be shown leaves both as they are. */
async function render(write = null) {
  showing.abort();
  showing = new AbortController();
  const { signal } = showing;
  const { address } = state;
  modes[current]?.halt();
  state.loading = true;
  tabs(address.mode);
  try {
    const line = await position(asked(address, Infinity), signal);
    address.moves = line.moves; // as the game writes them: a typed address may have 4453, or a move in two words
    address.at = Math.min(address.at, line.moves.length);
    rememberTurns(line);
    const shown = await position(asked(address), signal);
    if (signal.aborted) return;
    Object.assign(state, { position: shown, line, loading: false, shown: address });
    if (write) history[write](null, "", format(address));
    page.calm();
    await settle();
  } catch (error) {
    if (!signal.aborted) await refused(error, address, write);
  }
}

/** Show the address of the browser, and say what of it cannot be read; an error that it leads to says more. */
async function visit() {
  const wrong = problems(location.search);
  await render();
  if (wrong.length && $("notice").hidden) notice(wrong.join(" "));
}

/** Report why an address is not shown, and keep the present one; without one, offer a choice of games. */
async function refused(error, address, write) {
  const again = () => ((state.address = address), render(state.shown === address ? null : write));
  state.loading = false;
  if (state.shown) {
    state.address = state.shown;
    tabs(state.shown.mode);
  } else {
    if (error.status === 422 && (address.moves.length || address.start) && (await showLastGood(address))) return page.fail(error);
    gameForm(null);
    $("new").disabled = false;
    showStatus("Choose a game, or begin a new one.");
    page.calm();
    if (address.mode === "learn" && error.status >= 400) return enter("learn"); // which reports it below its own form
  }
  page.fail(error, error.status >= 400 ? null : again); // the same question would get the same answer
}

/** Show the position before the first bad move of an address, or the game's own start. Return whether there is one. */
async function showLastGood(address) {
  let [good, bad] = [-1, address.moves.length];
  while (bad - good > 1) { // moves before a bad one are good, so halving finds it
    const middle = Math.floor((good + bad) / 2);
    const found = await position(asked(address, middle)).catch(() => null);
    if (found) good = middle;
    else bad = middle;
  }
  if (good < 0 && !address.start) return false;
  const start = good < 0 ? "" : address.start; // a start that cannot be read is as if it were not there
  state.address = { ...address, start, moves: address.moves.slice(0, Math.max(good, 0)), at: Math.max(good, 0), lines: [] };
  await render("replaceState");
  return Boolean(state.shown);
}

async function settle() {
  const { address, position: shown } = state;
  document.title = `${shown.title} · Zermelo`;
  rememberGame(shown.game);
  $("board").dataset.game = shown.game.replace(/\(.*$/s, "");
  gameForm(shown);
  buttons();
  await enter(address.mode);
  buttons(); // of a mode that was made just now
}

async function enter(mode) {
  if (current !== mode) {
    page.evalBar(undefined);
    $("clocks").hidden = true;
    put(page.panel);
    current = mode;
  }
  modes[mode] ??= await make(mode);
  if (current === mode) await modes[mode].show();
}

/** A mode and its code, which is fetched when it is first needed. */
async function make(mode) {
  const module = await import(`./${mode === "learn" ? mode : "modes"}/${mode}.js`).catch(() => {
    throw new Error("This part of the page could not be loaded; is zermelo serve still running?");
  });
  return mode === "learn" ? learn(module) : module[mode](page);
}

/** Learn has the whole page, and a listener for changes of the position. */
async function learn(module) {
  const listeners = [];
  await module.mount($("learn"), {
    api: (path, params) => get(path, params, { waiting: page.waiting }),
    address: learned(),
    onAddressChange: (listener) => listeners.push(listener),
    navigate: ({ game, start, moves }, settings) => page.go({ game, start, moves, mode: "learn",
      learn: { ...state.address.learn, depth: "", step: "", question: "", ...settings } }),
    remember,
    share,
  });
  const show = () => listeners.forEach((listener) => listener(learned()));
  return { show, halt() {} };
}

/** The address as Learn knows it: the position shown, and its own settings. */
function learned() {
  const { game, start, moves, at, learn: lesson } = state.address;
  return { game, start, moves: moves.slice(0, at), chances: Boolean(state.position?.chances), lesson };
}

/** Learn has other settings, or another step. */
function remember(lesson) {
  state.address.learn = lesson;
  clearTimeout(writing);
  writing = setTimeout(() => state.loading || history.replaceState(null, "", format(state.address)), ADDRESS_DELAY);
}

async function position(question, signal) {
  const key = JSON.stringify(question);
  if (!positions.has(key)) {
    const found = await get("position", question, { signal, waiting: page.waiting });
    if (positions.size >= MAX_CACHED_POSITIONS) positions.delete(positions.keys().next().value);
    positions.set(key, found);
  }
  return positions.get(key);
}

// -- what stands around the board ------------------------------------------------------------------------------------

function gameForm(shown) {
  chooser($("game"), state.games, state.address, shown, chosen, help);
}

const chosen = ({ game, start }) => page.go({ game, start, moves: [] });

const help = { browse, example };

/** Let an example play itself on the board, as a preview: the game that is shown stays as it is. */
async function example(game, moves) {
  const mine = (previewing = [...moves]);
  try {
    for (let count = 0; count <= moves.length; count++) {
      const ahead = await position({ game, moves: moves.slice(0, count).join(" ") });
      if (previewing !== mine) return;
      page.board.show(ahead, { enabled: false, flip: false });
      const said = (ahead.outcome && ending(ahead.outcome)) ?? `Example: ${moves[count - 1] ?? "the start"}`;
      showStatus(h("span", { class: "preview" }, said),
        h("button", { type: "button", id: "end-preview", onclick: page.endPreview }, "Back"));
      await sleep(EXAMPLE_DELAY);
    }
  } catch (error) {
    if (previewing === mine) page.fail(error);
  }
}

/** Open the gallery of games, whose code is fetched when it is first needed. */
async function browse() {
  const { openGallery } = await import("./lib/gallery.js");
  openGallery(state.games, (name) => begin($("game"), state.games, name, chosen, help));
}

function tabs(mode) {
  for (const tab of document.querySelectorAll("[role=tab]")) {
    const selected = tab.dataset.mode === mode;
    tab.setAttribute("aria-selected", selected);
    tab.tabIndex = selected ? 0 : -1;
  }
  document.body.dataset.mode = mode;
  $("table").hidden = mode === "learn";
  $("learn").hidden = mode !== "learn";
}

/** The ply that undo or redo leads to: in play the reader's own decision, elsewhere the next one; null for none. */
function step(way) {
  const { mode, at, moves } = state.address;
  if (mode === "play" && modes.play) return modes.play.step(way);
  return at + way >= 0 && at + way <= moves.length ? at + way : null;
}

function buttons() {
  $("undo").disabled = step(-1) === null;
  $("redo").disabled = step(1) === null;
  $("hint").hidden = state.address.mode !== "play";
  $("resign").hidden = state.address.mode !== "play" || !modes.play?.canResign();
  $("draw").hidden = state.address.mode !== "play" || !modes.play?.canOffer();
  for (const id of ["new", "save", "save-text", "copy-link", "copy-position"]) $(id).disabled = false;
  $("flip").disabled = !state.position.board.turns;
  $("hint").disabled = Boolean(state.position.outcome) || state.position.chance;
  $("flip").setAttribute("aria-pressed", state.address.flip);
}

/** Step through the game by a key: back, on, first or last. Learn has its own steps. */
function stepTo(step) {
  const { mode, at, moves } = state.address;
  if (mode === "learn" || !state.shown) return false;
  const to = { back: at - 1, on: at + 1, first: 0, last: moves.length }[step];
  if (to !== at && to >= 0 && to <= moves.length) page.go({ at: to }, { replace: true });
  return true;
}

/** Copy a text, and say so on the button; where the browser does not let us, show it for the reader to copy. */
async function copy(button, text) {
  try {
    await navigator.clipboard.writeText(text);
    const { textContent: before } = button;
    button.textContent = "Copied";
    setTimeout(() => (button.textContent = before), COPIED_DELAY);
  } catch {
    notice(text);
  }
}

/** Hand the link to what shares things on this device, else copy it. */
async function share(button) {
  if (!navigator.share) return copy(button, location.href);
  await navigator.share({ title: document.title, url: location.href }).catch(() => {}); // the reader has thought better of it
}

function walk(way) {
  const at = step(way);
  if (at !== null) page.go({ at });
}

function listen() {
  $("undo").onclick = () => walk(-1);
  $("redo").onclick = () => walk(1);
  $("new").onclick = newGame;
  $("flip").onclick = () => page.go({ flip: !state.address.flip }, { replace: true });
  $("hint").onclick = () => modes.play?.hint();
  $("resign").onclick = () => modes.play.resign();
  $("draw").onclick = () => modes.play.offerDraw();
  $("save").onclick = () => download(state.line);
  $("save-text").onclick = () => saveMoves(page);
  $("copy-link").onclick = ({ currentTarget }) => share(currentTarget);
  $("copy-position").onclick = () => copy($("copy-position"), state.position.state);
  $("load").onclick = () => $("file").click();
  $("file").onchange = () => loadFile(page);
  addEventListener("keydown", (event) => event.key === "Escape" && page.endPreview());
  addEventListener("popstate", () => ((state.address = parse(location.search)), home(), visit()));
  const list = document.querySelector("[role=tablist]");
  list.onclick = (event) => event.target.dataset.mode && page.go({ mode: event.target.dataset.mode });
  list.onkeydown = turnTab;
  listenToKeys(stepTo);
  follow($("theme"));
  switchSound($("sound"));
}

function turnTab(event) {
  const way = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (!way) return;
  const next = MODES[(MODES.indexOf(state.address.mode) + way + MODES.length) % MODES.length];
  document.querySelector(`[data-mode=${next}][role=tab]`).focus();
  page.go({ mode: next });
}

/** Start a new game: the one of the address, or the server's first one if that cannot be shown. */
async function newGame() {
  if (state.shown) return page.go({ moves: [] });
  const { game } = state.address;
  const known = await position({ game }).catch(({ status }) => (status >= 400 ? { game: state.first } : { game }));
  page.go({ game: known.game, start: "", moves: [] });
}

/** An address without a game means the server's first one. */
function home() {
  if (!state.address.game) state.address.game = state.first;
}

async function start() {
  try {
    const found = await get("games", {}, { waiting: page.waiting });
    Object.assign(state, { games: found.games, first: found.default, threads: found.threads });
    $("version").textContent = found.version;
    home();
    await visit();
  } catch (error) {
    page.fail(error, start);
  }
}

listen();
tabs(state.address.mode);
start();
