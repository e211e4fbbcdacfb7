"""The colour themes, light and dark, as a style sheet inside each SVG.

The two sides differ in lightness and in pattern as well as in hue (blue and orange stay apart for every kind of colour
vision), or they are white and black, on squares that are neither. Sides that have other colours keep the pattern. Every
stone has an edge that is seen where its colour is that of the page. Text has a contrast of at least 4.5 to its
background.
"""

from __future__ import annotations

from zermelo.board import PALETTE, Board, colours_of

BOARD_LIGHT = {
    "page": "#ffffff", "ink": "#1f2328", "soft": "#57606a", "line": "#7d8590", "cell": "#f7f5f0", "plate": "#c8ced8",
    "hole": "#fbfbfa", "bright": "#ece6d8", "dark": "#b7ab93", "first": "#1f5aa6", "first-edge": "#123c73",
    "second": "#f3a73f", "second-edge": "#8a4a00", "second-ink": "#a85400", "on-first": "#ffffff",
    "on-second": "#2b1700", "seed": "#5d4a33", "last": "#ffe59a", "last-edge": "#a67c00", "target": "#0b7a68",
    "arrow": "#6a3fa0", "win": "#00646e", "draw": "#57606a", "loss": "#a83512", "estimate": "#3d444d",
    "on-tone": "#ffffff", "white": "#fffefb", "black": "#2a2d33", "white-edge": "#2a2d33", "black-edge": "#0e0f11",
    "on-white": "#2a2d33", "on-black": "#f2efe8", "frame": "#caab7d", "felt": "#f7f3ea", "spike": "#d9c8a5",
    "spike-by": "#9fb0a2",
    "red": "#c62828", "red-edge": "#6d0f0f", "on-red": "#ffffff",
    "blue": "#1f5aa6", "blue-edge": "#123c73", "on-blue": "#ffffff",
    "green": "#2e7d32", "green-edge": "#123f16", "on-green": "#ffffff",
    "yellow": "#f5d63d", "yellow-edge": "#665000", "on-yellow": "#2b2200",
    "orange": "#ef8420", "orange-edge": "#7a3700", "on-orange": "#2b1300",
    "purple": "#7b3fa0", "purple-edge": "#43205f", "on-purple": "#ffffff",
    "brown": "#7a4a2b", "brown-edge": "#3d220d", "on-brown": "#ffffff",
    "pink": "#f29bbd", "pink-edge": "#86264f", "on-pink": "#33091c",
    "grey": "#8b929b", "grey-edge": "#3a4048", "on-grey": "#0e1012",
    "token0": "#d8b583", "token0-face": "#f2deb8", "token1": "#5a3a24", "token1-face": "#85573a",
    "token-edge": "#2b1a0d",
    "chocolate": "#6d4128", "gloss": "#9a6a4c", "skull": "#fff4e6", "tile": "#4a3a2b", "tile-edge": "#2b1f14",
    "pin": "#fffdf7", "pin-edge": "#3a3026", "halo": "#ffffff", "highlight": "#c2185b",
}  # fmt: skip

