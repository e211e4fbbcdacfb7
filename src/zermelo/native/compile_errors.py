"""What Numba's commonest errors mean, and what an author writes instead.

Numba explains an error in terms of its own types: "No implementation of function Function(<built-in function getitem>)
found for signature: getitem(Tuple(UniTuple(int64 x 2), UniTuple(int64 x 1)), int64)". ADVICE has a sentence for each
of the commonest errors, in Python's words. `docs/compile-errors.md` shows them with examples.
"""

from __future__ import annotations

import re
from typing import NamedTuple


class Advice(NamedTuple):
    """A pattern of the compiler's reason, and the sentence that replaces it.

    The sentence names groups of the pattern: `{name}` is quoted, and `{one}` and `{other}` are types, in Python's
    words. Where several sentences explain one reason, `line` is a pattern of the author's line that decides.
    """

    pattern: str
    sentence: str
    line: str = ""


SIDE_EFFECT = "what changes belongs to the state"
"""The end of a sentence that says already what a rule changes."""

ROWS = r"Tuple\((?:Uni)?Tuple\("
"""The beginning of the type of a tuple of tuples that differ."""

ADVICE = (
    # -- tables and tuples -------------------------------------------------------------------------------------------
    Advice(
        r"getitem\(.*, slice<",
        "the length of a slice with variable bounds is not known; write tuples.replace(cells, i, value) to change "
        "one item, or loop over the indices",
    ),
    Advice(
        r"getitem\(.*, float64\)$",
        "an index is a float; `/` gives a float, so divide ints with `//`",
    ),
    Advice(
        rf"getitem\({ROWS}.*, u?int\d+\)$",
        "the rows of this table differ in length, so that a variable cannot index it; give all rows one length, "
        "filled up with -1, and stop at -1",
    ),
    Advice(
        rf"getiter with parameters \({ROWS}",
        "the rows of this table differ in length, so that a loop cannot run over it; give all rows one length, "
        "filled up with -1, and stop at -1",
    ),
    Advice(
        r"getitem\(\w+\(.*\), u?int\d+\)$",
        "the items of this tuple differ in type, so that a variable cannot index it; use a tuple for each type",
    ),
    Advice(
        r"Untyped global name '(?P<name>\w+)': Cannot determine Numba type of <class 'tuple'>"
        r"|getiter with parameters \(Tuple\(type\(CPUDispatcher",
        "a tuple of functions does not compile; write one function that chooses with if and elif",
    ),
    Advice(
        r"getiter with parameters \((?:u?int\d+|float64|boolean)\)|getitem\((?:u?int\d+|float64), ",
        "a number has no items; write range(n), or return a tuple",
    ),
    Advice(
        r"failed to unpack|wrong tuple length",
        "a tuple is needed here, with as many items as there are names",
    ),
    Advice(
        r"getiter with parameters \(Tuple\(",
        "the items of this tuple differ in type, so that a loop cannot run over it; use a tuple for each type",
    ),
    Advice(
        r"<class 'tuple'>\) found for signature: >>> tuple\(",
        "a tuple in a rule has a fixed length, which a list or range does not tell; write its items one by one, as in "
        "(cells[0], cells[1]), or tuples.replace(cells, i, value) to change one item",
    ),
    Advice(
        r"(?:iadd|add)\(.*Tuple\(|mul\(.*Tuple\(",
        "a tuple in a rule has a fixed length and cannot grow; append to a list, or keep a set of cells as bits of "
        "an int",
    ),
    Advice(
        r"setitem\((?:\w*Tuple|[A-Z]\w*)\(.*|No definition for lowering \w+\(.*\)\.(?P<field>\w+) = ",
        "a tuple cannot be changed; write tuples.replace(cells, i, value), or make a new state",
    ),
    Advice(
        r"Unknown attribute '_replace'",
        "`_replace` does not compile; name the class and give it every field, as in State(state.cells, 1)",
    ),
    Advice(
        r"Unknown attribute '(?P<name>\w+)' of type (?:Uni)?Tuple\(",
        "`{name}` of a tuple does not compile; write a loop",
    ),
    # -- lists, sets and dicts ---------------------------------------------------------------------------------------
    Advice(
        r"Untyped global name 'value': Cannot determine Numba type of <class '(?P<kind>dict|set|frozenset)'>",
        "a constant of the game is a {kind}, which does not compile; write a tuple, indexed by an int or asked with "
        "`in`",
    ),
    Advice(
        r"The use of a reflected (?P<kind>list|set)\(.*assigned to variable '(?P<name>\w+)'",
        "`{name}` is a {kind}, which could change, and compiled rules need constants; write a tuple",
    ),
    Advice(
        r"Untyped global name '(?P<name>\w+)': Cannot determine Numba type of <class '(?P<kind>dict|set|frozenset)'>",
        "`{name}` is a {kind}, which does not compile as a constant; write a tuple, indexed by an int or asked with "
        "`in`",
    ),
    Advice(
        r"OverloadSelector object at \w+>, \((?P<kind>List|Set)\(",
        "a constant of the game is a {kind}, which could change, and compiled rules need constants; write a tuple",
    ),
    Advice(
        r"Cannot infer the type of variable .*imprecise type: (?P<kind>list|set|Dict)",
        "nothing is ever put into this {kind}, so that its type is not known; leave it out, and yield moves instead of "
        "returning a list",
    ),
    Advice(
        r"getiter with parameters \(LiteralList|setitem\(DictType|append for list|NotImplementedError\(\)",
        "the items of a list, set or dict differ in type or length; use one for each type",
    ),
    Advice(
        r"Unknown attribute 'add' of type range_iter",
        "a set comprehension does not compile; write set([... for ...])",
    ),
    Advice(
        r">>> eq\(set\(",
        "sets cannot be compared; compare the items in a loop, or keep a set of cells as bits of an int",
    ),
    Advice(
        r"imprecise type: .*pyobject",
        "a NumPy array of Python objects does not compile; give all rows one length, so that the array holds numbers",
    ),
    # -- loops and built-in functions --------------------------------------------------------------------------------
    Advice(
        r"use of yield in a closure",
        "`any` and `all` do not compile; write a loop that returns as soon as it knows",
        line=r"\b(any|all)\(",
    ),
    Advice(
        r"use of yield in a closure",
        "the length of a tuple(... for ...) is not known; write tuples.replace(cells, i, value) to change one item, "
        "or write all items out",
        line=r"\btuple\(",
    ),
    Advice(
        r"use of yield in a closure",
        "a generator expression does not compile; put it into brackets, as in sum([... for ...]), or write a loop",
        line=r"\(.* for ",
    ),
    Advice(
        r"non-constant value associated with variable|>>> (?:min|max)\(.*(?:key|default)=",
        "`min` and `max` with key= or default= do not compile; write a loop that keeps the best so far",
        line=r"\b(min|max)\(",
    ),
    Advice(
        r"non-constant value associated with variable",
        "a lambda that uses variables of the rule does not compile; write a loop (moves are sorted by the rule "
        "`order`)",
    ),
    Advice(
        r"use of yield in a closure|cell variable",
        "this inner function does not compile; make it a method of the class",
    ),
    Advice(
        r"Untyped global name '(?P<name>any|all)'",
        "`{name}` does not compile; write a loop that returns as soon as it knows",
    ),
    Advice(
        r"Untyped global name 'reversed'",
        "`reversed` does not compile; write range(last, first - 1, -1), or cells[::-1]",
    ),
    Advice(
        r"Untyped global name '(?:super|__class__)'|LOAD_SUPER_ATTR",
        "`super()` does not compile; give the inherited rule a helper method and call that",
    ),
    Advice(
        r"Untyped global name 'bin'|Unknown attribute 'bit_count'",
        "the bits of an int are counted by bits.popcount(x), from `zermelo import bits`",
    ),
    Advice(
        r"Unknown attribute 'bit_length'",
        "`bit_length` does not compile; write bits.msb(x) + 1, from `zermelo import bits`",
    ),
    Advice(
        r"Untyped global name '(?P<name>\w+)': Cannot determine Numba type of <class 'builtin_function",
        "the built-in function `{name}` does not compile; write a loop",
    ),
    Advice(
        r"AssertionError\(\)",
        "a built-in function does not take an argument by name here; write enumerate(cells, 1) for "
        "enumerate(cells, start=1)",
    ),
    Advice(
        r"generator: it does not yield",
        "the rule has no `yield` that is ever reached",
    ),
    # -- types -------------------------------------------------------------------------------------------------------
    Advice(
        r"Cannot unify (?P<one>.+) and (?P<other>.+) for '\$",
        "a value is {one} in one branch and {other} in another; give it one type",
    ),
    Advice(
        r"Cannot unify (?P<one>.+) and (?P<other>.+) for '(?P<name>[\w.]+)'",
        "`{name}` is {one} in one branch and {other} in another; give it one type",
    ),
    Advice(
        r"OptionalType|yield type from .*none",
        "`get` of a dict may give None for the compiler, even with a default; ask with `in`, then index",
        line=r"\.get\(",
    ),
    Advice(
        r"Can't unify (?:return|yield) type from the following types: (?P<one>.+)",
        "the rule gives different types: {one}; give one type",
    ),
    Advice(
        r">>> (?:bool|truth)\(OptionalType",
        "a value that may be None is used as a condition; ask whether it `is None`, or use -1 for none",
    ),
    Advice(
        r"OptionalType|unknown function>\(none\)|the state is of type none|getiter with parameters \(none\)",
        "one way through the rule returns None; a `return` or a `yield` is missing",
    ),
    Advice(
        r"the state is of type float64.*int64|\w+\.\w+ is of type float64.*int64",
        "the state becomes a float where it was an int; `/` gives a float, so divide ints with `//`",
    ),
    Advice(
        r"a move is an int where rules are compiled, and these are (?P<kind>.+)",
        "a move is an int where rules are compiled, and these are {kind}; number them, as 8 * row + column "
        "does, and name them in move_text",
    ),
    Advice(
        r"unknown function>\((?P<one>.+)\)",
        "the rule returns {one}, where a number is needed",
    ),
    Advice(
        r"Int value is too large: (?P<number>\d+)",
        "{number} has more than 64 bits; use two fields of 64 bits, or a tuple",
    ),
    Advice(
        r"runaway recursion|re-entrant to the same function",
        "a method that calls itself does not compile; write a function outside the class, with a return that needs "
        "no recursion first, or a loop",
    ),
    # -- classes, modules and functions ------------------------------------------------------------------------------
    Advice(
        r"(?:Enum class<\w+>\()(?P<kind>\w+)",
        "the Enum {kind} cannot be called or looped over in a rule; its members may be compared, and a loop runs "
        "over a tuple of them",
    ),
    Advice(
        r"Untyped global name '(?P<name>\w+)': Cannot determine Numba type of <class 'type'>",
        "`{name}` is a class, and of classes only NamedTuples compile; use a list, a NamedTuple or a helper function",
    ),
    Advice(
        r"Untyped global name 'value': Cannot determine Numba type of <class 'functools\._lru",
        "a method is cached by functools, which does not compile; remove the decorator, or compute a table in a "
        "property",
    ),
    Advice(
        r"Untyped global name '(?P<name>\w+)': Cannot determine Numba type of <class 'functools\._lru",
        "`{name}` is cached by functools, which does not compile; remove the decorator, or compute a table in a "
        "property",
    ),
    Advice(
        r"Untyped global name '(?P<name>\w+)': Cannot determine Numba type of <class '(?P<kind>[\w.<>]+)'>",
        "`{name}` is an object of class {kind}; compiled rules use numbers, tuples, NumPy arrays and functions",
    ),
    Advice(
        r"Unknown attribute '(?P<name>\w+)' of type Module\(<module '(?P<kind>[\w.]+)'",
        "`{kind}.{name}` does not compile; write a loop or a helper function",
    ),
    Advice(
        r"Unknown attribute '(?P<name>\w+)' of type Game\[",
        "`self.{name}` is not a parameter, constant or method of the game; a classmethod does not compile",
    ),
    Advice(
        r"Cannot resolve setattr: \(Game\[.*\)\.(?P<name>\w+) = ",
        f"a rule cannot change the game (self.{{name}}); {SIDE_EFFECT}",
    ),
    Advice(
        r"STORE_GLOBAL",
        f"a rule cannot assign to a global variable; {SIDE_EFFECT}",
    ),
    Advice(
        r"too many positional arguments|Cannot bind 'args=|\*args in function call should be a tuple",
        "`*` and `**` in a call or in a signature do not compile; name the arguments one by one",
    ),
    Advice(
        r"unsupported NumPy function '(?P<name>[\w.]+)'",
        "`{name}` does not compile; write a loop",
    ),
    Advice(
        r"dtype=Function\(<class '(?P<kind>int|float|bool)'>\)",
        "dtype={kind} does not compile; write dtype=np.int64, np.float64 or np.bool_",
    ),
    # -- text, errors and statements ---------------------------------------------------------------------------------
    Advice(
        r"FORMAT_|format spec|Unknown attribute 'format'|>>> mod\(Literal\[str\]|>>> int\((?:Literal\[str\]|unicode)",
        "text is not formatted or parsed in a compiled rule; compare ints, and make text in move_text or state_text",
    ),
    Advice(
        r"exception_match|Exception matching",
        "of `except` clauses only `except Exception` compiles; ask with `if` before the error can happen",
    ),
    Advice(
        r"print\(\) function implementation does not support keyword",
        "`print` compiles without end= and sep= only",
    ),
    Advice(
        r"Unsupported context manager",
        "`with` does not compile; a rule depends on the state alone",
    ),
    Advice(
        r"UNPACK_EX",
        "`first, *rest = cells` does not compile; write first, rest = cells[0], cells[1:]",
    ),
    Advice(
        r"MATCH_",
        "`match` compiles for numbers only; write if and elif for tuples",
    ),
    Advice(
        r"IMPORT_",
        "an import inside a rule does not compile; import at the top of the file",
    ),
    Advice(
        r"Illegal IR, del found",
        "`del` does not compile; leave it out",
    ),
    Advice(
        r"NameError: name '(?P<name>\w+)'",
        "`{name}` is not defined",
    ),
    # -- anything else -----------------------------------------------------------------------------------------------
    Advice(
        r"Unknown attribute '(?P<name>\w+)' of type (?P<one>.+)",
        "{one} has no attribute `{name}` that compiles",
    ),
    Advice(
        r"No implementation of function .* found for signature: >>> (?P<name>[\w.]+)\((?P<one>.*)\)",
        "`{name}` does not compile for {one}",
    ),
)
"""The first pattern that matches a reason applies."""


