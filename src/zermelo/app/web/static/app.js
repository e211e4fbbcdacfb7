/** The page: it fetches and shows what the address names; the modes do the rest. */

import { Board } from "./board/board.js";
import { face } from "./board/dice.js";
import { drawEvalBar } from "./board/eval_bar.js";
import { legal, played, priced } from "./board/move_lists.js";
import { asked, format, parse, problems } from "./lib/address.js";
import { get, part } from "./lib/api.js";
import { rememberGame } from "./home/recent_games.js";
import { $, h, put } from "./lib/dom.js";
import { chooser } from "./lib/game_chooser.js";
import { numbering } from "./lib/move_numbers.js";
import { listenToKeys } from "./lib/shortcuts.js";
import { switchSound } from "./lib/sound.js";
import { follow } from "./lib/theme.js";
import { calm, gone, notice, recovered, showStatus, waiting } from "./page/notices.js";
import { here, modes, state } from "./page/page_state.js";
import { forgetPositions, position } from "./page/positions.js";
import { Previews } from "./page/previews.js";
import { share } from "./page/sharing.js";
import { buttons, listenToButtons, stepTo, tabs } from "./page/toolbar.js";
import { allComments, commentOn, rememberComments, rememberTurns, treeWith, turnOf, variationButtons } from "./page/variations.js";

const LESSON = "game_tree"; // which every server has
const MOST_MOVES = 1000; // that a request may play
const MOST_LETTERS = 8000; // that a request may have for them
const ADDRESS_DELAY = 400; // milliseconds before a step of Learn is in the address: browsers limit the changes a second

let showing = new AbortController();
let current = null;
const making = {}; // promises of the modes
let writing = null; // the timer of ADDRESS_DELAY
let statusLine = []; // the status line, without the message on a click

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
    const learn = changes.learn ?? (elsewhere ? { ...state.address.learn, step: "", question: "", unfold: "" } : state.address.learn);
    const anew = "game" in changes || "start" in changes || !moves.length;
    const lines = changes.lines ?? (anew ? [] : treeWith(moves).lines());
    state.address = { ...state.address, ...changes, moves, at, learn, lines: lines.length > 1 ? lines : [] };
    if (state.address.mode === "learn") state.address.game ||= LESSON;
    return render(replace ? "replaceState" : "pushState");
  },

  /** Play a move in the position shown. Another one than was played there begins a variation. */
  play(text, how) {
    if (state.loading) return;
    const path = [...here(), text];
    if (path.length > MOST_MOVES || path.join(" ").length > MOST_LETTERS) return goOn(text, how);
    const tree = treeWith(path);
    if (state.address.mode !== "play") return page.go({ moves: tree.line(path), at: path.length }, how);
    tree.promote(path); // a game that is played goes on here, and what was taken back is a variation
    return page.go({ moves: path, lines: tree.lines() }, how);
  },

  /** The tree of the game. */
  tree: () => treeWith(state.address.moves),

  /** Remember comments on moves of the game, by the paths to them, and show them in the list. */
  comment(found) {
    rememberComments(found);
    if (found.length) modes[current]?.show();
  },

  /** The comments on moves of the game, each {moves, text}. */
  comments: allComments,

  /** Show the position at the end of a path of the game's tree. */
  visit: (path) => page.go({ moves: treeWith(path).line(path), at: path.length }),

  /** Look at the position after some more moves, which are not played. */
  preview: (moves) => previews.show(moves),
  endPreview: () => previews.end(),
  restore: () => modes[current]?.show(),

  /** Show the board with its lists: `enabled` where the reader may move, `values` by the texts of moves. */
  table({ enabled, values = {}, note }) {
    previews.drop();
    page.board.show(state.position, { enabled, flip: state.address.flip });
    $("table").dataset.sides = page.board.svg.dataset.sides ?? "";
    legal($("legal"), state.position, { enabled, play: (text) => page.play(text) });
    page.paint(values);
    page.list(note);
  },

  /** Write values, by the texts of moves, on the board and on the buttons. */
  paint(values) {
    if (!previews.on) page.board.paint(values);
    priced($("legal"), values, state.position.board);
  },

  /** Draw an arrow along the best move. */
  point(text) {
    if (!previews.on) page.board.point(state.position.legal.find((move) => move.text === text)?.squares ?? []);
  },

  /** Who made the last move of a path: {player, chance}; undefined where that is not known yet. */
  turn: turnOf,

  /** Write the moves of the game; `note(path)` is what stands behind each of them. */
  list(note) {
    const said = (path) => (commentOn(path) ? h("em", { class: "comment" }, commentOn(path)) : null);
    played($("played"), treeWith(state.address.moves), here(), { go: page.visit, numbers: page.numbers, turn: page.turn, note, said });
    variationButtons(page.go);
  },

  /** How the moves of the game are numbered. */
  get numbers() { return numbering(state.line); },

  /** The status line, a live region for screen readers; a stone shows its player, or who has won. */
  say(text, player = null, ...more) {
    const { outcome, history: turns } = state.position;
    const last = turns.at(-1);
    const who = outcome ? outcome.winner : player;
    const stone = h("span", { class: `stone side${who}`, "aria-hidden": "true" });
    statusLine = [who === null ? null : stone, last?.chance ? face(last.text) : null, text, ...more];
    showStatus(...statusLine);
    $("status").classList.toggle("over", Boolean(outcome));
  },

  /** The evaluation bar: the first player's share from 0 to 1; null is unknown, undefined hides the bar. */
  evalBar: (share) => drawEvalBar(share, state.position?.board, state.address.flip),

  waiting,
  gone,
  recovered,
  calm,
  share,
  fail: (error, again) => notice(error.message, again, "error", error.status === 0),
  fetch: (question, signal) => position(question, signal),
  refresh: () => buttons(),

  /** Write settings of Learn, or another step, into the address. */
  remember(lesson) {
    state.address.learn = lesson;
    clearTimeout(writing);
    writing = setTimeout(() => state.loading || history.replaceState(null, "", format(state.address)), ADDRESS_DELAY);
  },

  /** Fetch what is shown anew: the server knows more of it now. */
  reload() {
    forgetPositions();
    const entry = state.games.find(({ name }) => name === state.address.game.replace(/\(.*$/s, ""));
    if (entry) entry.database = true; // the gallery says so
    return render();
  },
};

