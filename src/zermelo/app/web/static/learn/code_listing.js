/** Pseudo-code with the line of the present step lit. */

const WORDS = /(\bfunction\b|\bif\b|\belse\b|\breturn\b|\bfor each\b|\bbreak\b)|(#.*)/g;

/** A listing; `light(line)` lights one of its lines, and null none. */
export class CodeListing {
  /** @param {string[]} lines  empty for an algorithm that has no listing: then nothing is shown */
  constructor(root, lines) {
    this.root = root;
    root.hidden = !lines.length;
    this.lines = lines.map((text) => {
      const line = document.createElement("li");
      line.append(...coloured(text.trimStart()));
      line.style.setProperty("--indent", text.length - text.trimStart().length);
      return line;
    });
    const list = document.createElement("ol");
    list.append(...this.lines);
    root.replaceChildren(list);
  }

  light(number) {
    this.lines.forEach((line, index) => {
      line.classList.toggle("lit", index === number);
      if (index === number) line.setAttribute("aria-current", "step");
      else line.removeAttribute("aria-current");
    });
    const lit = this.lines[number ?? -1];
    if (!lit) return;
    const [box, frame] = [lit.getBoundingClientRect(), this.root.getBoundingClientRect()]; // scroll the listing, not the page
    if (box.top < frame.top || box.bottom > frame.bottom) this.root.scrollTop += (box.top + box.bottom - frame.top - frame.bottom) / 2;
  }
}

/** A line with its keywords and its comment in elements of their own. */
function coloured(text) {
  const parts = [];
  let done = 0;
  for (const found of text.matchAll(WORDS)) {
    const part = document.createElement(found[1] ? "b" : "i");
    part.textContent = found[0];
    parts.push(text.slice(done, found.index), part);
    done = found.index + found[0].length;
  }
  return [...parts, text.slice(done)];
}
