"""What was measured, as tables for people."""

from __future__ import annotations

from typing import Any

from plain_contests import RATE_NODES
from rich.console import Console
from rich.table import Table

ZERMELO = "zermelo"
SOLVING = ("positions", "solver", "CPU a position", "spread", "nodes", "set-up")


def show(record: dict[str, Any], console: Console) -> None:
    """Print the tables of a record of the bench, and a sentence for each thing that is missing or differs."""
    if record["connect_four"]:
        console.print(solving_table(record["connect_four"]))
        compared = _compared(record["connect_four"])
        console.print(f"Scores were compared with: {compared}.")
        console.print(
            "A peer's set-up, which is its table, is not counted against it; Zermelo's table is. Its kernels are "
            "compiled or loaded beforehand, by a tiny search that is not timed."
        )
    if record["plain_games"]:
        console.print(searching_table(record["plain_games"]))
        console.print(
            "Plain games have four rules and no hook. The ratio is that of nodes a second, Zermelo's in one search of "
            f"at most {RATE_NODES:,} nodes; `to the answer` is the CPU time to the same values at the same depth, the "
            "making of Zermelo's table included, and its kernels compiled or loaded beforehand. In its own manner: "
            "the game is written as the library's own games are, on an array (OpenSpiel) or a list (easyAI)."
        )
    for sentence in (*record["missing"].values(), *complaints(record)):
        console.print(sentence, style="red")


def solving_table(records: list[dict[str, Any]]) -> Table:
    """Exact scores of Connect Four: CPU time and nodes a position."""
    table = _table("Connect Four, exact scores, one core", *SOLVING)
    for record in records:
        for name, found in record["systems"].items():
            first = (f"{record['set']} ({record['positions']})",) if name == ZERMELO else ("",)
            spread = f"{time_text(found['least'])} to {time_text(found['most'])}"
            nodes = "?" if found["nodes"] is None else f"{found['nodes']:,.0f}"
            setup = "counted" if name == ZERMELO else time_text(found["setup"])
            table.add_row(*first, name, time_text(found["cpu"]), spread, nodes, setup, *verdict(found))
        table.add_section()
    return table


def searching_table(records: list[dict[str, Any]]) -> Table:
    """Plain games: nodes a second, and CPU time to the same answer."""
    table = _table("Alpha-beta on plain games, one core", "game", "system", "nodes/s", "nodes", "to the answer")
    for record in records:
        for name, found in record["systems"].items():
            first = (f"{record['game']}, depth {record['depth']}",) if name == ZERMELO else ("",)
            more = f" ({found['time_ratio']:.0f}x)" if found.get("time_ratio") else ""
            rate = f"{found['rate'] / 1e6:.2f} M"
            table.add_row(*first, name, rate, f"{found['nodes']:,.0f}", time_text(found["cpu"]) + more, *verdict(found))
        table.add_section()
    return table


def _table(title: str, *columns: str) -> Table:
    table = Table(title=title, title_justify="left")
    for i, column in enumerate((*columns, "ratio", "verdict")):
        table.add_column(
            column, justify="left" if i < 2 or column == "verdict" else "right", no_wrap=column != "verdict"
        )
    return table


def verdict(found: dict[str, Any]) -> tuple[str, str]:
    """The ratio, and what it says of Zermelo: won or lost, and whether by as much as was wanted.

    >>> verdict({"ratio": 1.5, "won": True, "met": False, "target": 2})
    ('1.5', 'won, but wanted 2x')
    """
    if "won" not in found:
        return "", ""
    if found["ratio"] is None:
        return "?", "too short to time"
    times = f"{found['ratio']:.2g}" if found["ratio"] < 10 else f"{found['ratio']:,.0f}"
    wanted = f"wanted {found['target']:g}x"
    if not found["won"]:
        return times, f"lost, {wanted}" if found["target"] > 1 else "lost"
    return times, "won" if found["met"] else f"won, but {wanted}"


def time_text(seconds: float) -> str:
    """Seconds as people write them.

    >>> time_text(0.0000085), time_text(0.0061), time_text(33.5)
    ('8.5 us', '6.10 ms', '33.50 s')
    """
    if seconds < 1e-3:
        return f"{seconds * 1e6:.1f} us"
    return f"{seconds * 1e3:.2f} ms" if seconds < 1 else f"{seconds:.2f} s"


def complaints(record: dict[str, Any]) -> list[str]:
    """A sentence for each set or game on which the systems do not agree."""
    said = []
    for each in record["connect_four"]:
        if each["differences"]:
            first = each["differences"][0]
            scores = ", ".join(f"{name} {score}" for name, score in first["scores"].items())
            said.append(
                f"{each['set']}: scores differ on {len(each['differences'])} of {each['positions']} positions, "
                f"as on {first['position'] or 'the empty board'}: {scores}."
            )
    for each in record["plain_games"]:
        said += [f"{each['game']}: Zermelo and {name} do not agree." for name in each["differences"]]
    return said


def _compared(records: list[dict[str, Any]]) -> str:
    names = list(dict.fromkeys(name for record in records for name in record["verified_by"]))
    return ", ".join(names) or "nothing, since no other solver is there"
