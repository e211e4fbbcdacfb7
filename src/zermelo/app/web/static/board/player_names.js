/** What the players are called: by the sides of the board where it names them, White and Black, else by their order. */

const ORDER = ["First", "Second"];

/** In a word, as a choice or a label. */
export const short = ({ sides }, player) => sides?.[player] ?? ORDER[player];

/** At the beginning of a sentence. */
export const name = ({ sides }, player) => sides?.[player] ?? `${ORDER[player]} player`;

/** Within a sentence. */
export const called = ({ sides }, player) => sides?.[player] ?? `the ${ORDER[player].toLowerCase()} player`;

/** Whether a player's name is plural, as Hounds and Geese are. */
const several = (name) => /(s|eese)$/.test(name);

/** The verb after a player's name. */
export const are = (name) => (several(name) ? "are" : "is");
export const verb = (name, word) => (several(name) ? word : `${word}s`);