BOARD_DARK = {
    "page": "#15181d", "ink": "#e8eaed", "soft": "#a8b0bb", "line": "#6f7884", "cell": "#20242b", "plate": "#3b4452",
    "hole": "#14171c", "bright": "#8d97a6", "dark": "#5f6a7a", "first": "#3d82d8", "first-edge": "#bcd8fb",
    "second": "#f6c574", "second-edge": "#5c3300", "second-ink": "#f6c574", "on-first": "#ffffff",
    "on-second": "#2b1700", "seed": "#d8c3a0", "last": "#54481c", "last-edge": "#e3bb45", "target": "#43cdb3",
    "arrow": "#c6a6f7", "win": "#00727c", "draw": "#5e6875", "loss": "#b13f1b", "estimate": "#454e5a",
    "on-tone": "#ffffff", "white": "#ffffff", "black": "#14161a", "white-edge": "#14161a", "black-edge": "#c9d0d9",
    "on-white": "#14161a", "on-black": "#e8eaed", "frame": "#4a3d2e", "felt": "#1b2024", "spike": "#5a4e3c",
    "spike-by": "#3d4a44",
    "red": "#d23c3c", "red-edge": "#ffd0d0", "on-red": "#ffffff",
    "blue": "#3576cc", "blue-edge": "#bcd8fb", "on-blue": "#ffffff",
    "green": "#2c8536", "green-edge": "#c2f0c8", "on-green": "#ffffff",
    "yellow": "#f7dc55", "yellow-edge": "#fff6cc", "on-yellow": "#2b2200",
    "orange": "#f2923a", "orange-edge": "#ffe9d1", "on-orange": "#2b1300",
    "purple": "#9456be", "purple-edge": "#e9d2fa", "on-purple": "#ffffff",
    "brown": "#99623c", "brown-edge": "#f0d6c2", "on-brown": "#ffffff",
    "pink": "#f4a6c5", "pink-edge": "#ffeaf2", "on-pink": "#33091c",
    "grey": "#9aa1ab", "grey-edge": "#eef1f5", "on-grey": "#0e1012",
    "token0": "#cfa973", "token0-face": "#eed7ac", "token1": "#5d3c26", "token1-face": "#8a5c3e",
    "token-edge": "#f0dcc0",
    "chocolate": "#6b4029", "gloss": "#a07253", "skull": "#fff4e6", "tile": "#b08a5e", "tile-edge": "#e8d3b4",
    "pin": "#fffdf7", "pin-edge": "#c9bda9", "halo": "#14171c", "highlight": "#ff8ab8",
}  # fmt: skip

DEFAULT_SIDES = ("first", "second")
"""The colours of the players, unless they have others: a blue and an orange."""

LIKE_DEFAULT = {"first": ("blue", "purple"), "second": ("orange", "yellow", "brown")}
"""The colours beside which a player does not get this default."""

WHITE_AND_BLACK = ("white", "black")
"""The colours of chess pieces, which need squares that are neither."""

