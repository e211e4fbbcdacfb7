/** A map of a tree that is larger than its frame: all nodes as dots, and the part that is in view. */

const SVG = "http://www.w3.org/2000/svg";
const NODE_KINDS = ["max", "min", "chance", "leaf"];

export class TreeMap {
  /** @param {(x: number, y: number) => void} go  called with the place, in the tree's own units, that is to be in view */
  constructor(tree, go) {
    this.box = tree.viewBox.baseVal;
    this.element = make("svg", { class: "tree-map", viewBox: tree.getAttribute("viewBox"), "aria-hidden": "true" });
    const lines = [...tree.querySelectorAll(".zt-edge")].map((edge) => edge.getAttribute("d")).join("");
    this.element.append(make("path", { d: lines }), ...[...tree.querySelectorAll(".zt-node")].map(dot));
    this.now = make("circle", { class: "map-now", r: 26 });
    this.view = make("rect", { class: "map-view", rx: 8 });
    this.element.append(this.now, this.view);
    this.#listen(go);
  }

  /** Show which part of the tree is in view; all of it needs no map. */
  show({ x, y, width, height }, whole) {
    this.element.toggleAttribute("hidden", whole);
    const place = { x: x + this.box.x, y: y + this.box.y, width: Math.max(1, width), height: Math.max(1, height) };
    for (const [name, value] of Object.entries(place)) this.view.setAttribute(name, value);
  }

  /** Mark the node of the present step. */
  point(node) {
    const at = node.transform.baseVal[0].matrix;
    this.now.setAttribute("cx", at.e);
    this.now.setAttribute("cy", at.f);
  }

  #listen(go) {
    const move = (event) => {
      const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(this.element.getScreenCTM().inverse());
      go(x - this.box.x, y - this.box.y);
    };
    this.element.addEventListener("pointerdown", (event) => {
      this.element.setPointerCapture(event.pointerId);
      event.preventDefault();
      move(event);
    });
    this.element.addEventListener("pointermove", (event) => this.element.hasPointerCapture(event.pointerId) && move(event));
  }
}

function dot(node) {
  const { e: x, f: y } = node.transform.baseVal[0].matrix;
  return make("circle", { cx: x, cy: y, r: 14, class: NODE_KINDS.find((kind) => node.classList.contains(`zt-${kind}`)) ?? "" });
}

function make(tag, attributes) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
}
