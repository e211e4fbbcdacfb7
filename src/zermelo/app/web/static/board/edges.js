/** Boards on which players own lines: each line of the picture has the colour of the stone in its middle. */

const LINED = ["sim"];

/** Colour the lines of a picture, and hide the stones on them. */
export function paintEdges(game, svg, squares) {
  if (!LINED.includes(game.replace(/\(.*$/s, ""))) return;
  const owners = new Map();
  for (const square of squares.values()) {
    const { piece, x, y } = square.dataset;
    if (piece) owners.set(`${x},${y}`, piece === "X" ? "edge0" : "edge1");
  }
  for (const line of svg.querySelectorAll("polyline.zb-line")) {
    const owner = line.getAttribute("points").split(" ").map((end) => owners.get(end)).find(Boolean);
    if (owner) line.classList.add(owner);
  }
}