const previews = new Previews(page);

// -- showing what the address says -----------------------------------------------------------------------------------

/** Show what is asked for, and update the address; what cannot be shown leaves both as they are. */
async function render(write = null) {
  showing.abort();
  showing = new AbortController();
  const { signal } = showing;
  const { address } = state;
  modes[current]?.halt();
  loading(true);
  tabs(address);
  try {
    if (!address.game) return await home(write, signal);
    const line = await position(asked(address, Infinity), signal);
    address.moves = line.moves; // as the game writes them: a typed address may have 4453, or a move in two words
    address.at = Math.min(address.at, line.moves.length);
    rememberTurns(line);
    const [shown] = await Promise.all([position(asked(address), signal), made(address.mode)]);
    if (signal.aborted) return;
    Object.assign(state, { position: shown, line, shown: address });
    loading(false);
    if (write) history[write](null, "", format(address));
    if (write === "replaceState") recovered(); // the reader has not acted, and may not have read the sentence yet
    else calm();
    await settle();
  } catch (error) {
    if (!signal.aborted) await refused(error, address, write);
  }
}

/** Whether what is asked for is still to come: until then no move is taken. */
function loading(on) {
  state.loading = on;
  $("board").setAttribute("aria-busy", on);
}

/** Show an address, which is that of the browser, and say what of it cannot be read; an error that it leads to says more. */
async function visit(address) {
  const wrong = problems(location.search);
  state.address = { ...address, game: address.game || implied(address) };
  await render();
  if (wrong.length && $("notice").hidden) notice(wrong.join(" "));
}

/** Play a move in a game that is as long as it may be: the position shown is the start of the rest. */
async function goOn(text, how) {
  await page.go({ start: state.position.state, moves: [text] }, how);
  if (state.address.moves.length > 1) return;
  notice(`A game has ${MOST_MOVES} moves and ${MOST_LETTERS} letters at most here: the rest goes on from this position.`, null, "note");
}

