/** Explore: perfect play, read from a database; without one, what the opening book and a short search know. */

import { asked } from "../lib/address.js";
import { get, lines } from "../lib/api.js";
import { h, put } from "../lib/dom.js";
import { quoted } from "../lib/game_record.js";
import { ending } from "../lib/outcome_text.js";
import { convention, origin, tag, words } from "../lib/value_text.js";
import { turn, walk, worth } from "./analyze.js";
import { perfectTree } from "./perfect_tree.js";
import { statisticsPanel } from "./solution_statistics.js";
import { solveNow } from "./solve_now.js";

const BRIEF_SECONDS = 2; // of the search where there is no database
const MAX_LINES = 60;

export function explore(page) {
  let work = new AbortController();
  let wide = false; // whether the statistics are open
  const statistics = new Map(); // by game

  async function show() {
    work.abort();
    work = new AbortController();
    const { signal } = work;
    const { position } = page;
    page.table({ enabled: !position.outcome, values: {} });
    page.say(position.outcome ? ending(position.outcome) : turn(position), position.player);
    if (!position.database) return none(position, signal);
    put(page.panel, h("p", { class: "quiet" }, "Looking it up …"));
    try {
      const still = Boolean(position.outcome) || position.chance;
      const question = asked(page.address);
      const found = position.outcome ? null : await ask("probe", question, signal);
      const tree = still ? null : await ask("perfect", question, signal);
      if (!signal.aborted) panel(found, tree);
    } catch (error) {
      if (!signal.aborted) page.fail(error, show);
    }
  }

  const ask = (path, question, signal) => get(path, question, { signal, waiting: page.waiting });

  /** Say what is known without a database, and how to get one. */
  async function none(position, signal) {
    const still = Boolean(position.outcome) || position.chance;
    const words = h("p", { class: "quiet" }, still ? "" : "No database of this game is loaded. Searching …");
    const told = h("div", { class: "findings" }, words);
    put(page.panel, told, ...howToSolve(position)); // which stay while reports come, for a solve that runs
    if (still) return;
    const question = { ...asked(page.address), seconds: BRIEF_SECONDS, lines: Math.min(position.legal.length, MAX_LINES) };
    try {
      for await (const report of lines("analyze", question, { signal, waiting: page.waiting })) {
        if (signal.aborted) return;
        if (report.error) throw new Error(report.error);
        page.paint(report.legal);
        page.evalBar(report.value.share);
        put(told, ...briefly(report, position));
      }
    } catch (error) {
      if (!signal.aborted) page.fail(error, show);
    }
  }

  function briefly(report, position) {
    const proven = report.proven || report.source !== "search";
    return [h("p", { class: "verdict" }, ...worth(report.value, position), proven ? ", proven" : ", not proven"),
      h("p", { id: "source", class: "quiet" }, `No database of this game is loaded. This is ${
        report.source === "search" ? `a search of ${BRIEF_SECONDS} s, ` : ""}${origin(report)}.`),
      h("p", { id: "convention", class: "quiet" }, convention(position.board))];
  }

  /** The button that solves the game here, and the commands for games that are too large for it. */
  function howToSolve({ game, source }) {
    const file = source.match(/^[^/\\(]+\.py(?=:)/)?.[0];
    const where = file ? `, in the folder of ${file}` : "";
    const named = source === game ? "" : `${quoted(source)} `; // the database itself names a game of Zermelo's own
    return [
      h("p", {}, "For perfect play, let the server solve the game; that takes seconds if it is small."),
      solveNow(page, page.reload),
      h("details", {}, h("summary", {}, "Solve a larger game"),
        h("p", { class: "quiet" }, `Solve it once, and serve it with the database${where}:`),
        h("pre", {}, h("code", {}, `zermelo solve ${quoted(source)} -o solved.zermelo\n`
          + `zermelo serve ${named}--database solved.zermelo`)))];
  }

  function panel(found, tree) {
    const { board } = page.position;
    put(page.panel, ...(found ? values(found) : [h("p", { class: "quiet" }, "The game is over.")]),
      ...(tree?.moves.length ? [h("h2", {}, "Perfect play"), perfectTree(page, tree.moves, board)] : []), summary());
  }

  /** The statistics of the solution, fetched when they are opened. */
  function summary() {
    const inside = h("div", { class: "statistics" });
    const fill = async () => {
      const { game } = page.address;
      const { board } = page.position;
      if (!statistics.has(game)) statistics.set(game, await ask("statistics", { game }));
      put(inside, ...statisticsPanel(statistics.get(game), board, game.replace(/\(.*$/s, ""), (state) => page.go({ start: state, moves: [], at: 0 })));
    };
    const box = h("details", { id: "statistics", open: wide }, h("summary", {}, "Statistics of the solution"), inside);
    box.addEventListener("toggle", () => {
      wide = box.open;
      if (wide) fill().catch((error) => page.fail(error, fill));
    });
    return box;
  }

  function values(found) {
    const { position } = page;
    page.paint(Object.fromEntries(found.moves.map((move) => [move.text, move.value])));
    page.evalBar(found.value.share);
    const ranked = [...found.moves].sort((a, b) => b.value.score - a.value.score);
    const row = ({ text, value }) => {
      const best = found.best.includes(text) ? "best" : "";
      const button = h("button", { type: "button", class: "step", onclick: () => page.play(text) }, text);
      const [mark, said] = [tag(value, position.board), words(value, position.board)];
      return h("tr", { class: best }, ...[button, mark, said === mark.textContent ? "" : said, best].map((cell) => h("td", {}, cell)));
    };
    return [
      h("p", { class: "verdict" }, ...worth(found.value, position), ", with best play by both"),
      h("p", { id: "convention", class: "quiet" }, convention(position.board)),
      h("h2", {}, "Perfect line"),
      walk(page, found.line),
      h("h2", {}, "Every move"),
      h("table", { class: "values" }, h("tbody", {}, ...ranked.map(row))),
    ];
  }

  return { show, halt: () => work.abort() };
}
