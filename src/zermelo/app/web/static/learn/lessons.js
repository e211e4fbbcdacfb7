/** What Learn offers: trees to begin with, the algorithms and their settings; and trees as texts. */

const TREE = /^game_tree\((.*)\)$/s;

/** Trees to begin with: each with its title and the algorithm it is there for. */
export const PRESETS = [
  ["A(B(C(2, 3), D(5, 7)), E(F(0, 1), G(4, 6)))", "The tree of the lectures: two cut-offs", "alphabeta"],
  ["A(B(3, 12), C(8, 2))", "Minimax on four leaves", "minimax"],
  ["A(B(3, 12, 8), C(2, 4, 6), D(14, 5, 2))", "Three moves each", "alphabeta"],
  ["root(N(a(11), b(12), c(7), d(9), e(15, 1, 2)))", "Siblings 11, 12, 7, 9, and 15 is enough", "alphabeta"],
  ["A(B(10, 11), C(D(E(5, 99), F(20, 21)), 4))", "A deep cut-off", "alphabeta"],
  ["A(B(3, 4), C(3, 9))", "Equal values: cut at equality, or beyond", "alphabeta"],
  ["A(B[1/2: 4, 1/2: 6], C[1/2: 0, 1/2: D(9, 10)])", "Chance: expected values", "expectiminimax"],
  ["A(B[1/2: 5, 1/2: 5], C[1/2: 0, 1/2: D(9, 10)])", "Chance: a Star1 cut-off", "star1"],
  ["A(B[1/2: 0, 1/2: 10], C[1/2: D(8, 2), 1/2: E(1, 7)])", "Chance: Star2 probes first", "star2"],
];

/** Algorithms that cope with chance. */
export const CHANCE = ["expectiminimax", "star1", "star2"];
export const ALGORITHMS = [
  ["minimax", "Minimax"],
  ["negamax", "Negamax"],
  ["alphabeta", "Alpha-beta"],
  ["expectiminimax", "Expectiminimax"],
  ["star1", "Star1"],
  ["star2", "Star2"],
];

/** Which settings an algorithm has, beyond its depth. */
export const SETTINGS = {
  minimax: [],
  negamax: [],
  alphabeta: ["fail", "cut", "order", "window"],
  expectiminimax: [],
  star1: ["order", "window"],
  star2: ["order", "window"],
};

export const ORDERS = [
  ["", "as listed"],
  ["game", "game's order"],
  ["best", "best first"],
  ["worst", "worst first"],
];

/** The text of a typed tree, from the name of its game; null for any other game. */
export function treeOf(game) {
  if (game === "game_tree") return PRESETS[0][0];
  const inside = TREE.exec(game)?.[1].replace(/^\s*tree\s*=\s*/, "").trim();
  if (inside === undefined) return null;
  return /^(['"]).*\1$/s.test(inside) ? inside.slice(1, -1) : inside;
}

export const squeezed = (text) => text.replace(/\s+/g, "");

/** A tree for practice: three plies, two or three successors a node, leaves from 0 to 9. */
export function randomTree() {
  const names = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
  let used = 0;
  const below = (plies) => {
    if (plies === 0) return String(Math.floor(10 * Math.random()));
    const name = names[used++];
    const count = plies === 3 ? 2 : 2 + Math.floor(1.5 * Math.random());
    return `${name}(${Array.from({ length: count }, () => below(plies - 1)).join(", ")})`;
  };
  return below(3);
}