def advice(reason: str, line: str = "") -> str:
    """The sentence for a reason of the compiler at a line of the author's; the reason itself if ADVICE has none."""
    for each in ADVICE:
        if (found := re.search(each.pattern, reason)) and re.search(each.line, line):
            return each.sentence.format_map(_words(found.groupdict()))
    return reason


def _words(groups: dict[str, str | None]) -> dict[str, str]:
    words = {name: text or "" for name, text in groups.items()}
    for name in words.keys() & {"one", "other"}:
        words[name] = python_types(words[name])
    if "name" in words:  # `x.2` is the second version of x
        words["name"] = re.sub(r"\.\d+(\.\d+)*$", "", words["name"])
    if "kind" in words:
        words["kind"] = _KINDS.get(words["kind"], words["kind"])
    return words


# -- names of types --------------------------------------------------------------------------------------------------

_KINDS = {
    "List": "list", "Set": "set", "Dict": "dict", "unicode_type": "text", "float64": "fractions",
    "boolean": "True and False",
}  # fmt: skip

_NUMBERS = (
    (r"Literal\[(\w+)\]\(.*?\)(?=[,)]|$| x )", r"\1"),
    (r"\bu?int\d+", "int"),
    (r"\bfloat\d+", "float"),
    (r"\bboolean", "bool"),
    (r"\bunicode_type", "str"),
    (r"\bnone\b", "None"),
    (r"<iv=.*?>", ""),
    (r"DictType\[.*?\]", "dict"),
    (r"\b(?:readonly )?array\([^()]*\)", "NumPy array"),
)

