"""The options that a GUI may set: how they are announced, read and given to the engine."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from zermelo.arguments import MAX_MEGABYTES, MAX_THREADS
from zermelo.formatting import shortened
from zermelo.game import GameError

EMPTY = "<empty>"
"""How an empty text is written."""

TRUTHS = {"true": True, "false": False, "1": True, "0": False}
"""How UCI and XBoard write the value of a check box."""

STYLE_NAMES = ("exact", "longest", "trickiest")


@dataclass(frozen=True)
class Option:
    """An option: its name, its type in the protocol, its default, its range or its choices."""

    name: str
    type: str
    default: Any
    least: int = 0
    most: int = 0
    choices: tuple[str, ...] = ()
    holds: str = ""
    """What a text names, "file" or "path", where XBoard is to offer a choice of these."""

    def announcement(self) -> str:
        """The line that announces it.

        >>> Option("Threads", "spin", 1, 1, 8).announcement()
        'option name Threads type spin default 1 min 1 max 8'
        """
        shown = str(self.default).lower() if self.type == "check" else self.default
        words = f"option name {self.name} type {self.type} default {EMPTY if shown == '' else shown}"
        if self.type == "spin":
            words += f" min {self.least} max {self.most}"
        return words + "".join(f" var {choice}" for choice in self.choices)

    def feature(self) -> str:
        """The line that announces it to XBoard, which marks the default of a choice by a star.

        >>> Option("Style", "combo", "exact", choices=("exact", "longest")).feature()
        'feature option="Style -combo *exact /// longest"'
        """
        value = str(int(self.default) if self.type == "check" else self.default)
        if self.type == "spin":
            value += f" {self.least} {self.most}"
        if self.type == "combo":
            value = " /// ".join(f"*{each}" if each == self.default else each for each in self.choices)
        return f'feature option="{self.name} -{self.holds or self.type} {value}"'

    def read(self, text: str) -> Any:
        """The value that a text names. Raise GameError if it is none."""
        if self.type == "spin" and text.isdecimal() and self.least <= int(text[:12]) <= self.most:
            return int(text)
        if self.type == "check" and text.lower() in TRUTHS:
            return TRUTHS[text.lower()]
        if self.type == "combo" and text in self.choices:
            return text
        if self.type == "string":
            return "" if text == EMPTY else text
        raise GameError(f"The option {self.name} cannot be {shortened(text)!r}.")


OPTIONS = (
    Option("Hash", "spin", 64, 1, MAX_MEGABYTES),
    Option("Threads", "spin", 1, 1, MAX_THREADS),
    Option("MultiPV", "spin", 1, 1, 256),
    Option("Ponder", "check", False),
    Option("OwnBook", "check", False),
    Option("Book", "string", "", holds="file"),
    Option("Database", "string", "", holds="file"),
    Option("SyzygyPath", "string", "", holds="path"),
    Option("Weights", "string", "", holds="file"),
    Option("Level", "spin", 10, 1, 10),
    Option("Style", "combo", "exact", choices=STYLE_NAMES),
    Option("Move Overhead", "spin", 10, 0, 10_000),
)


class EngineOptions:
    """The values of the options."""

    def __init__(self) -> None:
        self.values: dict[str, Any] = {option.name: option.default for option in OPTIONS}

    def set(self, words: list[str]) -> None:
        """Set an option as `setoption name NAME value VALUE` does. Raise GameError if it does not exist.

        >>> options = EngineOptions()
        >>> options.set("name multipv value 3".split())
        >>> options.values["MultiPV"]
        3
        """
        text = " ".join(words) + " "  # a value may be empty
        name, _, value = text.removeprefix("name ").partition(" value ")
        for option in OPTIONS:
            if option.name.lower() == name.strip().lower():
                self.values[option.name] = option.read(value.strip())
                return
        raise GameError(f"There is no option {shortened(name.strip())!r}.")

    @property
    def overhead(self) -> float:
        """Seconds that a move takes outside of the search."""
        return float(self.values["Move Overhead"]) / 1000

    def for_engine(self) -> dict[str, Any]:
        """The arguments of `Engine`.

        >>> options = EngineOptions()
        >>> options.set("name Weights value none".split())
        >>> options.for_engine()["weights"]
        False
        """
        values = self.values
        return {
            "table": values["Hash"],
            "threads": values["Threads"],
            "lines": values["MultiPV"],
            "level": values["Level"],
            "style": values["Style"],
            "database": values["Database"] or None,
            "syzygy": values["SyzygyPath"] or None,
            "book": values["Book"] or values["OwnBook"],
            "weights": {"": True, "none": False}.get(values["Weights"], values["Weights"]),
        }