BOARD_RULES = """
.zermelo-board text{font-family:system-ui,-apple-system,"Segoe UI",Roboto,"DejaVu Sans",sans-serif;fill:var(--zb-ink)}
.zermelo-board .zb-page{fill:var(--zb-page)}
.zermelo-board .zb-label{fill:var(--zb-soft);font-size:14px}
.zermelo-board .zb-name{font-size:14px;paint-order:stroke;stroke:var(--zb-page);stroke-width:4px}
.zermelo-board .zb-field{font-size:16px}
.zermelo-board .zb-count{font-size:16px;font-weight:600}
.zermelo-board .zb-line{stroke:var(--zb-line);stroke-width:2;stroke-linecap:round}
.zermelo-board .zb-rule{stroke:var(--zb-line);stroke-width:1;opacity:.5}
.zermelo-board .zb-rim0,.zermelo-board .zb-rim1{fill:none;stroke:none;stroke-width:9;stroke-linecap:round}
.zermelo-board[data-sides] .zb-rim0{stroke:var(--zb-side0-edge)}
.zermelo-board[data-sides] .zb-rim1{stroke:var(--zb-side1-edge)}
.zermelo-board .zb-edge0{stroke:var(--zb-side0);stroke-width:6;stroke-linecap:round;fill:none}
.zermelo-board .zb-edge1{stroke:var(--zb-side1);stroke-width:6;stroke-linecap:round;fill:none}
.zermelo-board .zb-owned0{stroke:var(--zb-side0);stroke-width:7;stroke-linecap:round;fill:none}
.zermelo-board .zb-owned1{stroke:var(--zb-side1);stroke-width:7;stroke-dasharray:16 7;fill:none}
.zermelo-board:not([data-sides]) .zb-owned1{stroke:var(--zb-second-ink)}
.zermelo-board .zb-along{fill:none;stroke:transparent;stroke-width:20}
.zermelo-board .zb-cell,.zermelo-board .zb-hex{fill:var(--zb-ground);stroke:var(--zb-line);stroke-width:1.2}
.zermelo-board .zb-bright{fill:var(--zb-bright)}
.zermelo-board .zb-dark{fill:var(--zb-dark)}
.zermelo-board .zb-plate{fill:var(--zb-plate)}
.zermelo-board .zb-frame{fill:var(--zb-frame)}
.zermelo-board .zb-felt{fill:var(--zb-felt)}
.zermelo-board .zb-spike0{fill:var(--zb-spike)}
.zermelo-board .zb-spike1{fill:var(--zb-spike-by)}
.zermelo-board .zb-tip{fill:var(--zb-soft);font-size:22px}
.zermelo-board .zb-hole,.zermelo-board .zb-pit,.zermelo-board .zb-store{fill:var(--zb-hole)}
.zermelo-board .zb-pit,.zermelo-board .zb-store{stroke:var(--zb-line);stroke-width:1.2}
.zermelo-board .zb-of0{stroke:var(--zb-first);stroke-width:2.5}
.zermelo-board .zb-of1{stroke:var(--zb-second);stroke-width:2.5;stroke-dasharray:5 3}
.zermelo-board .zb-point{fill:var(--zb-ink)}
.zermelo-board .zb-drawn{fill:none;stroke:var(--zb-ink);stroke-width:7;stroke-linecap:round}
.zermelo-board .zb-inside{fill:var(--zb-cell)}
.zermelo-board .zb-free{fill:none;stroke:var(--zb-line);stroke-width:2;stroke-dasharray:2 6;opacity:.6}
.zermelo-board .zb-lastline{fill:none;stroke:var(--zb-last-edge);stroke-width:15;stroke-linecap:round}
.zermelo-board .zb-hit{fill:transparent}
.zermelo-board .zb-seed{fill:var(--zb-seed)}
.zermelo-board .zb-bar{fill:var(--zb-seed)}
.zermelo-board .zb-match{stroke:var(--zb-seed);stroke-width:4;stroke-linecap:round}
.zermelo-board .zb-die{fill:var(--zb-cell);stroke:var(--zb-ink);stroke-width:2}
.zermelo-board .zb-cube,.zermelo-board .zb-score{font-size:25px;font-weight:700}
.zermelo-board .zb-note{font-size:22px;font-weight:600}
.zermelo-board .zb-pip{fill:var(--zb-ink)}
.zermelo-board .zb-stone0{fill:var(--zb-side0);stroke:var(--zb-side0-edge);stroke-width:2}
.zermelo-board .zb-stone1{fill:var(--zb-side1);stroke:var(--zb-side1-edge);stroke-width:2}
.zermelo-board .zb-stake0{fill:var(--zb-side0);stroke:var(--zb-side0-edge)}
.zermelo-board .zb-stake1{fill:var(--zb-side1);stroke:var(--zb-side1-edge)}
.zermelo-board [class^="zb-stake"]{fill-opacity:.4;stroke-width:2;stroke-dasharray:5 4}
.zermelo-board .zb-way{font-size:26px}
.zermelo-board .zb-ring1{fill:none;stroke:var(--zb-side1-edge);stroke-width:2.5}
.zermelo-board[data-sides="white black"] .zb-ring1,.zermelo-board[data-sides="black white"] .zb-ring1{display:none}
.zermelo-board .zb-on0{fill:var(--zb-on-side0);font-weight:700}
.zermelo-board .zb-on1{fill:var(--zb-on-side1);font-weight:700}
.zermelo-board .zb-ink0{fill:var(--zb-on-side0)}
.zermelo-board .zb-ink1{fill:var(--zb-on-side1)}
.zermelo-board .zb-paper0{fill:var(--zb-side0)}
.zermelo-board .zb-paper1{fill:var(--zb-side1)}
.zermelo-board .zb-line0{fill:none;stroke:var(--zb-on-side0);stroke-width:3;stroke-linecap:round}
.zermelo-board .zb-line1{fill:none;stroke:var(--zb-on-side1);stroke-width:3;stroke-linecap:round}
.zermelo-board .zb-walls0{fill:var(--zb-token0)}
.zermelo-board .zb-walls1{fill:var(--zb-token1)}
.zermelo-board .zb-face0{fill:var(--zb-token0-face)}
.zermelo-board .zb-face1{fill:var(--zb-token1-face)}
.zermelo-board [class*="zb-walls"],.zermelo-board [class*="zb-face"]{stroke:var(--zb-token-edge)}
.zermelo-board [class*="zb-walls"],.zermelo-board [class*="zb-face"]{stroke-width:2.5;stroke-linejoin:round}
.zermelo-board [class*="zb-seam"]{stroke:var(--zb-token-edge);stroke-width:1.5}
.zermelo-board .zb-pit0,.zermelo-board .zb-pit1{fill:#23150b;stroke:var(--zb-token-edge);stroke-width:1.5}
.zermelo-board .zb-chocolate{fill:var(--zb-chocolate)}
.zermelo-board .zb-chocolate-line{stroke:var(--zb-chocolate);stroke-width:3}
.zermelo-board .zb-gloss{fill:none;stroke:var(--zb-gloss);stroke-width:6;stroke-linecap:round;stroke-linejoin:round}
.zermelo-board .zb-skull{fill:var(--zb-skull)}
.zermelo-board .zb-tile{fill:var(--zb-tile);stroke:var(--zb-tile-edge);stroke-width:3}
.zermelo-board .zb-runner{fill:var(--zb-pin);stroke:var(--zb-ink);stroke-width:3}
.zermelo-board .zb-pin{fill:var(--zb-pin);stroke:var(--zb-pin-edge);stroke-width:2.5}
.zermelo-board .zb-band{stroke:var(--zb-red);stroke-width:4}
.zermelo-board .zb-head{fill:var(--zb-red)}
.zermelo-board .zb-cross{fill:none;stroke:var(--zb-first);stroke-width:8;stroke-linecap:round}
.zermelo-board .zb-ring{fill:none;stroke:var(--zb-second-ink);stroke-width:7}
.zermelo-board .zb-man0{fill:var(--zb-man0);stroke:var(--zb-man0-edge);stroke-width:3;stroke-linejoin:round}
.zermelo-board .zb-man1{fill:var(--zb-man1);stroke:var(--zb-man1-edge);stroke-width:3;stroke-linejoin:round}
.zermelo-board .zb-detail0{fill:none;stroke:var(--zb-on-man0);stroke-width:3;stroke-linecap:round}
.zermelo-board .zb-detail1{fill:none;stroke:var(--zb-on-man1);stroke-width:3;stroke-linecap:round}
.zermelo-board .zb-last{fill:var(--zb-last);stroke:var(--zb-last-edge);stroke-width:3}
.zermelo-board .zb-lastring{fill:none;stroke:var(--zb-last-edge);stroke-width:4}
.zermelo-board .zb-halo{fill:none;stroke:var(--zb-halo);stroke-width:9}
.zermelo-board .zb-highline{fill:none;stroke:var(--zb-highlight);stroke-width:15;stroke-linecap:round}
.zermelo-board .zb-highlight{fill:none;stroke:var(--zb-highlight);stroke-width:5}
.zermelo-board .zb-target{fill:var(--zb-target)}
.zermelo-board .zb-targetring{fill:none;stroke:var(--zb-target);stroke-width:4;stroke-dasharray:7 5}
.zermelo-board .zb-arrow{fill:var(--zb-arrow);opacity:.85}
.zermelo-board .zb-win{fill:var(--zb-win)}
.zermelo-board .zb-draw{fill:var(--zb-draw)}
.zermelo-board .zb-loss{fill:var(--zb-loss)}
.zermelo-board .zb-estimate{fill:var(--zb-estimate)}
.zermelo-board .zb-tag text{fill:var(--zb-on-tone);font-weight:600}
"""


