/**
 * A tree in its frame: zoomed and panned by mouse, fingers and keys, with a map where it is larger than the frame.
 *
 * Panning is scrolling, so that a finger and a trackpad pan as everywhere. Ctrl and the wheel zoom, and so do two fingers,
 * +, - and 0; Shift and an arrow pan.
 */

import { TreeMap } from "./tree_map.js";

const READABLE = 0.62; // the scale at which the small texts of a tree can still be read
const READABLE_BOARDS = 0.72; // and its boards
const SCALES = [0.1, 4];
const ZOOM_STEP = 1.25; // of a button or a key
const DRAGGED = 5; // pixels after which a press of the mouse is no click
const PAN = 80; // pixels of a key
const BORDERS = 2; // pixels of the frame above and below the tree

export class TreeView {
  /** @param {HTMLElement} root  the frame, which scrolls, with the picture in it */
  constructor(root, svg) {
    this.root = root;
    this.svg = svg;
    this.own = { width: Number(svg.getAttribute("width")), height: Number(svg.getAttribute("height")) };
    this.scale = 1;
    this.fitted = true;
    this.fingers = new Map();
    this.least = svg.querySelector(".zt-card") ? READABLE_BOARDS : READABLE;
    this.map = new TreeMap(svg, (x, y) => this.centre(x, y));
    const frame = document.createElement("div");
    frame.className = "tree-frame";
    root.replaceWith(frame);
    const bar = document.createElement("div");
    bar.className = "tree-bar";
    bar.append(this.map.element, this.#tools());
    frame.append(root, bar);
    root.addEventListener("scroll", () => this.#inView(), { passive: true });
    new ResizeObserver(() => (this.fitted ? this.fit() : this.#inView())).observe(frame);
    this.#listen();
  }

  #tools() {
    const tools = document.createElement("div");
    tools.className = "zoom";
    tools.setAttribute("role", "group");
    tools.setAttribute("aria-label", "Zoom");
    const button = (text, label, onclick) => {
      const made = Object.assign(document.createElement("button"), { type: "button", textContent: text, title: label, onclick });
      made.setAttribute("aria-label", label);
      return made;
    };
    tools.append(button("−", "Zoom out (-)", () => this.zoom(this.scale / ZOOM_STEP)),
      button("+", "Zoom in (+)", () => this.zoom(this.scale * ZOOM_STEP)), button("Fit", "Fit the tree (0)", () => this.fit()));
    return tools;
  }

  /** Draw the tree as large as there is room, if it can be read so; else as small as can be read. */
  fit() {
    const style = getComputedStyle(this.root);
    const most = Number.parseFloat(style.getPropertyValue("--largest")) || 1;
    const height = Number.parseFloat(style.maxHeight) - BORDERS || Infinity;
    const room = Math.min((this.root.clientWidth || this.own.width) / this.own.width, height / this.own.height);
    this.#size(Math.min(most, Math.max(this.least, room)));
    this.fitted = true;
    this.refitted?.();
  }

  /** Zoom so that what is at a place of the frame, by default its middle, stays there. */
  zoom(scale, x = this.root.clientWidth / 2, y = this.root.clientHeight / 2) {
    const [left, top] = [(this.root.scrollLeft + x) / this.scale, (this.root.scrollTop + y) / this.scale];
    this.fitted = false;
    this.#size(Math.max(SCALES[0], Math.min(SCALES[1], scale)));
    this.root.scrollTo({ left: left * this.scale - x, top: top * this.scale - y, behavior: "instant" });
  }

  #size(scale) {
    this.scale = scale;
    this.svg.style.width = `${scale * this.own.width}px`;
    this.svg.style.height = `${scale * this.own.height}px`;
    this.#inView();
  }

  /** Bring a place, in the tree's own units from its corner, into the middle. */
  centre(x, y) {
    const [left, top] = [x * this.scale - this.root.clientWidth / 2, y * this.scale - this.root.clientHeight / 2];
    this.root.scrollTo({ left, top, behavior: "instant" });
  }

  /** Scroll the picture, and not the page, until a node is in view. */
  reveal(node, centred = false) {
    const [box, frame] = [node.getBoundingClientRect(), this.root.getBoundingClientRect()];
    const away = box.left < frame.left + 60 || box.right > frame.right - 90;
    const over = box.top < frame.top + 8 || box.bottom > frame.bottom - 8;
    if (centred || away) this.root.scrollLeft += (box.left + box.right - frame.left - frame.right) / 2;
    if (centred || over) this.root.scrollTop += (box.top + box.bottom - frame.top - frame.bottom) / 2;
    this.map.point(node);
  }

  #inView() {
    const { scrollLeft, scrollTop, clientWidth, clientHeight } = this.root;
    const whole = this.scale * this.own.width <= clientWidth + 1 && this.scale * this.own.height <= clientHeight + 1;
    const own = (pixels) => pixels / this.scale;
    this.map.show({ x: own(scrollLeft), y: own(scrollTop), width: Math.min(own(clientWidth), this.own.width),
      height: Math.min(own(clientHeight), this.own.height) }, whole);
  }

  // -- mouse, fingers and keys ------------------------------------------------------------------------------------------

  #listen() {
    const { root } = this;
    root.addEventListener("wheel", (event) => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      const frame = root.getBoundingClientRect();
      this.zoom(this.scale * Math.exp(-event.deltaY / 300), event.clientX - frame.left, event.clientY - frame.top);
    }, { passive: false });
    root.addEventListener("keydown", (event) => this.#key(event));
    root.addEventListener("pointerdown", (event) => this.#press(event));
    root.addEventListener("pointermove", (event) => this.#move(event));
    for (const name of ["pointerup", "pointercancel"]) root.addEventListener(name, (event) => this.fingers.delete(event.pointerId));
    root.addEventListener("click", (event) => this.dragged && (event.stopPropagation(), event.preventDefault()), true);
  }

  #press(event) {
    if (event.pointerType === "mouse" && event.button !== 0) return;
    this.dragged = false;
    this.fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
  }

  /** The pressed mouse pans, and two fingers zoom; one finger scrolls by itself. */
  #move(event) {
    const from = this.fingers.get(event.pointerId);
    if (!from) return;
    const [right, down] = [event.clientX - from.x, event.clientY - from.y];
    if (event.pointerType === "mouse") {
      if (!this.dragged && Math.hypot(right, down) < DRAGGED) return;
      this.dragged = true;
      this.root.setPointerCapture(event.pointerId);
      this.root.scrollBy({ left: -right, top: -down, behavior: "instant" });
    } else if (this.fingers.size === 2) {
      const [other] = [...this.fingers].filter(([id]) => id !== event.pointerId).map(([, place]) => place);
      const before = Math.hypot(from.x - other.x, from.y - other.y);
      const after = Math.hypot(event.clientX - other.x, event.clientY - other.y);
      const frame = this.root.getBoundingClientRect();
      if (before > 0) this.zoom((this.scale * after) / before, other.x - frame.left, other.y - frame.top);
    }
    this.fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
  }

  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const pan = event.shiftKey && { ArrowLeft: [-PAN, 0], ArrowRight: [PAN, 0], ArrowUp: [0, -PAN], ArrowDown: [0, PAN] }[event.key];
    if (pan) this.root.scrollBy({ left: pan[0], top: pan[1], behavior: "instant" });
    else if (event.key === "+" || event.key === "=") this.zoom(this.scale * ZOOM_STEP);
    else if (event.key === "-") this.zoom(this.scale / ZOOM_STEP);
    else if (event.key === "0") this.fit();
    else return;
    event.preventDefault();
    event.stopPropagation(); // an arrow alone steps
  }
}
