"""The rules of a game as LLVM IR: defaults, from the package, from the cache, or compiled.

The package is built with the rules of the catalogue's larger games. A rule is found there, or in the cache, by a hash
of everything that its IR depends on, so that of an edited rule or of other parameters is not found.
"""

from __future__ import annotations

import functools
import hashlib
import zlib
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

from zermelo.game import Game
from zermelo.native.cache.cache_maintenance import entry_name
from zermelo.native.cache.entry_format import pack, unpack
from zermelo.native.cache.kernel_cache import load_entry, save_entry
from zermelo.native.compilability import layout, versions
from zermelo.native.linking import default_rules, prebuilt, state_rules
from zermelo.native.linking.rule_dependencies import rule_fingerprint
from zermelo.native.linking.weights import data_weights

RULE_SOURCES = ("native",)
"""Packages that compile rules. The modules beside them hold what rules call."""


class Rule(NamedTuple):
    """A rule of a game as LLVM IR."""

    ir: str
    environments: dict[str, list[Any]] = {}
    """The Python objects that its functions use, for example to print."""
    cacheable: bool = True
    """Whether the code holds no address of this process."""


@functools.cache
def source_digest(*packages: str) -> str:
    """A hash of the modules of the core, and of these packages."""
    root = Path(__file__).parent.parent.parent
    files = [*root.glob("*.py"), *(path for name in packages for path in (root / name).rglob("*.py"))]
    digest = hashlib.sha256()
    for path in sorted(files):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def linked_rules(game: Game, names: Iterable[str]) -> list[Rule]:
    """These rules of a game, and those that they call."""
    return [_default(game, name) or _found(game, name) or _saved(game, name) for name in _with_callees(game, names)]


def build_rules(game: Game, names: Iterable[str]) -> list[str]:
    """Compile these rules of a game into the package, those that are not there; return the names of all their files."""
    files = []
    for name in _with_callees(game, names):
        if _default(game, name) is None:
            key, file = _key(game, name)
            if unpack(prebuilt.read(file), key) is None:  # and no rule of ours holds an address
                prebuilt.write(file, _packed(key, _compiled(game, name)))
            files.append(file)
    return files


def _with_callees(game: Game, names: Iterable[str]) -> list[str]:
    """These rules, each once, with those that their defaults call."""
    names = dict.fromkeys(names)
    if "candidates_into" in names and not game.has("candidates"):
        names["moves_into"] = None
    return [*names]


def _default(game: Game, name: str) -> Rule | None:
    """A rule that needs no compiler: one that the author did not write, or that the layout of a state decides."""
    found = default_rules.default_rule(game, layout(game), name) or state_rules.state_rule(game, layout(game), name)
    return None if found is None else Rule(found)


def _found(game: Game, name: str) -> Rule | None:
    """A rule from the package or from the cache; None if it is in neither."""
    key, file = _key(game, name)
    found = unpack(prebuilt.read(file), key) or unpack(load_entry(file), key)
    if found is None:
        return None
    header, data = found
    return Rule(zlib.decompress(data).decode(), header["environments"])


def _saved(game: Game, name: str) -> Rule:
    """A rule that is compiled now, and put into the cache."""
    rule = _compiled(game, name)
    if rule.cacheable:
        key, file = _key(game, name)
        save_entry(file, _packed(key, rule))
    return rule


def _compiled(game: Game, name: str) -> Rule:
    from zermelo.native.linking.rule_ir import compile_rule

    return Rule(*compile_rule(game, name))


def _key(game: Game, name: str) -> tuple[str, str]:
    """The key of a rule, and the name of its file, stored on the instance: every kernel of a game asks for them."""
    known: dict[str, tuple[str, str]] | None = game.__dict__.get("_rule_keys")
    if known is None:
        known = {}
        object.__setattr__(game, "_rule_keys", known)
    if name not in known:
        known[name] = _new_key(game, name)
    return known[name]


def _new_key(game: Game, name: str) -> tuple[str, str]:
    """The key of a rule and the name of its file. The rule does not depend on weights that are data."""
    unused = () if data_weights(game) is None else ("weights",)
    rule = rule_fingerprint(game, layout(game), name, unused)
    key = hashlib.sha256(repr((source_digest(*RULE_SOURCES), rule, unused, versions())).encode()).hexdigest()
    return key, entry_name(f"rule_{name.strip('_')}", type(game).__name__, key[:32], "ir")


def _packed(key: str, rule: Rule) -> bytes:
    return pack(key, {"environments": rule.environments}, zlib.compress(rule.ir.encode()))
