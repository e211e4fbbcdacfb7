/** The moves of a game as a tree: variations beside the main line, which follows the first move everywhere. */

const MAX_LINES = 100;

export class GameTree {
  /** @param {string[][]} lines  from the start, in their order: the first is the main line */
  constructor(lines) {
    this.root = node("");
    for (const line of lines.slice(0, MAX_LINES)) this.add(line);
  }

  /** Add the moves of a path that are not there yet. */
  add(path) {
    let at = this.root;
    for (const text of path) {
      let next = at.next.find((child) => child.text === text);
      if (!next) at.next.push((next = node(text)));
      at = next;
    }
  }

  /** The node at the end of a path; undefined where the path leaves the tree. */
  find(path) {
    return path.reduce((at, text) => at?.next.find((child) => child.text === text), this.root);
  }

  /** A path, and on from its end along the first moves. */
  line(path) {
    const found = [...path];
    for (let at = this.find(path); at?.next.length; at = at.next[0]) found.push(at.next[0].text);
    return found;
  }

  /** All lines, the main line first. */
  lines() {
    const below = (at, path) =>
      at.next.length ? at.next.flatMap((child) => below(child, [...path, child.text])) : [path];
    return below(this.root, []);
  }

  /** Whether a path lies on the main line. */
  isMain(path) {
    return path.every((text, i) => this.find(path.slice(0, i)).next[0].text === text);
  }

  /** Make a path the main line. */
  promote(path) {
    path.forEach((text, i) => {
      const { next } = this.find(path.slice(0, i));
      next.unshift(...next.splice(next.findIndex((child) => child.text === text), 1));
    });
  }

  /** Delete the last move of a path, and what follows it. */
  remove(path) {
    const parent = this.find(path.slice(0, -1));
    parent.next = parent.next.filter((child) => child.text !== path.at(-1));
  }
}

const node = (text) => ({ text, next: [] });
