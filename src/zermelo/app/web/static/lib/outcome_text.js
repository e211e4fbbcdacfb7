/** How a game ended, in the words of a player: the ending first, as "Checkmate. White wins." */

const NAMED = /^by (checkmate|stalemate)$/;

/** The result as a sentence; `winner` is what the winner is called where that is not the name of a side: You. */
export function ending({ winner, words, reason }, called = null) {
  const named = reason.match(NAMED)?.[1];
  const said = called && winner !== null ? words.replace(/^.*? wins?\b/, `${called} ${called === "You" ? "win" : "wins"}`) : words;
  if (!named) return said;
  return `${named[0].toUpperCase()}${named.slice(1)}. ${said.replace(` ${reason}`, "")}`;
}
