"""Files that somebody else made: databases, checkpoints, books and records with changes, their checksums made right."""

import json
import random
from pathlib import Path

import numpy as np

import zermelo as z
from zermelo.solving.storage.archive import Archive, write


def interpreted(text):
    """A game of the catalogue, whose rules are to be run as Python: it is solved without a compiler."""
    game = z.load(text)
    object.__setattr__(game, "native", False)
    return game


def contents(path):
    """The header and the sections of an archive."""
    with Archive.open(path) as archive:
        return archive.header, {name: archive.array(name) for name in archive.names}


def rewritten(source, target, change):
    """Write an archive again, changed, with all its checksums right."""
    header, sections = contents(source)
    header = json.loads(json.dumps(header))
    change(header, sections)
    write(target, header, sections.items(), threads=1)
    return Path(target)


# -- changes at random ---------------------------------------------------------------------------------------------

ODD = (
    None, True, False, 0, 1, -1, 2, 7, 63, 64, 65, 255, 1 << 31, -(1 << 31), 1 << 62, 1 << 63, -(1 << 63), 1 << 64,
    1 << 200, 0.5, -1e308, 1e-300, "", "x", "\x1b[2J", "9" * 400, [], {}, [[]], [None], {"a": 1}, [1, 2, 3, 4],
)  # fmt: skip
"""What JSON can hold, and no header expects."""


def places(data, path=()):
    """The places of all parts of JSON data."""
    yield path
    if isinstance(data, dict):
        for key in data:
            yield from places(data[key], (*path, key))
    elif isinstance(data, list):
        for i in range(len(data)):
            yield from places(data[i], (*path, i))


def at(data, path):
    for key in path:
        data = data[key]
    return data


def change_json(data, dice):
    """Change one part of JSON data: to something odd or near, away, or twice."""
    path = dice.choice([path for path in places(data) if path])
    inside, key = at(data, path[:-1]), path[-1]
    old = inside[key]
    way = dice.choice(("odd", "near", "away", "twice", "swap"))
    if way == "near" and isinstance(old, int | float) and not isinstance(old, bool):
        inside[key] = old + dice.choice((-2, -1, 1, 2, 8, 1 << 20))
    elif way == "near" and isinstance(old, str) and old:
        i = dice.randrange(len(old))
        inside[key] = old[:i] + chr(dice.randrange(32, 127)) + old[i + 1 :]
    elif way == "away":
        del inside[key]
    elif way == "twice" and isinstance(inside, list):
        inside.insert(key, old)
    elif way == "swap" and isinstance(inside, list):
        other = dice.randrange(len(inside))
        inside[key], inside[other] = inside[other], inside[key]
    else:
        inside[key] = dice.choice(ODD)


def change_sections(sections, dice):
    """Change one section: a number, its length, its dtype, its name, or the section of another."""
    name = dice.choice(list(sections))
    array = sections[name].copy()
    way = dice.choice(("number", "number", "numbers", "short", "long", "dtype", "name", "away", "swap", "order"))
    if way == "number" and len(array):
        array[dice.randrange(len(array))] = dice.choice((0, 1, 2, 3, 5, 9, 17, 100))
    elif way == "numbers" and len(array):
        raw = array.view(np.uint8)
        for _ in range(5):
            raw[dice.randrange(len(raw))] = dice.randrange(256)
    elif way == "short":
        array = array[: dice.randrange(len(array) + 1)]
    elif way == "long":
        array = np.concatenate((array, array[: dice.randrange(1, 4)]))
    elif way == "dtype":
        array = array.astype(dice.choice(("|u1", "<i2", "<i4", "<f4", "<f8", "<i8")))
    elif way == "order":
        array = np.ascontiguousarray(array[::-1])
    if way == "away":
        del sections[name]
    elif way == "name":
        sections[dice.choice(("keys_0", "entries_1", "uppers_0", "states", "x", ""))] = sections.pop(name)
    elif way == "swap":
        other = dice.choice(list(sections))
        sections[name], sections[other] = sections[other], sections[name]
    else:
        sections[name] = array


def change_bytes(data, dice):
    """Change bytes of a file: some of them, its end, or a part that is put elsewhere."""
    data = bytearray(data)
    way = dice.choice(("flip", "flip", "cut", "append", "zero", "move"))
    here = dice.randrange(len(data))
    if way == "flip":
        data[here] ^= 1 << dice.randrange(8)
    elif way == "cut":
        del data[here:]
    elif way == "append":
        data += bytes(dice.randrange(256) for _ in range(dice.randrange(1, 20)))
    elif way == "zero":
        data[here : here + 8] = bytes(len(data[here : here + 8]))
    else:
        part = data[here : here + 16]
        there = dice.randrange(len(data))
        data[there : there + len(part)] = part
    return bytes(data)


def change_archive(source, target, seed):
    """A change of any kind to an archive; those to what it holds have their checksums made right."""
    dice = random.Random(seed)
    way = dice.choice(("header", "header", "sections", "sections", "both", "bytes"))
    if way == "bytes":
        Path(target).write_bytes(change_bytes(Path(source).read_bytes(), dice))
        return

    def change(header, sections):
        if way in ("header", "both"):
            change_json(header, dice)
        if way in ("sections", "both") and sections:
            change_sections(sections, dice)

    rewritten(source, target, change)