_CONTAINERS = (
    (r"type\(CPUDispatcher\(.*?\)\)", lambda found: "function"),
    (r"\bTuple\(\)", lambda found: "empty tuple"),
    (r"UniTuple\([^()]* x (\d+)\)", lambda found: f"tuple of {found[1]}"),
    (r"\bTuple\(([^()]*)\)", lambda found: f"tuple of {found[1].count(', ') + 1}"),
    (r"OptionalType\(([^()]*)\)", lambda found: f"{found[1]} or None"),
    (r"\b(?:reflected )?(list|set)\([^()]*\)", lambda found: found[1]),
    (r"\b(\w+)\([^()]*\)", lambda found: found[1]),  # a NamedTuple
)


def python_types(types: str) -> str:
    """Types that Numba names, in Python's words, each once.

    >>> python_types("UniTuple(int64 x 3), none, Literal[int](1), Literal[int](2)")
    'a tuple of 3, None, an int'
    >>> python_types("Tuple(Literal[int](1), UniTuple(float64 x 2)), OptionalType(boolean), Board(UniTuple(int64 x 9))")
    'a tuple of 2, a bool or None, a Board'
    """
    for pattern, word in _NUMBERS:
        types = re.sub(pattern, word, types)
    before = ""
    while types != before:
        before = types
        for pattern, container in _CONTAINERS:
            types = re.sub(pattern, container, types)
    return ", ".join(dict.fromkeys(_with_article(word) for word in types.split(", ")))


def _with_article(word: str) -> str:
    if word == "None":
        return word
    return f"an {word}" if word[:1] in "aeiou" else f"a {word}"