def style() -> str:
    """Return the style sheet of boards."""
    return sheet("zermelo-board", "zb", BOARD_LIGHT, BOARD_DARK, f"\n{_sides()}{BOARD_RULES}")


def tints(board: Board | None) -> tuple[str, str]:
    """Return the colours of the first and of the second player: those that they have, else a blue and an orange.

    >>> from zermelo.board import Grid
    >>> [tints(Grid(("X",), sides=sides)) for sides in (("Black", "White"), ("Fox", "Geese"), ("Fox", "Blue"))]
    [('black', 'white'), ('first', 'second'), ('second', 'blue')]
    """
    first, second = colours_of(board)
    return first or _default(0, second), second or _default(1, first)


def _default(side: int, other: str | None) -> str:
    """The default colour of a side, or the other default if its opponent has a colour like it."""
    own = DEFAULT_SIDES[side]
    return DEFAULT_SIDES[1 - side] if other in LIKE_DEFAULT[own] else own


def patterned(pair: tuple[str, str]) -> bool:
    """Return whether the stones of the second player have a pattern; white and black differ without one."""
    return set(pair) != set(WHITE_AND_BLACK)


def needs_ground(pair: tuple[str, str]) -> bool:
    """Return whether cells are darker than usual, since a white stone or a black one must be seen on them."""
    return bool(set(pair) & set(WHITE_AND_BLACK))