/** Report why an address is not shown, and keep the present one; without one, offer the gallery of games. */
async function refused(error, address, write) {
  const again = () => ((state.address = address), render(state.shown === address ? null : write));
  loading(false);
  if (state.shown) {
    state.address = state.shown;
    tabs(state.shown);
    modes[current]?.show(); // it was halted
  } else {
    if (error.status === 422 && (address.moves.length || address.start)) {
      page.fail(error); // at once: what is shown below may think for a while
      if (await showLastGood(address)) return;
    }
    if (address.mode === "learn" && error.status >= 400) return enter("learn"); // which reports it below its own form
    if (address.game) {
      state.address = { ...address, game: "", start: "", moves: [], lines: [] };
      tabs(state.address);
      await home(null, showing.signal).catch(() => {}); // the address of the browser stays, for the reader to correct
    }
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
  put($("home")); // hundreds of small pictures
  rememberGame(address, shown);
  $("board").dataset.game = shown.game.replace(/\(.*$/s, "");
  gameForm(shown);
  buttons();
  await enter(address.mode);
  if (state.position === shown) buttons(); // of a mode that was made just now
}

async function enter(mode) {
  if (current !== mode) {
    page.evalBar(undefined);
    $("clocks").hidden = $("afterwards").hidden = true;
    put(page.panel);
    current = mode;
  }
  await made(mode);
  if (current === mode) await modes[mode].show();
}

/** Make a mode once, however quickly the tabs are clicked. */
async function made(mode) {
  making[mode] ??= make(mode).catch((error) => {
    delete making[mode]; // the next click tries again
    throw error;
  });
  modes[mode] = await making[mode];
}

/** A mode and its code, which is fetched when it is first needed. */
async function make(mode) {
  const module = await part(import(`./${mode === "learn" ? mode : "modes"}/${mode}.js`));
  return module[mode](page);
}

// -- what stands around the board ------------------------------------------------------------------------------------

function gameForm(shown) {
  chooser($("game"), state.games, state.address, shown, chosen, help);
}

const chosen = ({ game, start }) => page.go({ game, start, moves: [] });

/** Show the home, in the mode that is shown; what is learnt has no choice of games. */
function toHome() {
  const { mode } = state.address;
  page.go({ game: "", start: "", moves: [], flip: false, mode: mode === "learn" ? "play" : mode });
}

const help = { browse: toHome, example: (game, moves) => previews.example(game, moves) };

function listen() {
  listenToButtons(page);
  $("new").onclick = () => page.go({ moves: [] });
  $("notice").onclick = ({ target: { dataset } }) => dataset.game && (calm(), chosen({ game: dataset.game, start: "" }));
  addEventListener("keydown", (event) => event.key === "Escape" && page.endPreview());
  addEventListener("popstate", () => visit(parse(location.search)));
  $("home-link").onclick = (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || !state.games.length) return; // another tab, or a first try again
    event.preventDefault();
    toHome();
  };
  listenToKeys((step) => stepTo(page, step));
  follow($("theme"));
  switchSound($("sound"));
}

/** The game of an address that names none: the lecture's tree, the server's first game, or none, which is the home. */
function implied({ mode, moves, start }) {
  if (mode === "learn") return LESSON;
  const only = state.games.filter(({ name }) => name !== LESSON).length === 1; // a gallery of one game is none
  return moves.length || start || only ? state.first : "";
}

/** Forget the game that was shown: the next one is another. */
function clearTable() {
  page.board.clear();
  for (const id of ["game", "mode", "played", "variation", "status"]) put($(id));
  $("legal").hidden = true;
}

/** Show the home, whose code is fetched when it is first needed. */
async function home(write, signal) {
  const { address } = state;
  const { showHome } = await part(import("./home/home.js"));
  if (signal.aborted) return;
  Object.assign(state, { position: null, line: null, shown: address });
  loading(false);
  current = null;
  if (write) history[write](null, "", format(address));
  document.title = "Zermelo";
  calm();
  clearTable();
  showHome($("home"), state, page.go, (query) => {
    history.pushState(null, "", query);
    visit(parse(query));
  });
}

async function start() {
  try {
    const found = await get("games", {}, { waiting: page.waiting });
    Object.assign(state, { games: found.games, first: found.default, threads: found.threads });
    $("version").textContent = found.version;
    await visit(state.address);
  } catch (error) {
    page.fail(error, start);
  }
}

listen();
tabs(state.address);
start();
