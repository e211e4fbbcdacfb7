"""InterpretedWarning: a search or a solve runs interpreted, and why."""

from __future__ import annotations

import os
import re
import warnings

from zermelo.game import Game

_reasons: dict[str, str] = {}
"""By fingerprint: why games that were warned of are interpreted."""


class InterpretedWarning(UserWarning):
    """A search or a solve runs interpreted although the game does not say native = False. It is far slower so."""


def warn_if_interpreted(game: Game, reason: str | None = None) -> None:
    """Warn, once for each game, that it is interpreted, if that is known; nothing is compiled to find out.

    A game that says native = False is interpreted on purpose. The warning has the place of the rule that does not
    compile. `reason` is for a game that is interpreted although its rules compile.
    """
    from zermelo.native.compilability import known_error
    from zermelo.native.fingerprints import fingerprint

    reason = known_error(game) or reason
    if reason is None or game.native is False or os.environ.get("NUMBA_DISABLE_JIT", "0") != "0":
        return
    name = fingerprint(game)
    if name not in _reasons:
        _reasons[name] = reason
        sentence = (
            f"{game!r} is interpreted, which is far slower than compiled. {reason}. "
            "To interpret it without this warning, set native = False."
        )
        warnings.warn_explicit(sentence, InterpretedWarning, *_place(game, reason))


def why_interpreted(game: Game) -> str | None:
    """The reason that a search or a solve of this process has warned of; None if there was none."""
    from zermelo.native.fingerprints import fingerprint

    return _reasons.get(fingerprint(game)) if _reasons else None


def _place(game: Game, reason: str) -> tuple[str, int]:
    """The file and the line of the rule that a reason names; the file of the game and its first line otherwise."""
    found = re.match(r"\w+\.(\w+), line (\d+)( of .+?)?: ", reason)
    rule = getattr(type(game), found[1], None) if found else None
    code = getattr(rule, "__code__", None) or type(game).initial.__code__
    return code.co_filename, int(found[2]) if found and not found[3] else code.co_firstlineno