def _sides() -> str:
    """Return the colours of both sides: chess pieces are white and black unless the sides have other colours.

    The attribute `data-sides` holds both colours, so that a selector of its beginning finds the first one.
    """
    usual = _coloured("side", 0, "first") + _coloured("side", 1, "second")
    usual += _coloured("man", 0, "white") + _coloured("man", 1, "black")
    rules = [f".zermelo-board{{{usual}--zb-ground:var(--zb-cell)}}"]
    for colour in (*DEFAULT_SIDES, *PALETTE):
        for side, selector in enumerate((f'[data-sides^="{colour} "]', f'[data-sides$=" {colour}"]')):
            named = _coloured("side", side, colour) + _coloured("man", side, colour)
            rules.append(f".zermelo-board{selector}{{{named}}}")
    marked = ",".join(f'.zermelo-board[data-sides*="{colour}"]' for colour in WHITE_AND_BLACK)
    return "\n".join([*rules, f"{marked}{{--zb-ground:var(--zb-dark)}}"])


def _coloured(kind: str, side: int, colour: str) -> str:
    return (
        f"--zb-{kind}{side}:var(--zb-{colour});--zb-{kind}{side}-edge:var(--zb-{colour}-edge);"
        f"--zb-on-{kind}{side}:var(--zb-on-{colour});"
    )


def sheet(kind: str, prefix: str, light: dict[str, str], dark: dict[str, str], rules: str) -> str:
    """Return the style sheet of SVG documents of a class, with its colours as variables.

    The theme is that of the browser, unless an ancestor has `data-theme`, or the notebook has its own.

    >>> print(sheet("map", "m", {"ink": "black"}, {"ink": "white"}, "").splitlines()[1])
    @media (prefers-color-scheme:dark){.map{--m-ink:white}}
    """
    bright, dim = _variables(prefix, light), _variables(prefix, dark)
    return (
        f".{kind}{{{bright}}}\n"
        f"@media (prefers-color-scheme:dark){{.{kind}{{{dim}}}}}\n"
        f"{_under(kind, 'light', 'true')}{{{bright}}}\n"
        f"{_under(kind, 'dark', 'false')},.vscode-dark .{kind}{{{dim}}}{rules}"
    )


def _under(kind: str, theme: str, jupyter: str) -> str:
    """Return the selectors that choose this theme: of the page and of JupyterLab."""
    named = f'[data-theme="{theme}"] .{kind},.{kind}[data-theme="{theme}"]'
    return f'{named},[data-jp-theme-light="{jupyter}"] .{kind}'


def _variables(prefix: str, colours: dict[str, str]) -> str:
    return ";".join(f"--{prefix}-{name}:{colour}" for name, colour in colours.items())
