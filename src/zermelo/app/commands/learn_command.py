"""zermelo learn: an evaluation from games of a game against itself."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from zermelo.app.commands.game_commands import open_game
from zermelo.app.output import console, named, print_json, say
from zermelo.formatting import size_text
from zermelo.learning.learn_api import LearningPoint, check_learnable
from zermelo.learning.learn_api import learn as learn_weights
from zermelo.networks.network_file import check_weights_output
from zermelo.searching.runtime.search_threads import in_background

CHECKPOINT_SUFFIX = ".training"
"""What is added to the name of the result: the checkpoint, which is deleted at the end."""


def learn(text: str, file: Path, options: dict[str, Any], *, as_json: bool) -> None:
    """Learn weights and write them to a file; print the learning curve while it grows."""
    game = open_game(text)
    check_weights_output(game, file)
    check_learnable(game, options.get("kind", "tuples"))
    checkpoint = file.with_name(file.name + CHECKPOINT_SUFFIX)
    if checkpoint.exists():
        say(f"Going on from {checkpoint}.")
    say("   seconds      games        plies    error  against random  against greedy")
    try:
        learned = in_background(
            lambda: learn_weights(game, checkpoint=checkpoint, on_point=lambda point: say(_row(point)), **options)
        )
    except KeyboardInterrupt:
        if checkpoint.exists():
            say(f"Stopped; the same command goes on from {checkpoint}.")
        raise
    learned.save(file)
    size = file.stat().st_size
    if as_json:
        print_json({"name": named(game), "file": str(file), "bytes": size, **learned.facts})
    else:
        console().print(f"{file}: {size_text(size)}, from {learned.facts['games']:,} games.")


def _row(point: LearningPoint) -> str:
    shares = f"{point.against_random:15.1%} {point.against_greedy:15.1%}"
    return f"{point.seconds:10.1f} {point.games:10,} {point.plies:12,} {point.error:8.4f} {shares}"
