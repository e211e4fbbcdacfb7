"""The colours of trees, light and dark, and their style sheet."""

from __future__ import annotations

from zermelo.show.svg.theme import sheet

TREE_LIGHT = {
    "page": "#ffffff", "ink": "#1f2328", "soft": "#57606a", "faint": "#68717c", "line": "#7d8590",
    "max": "#1f5aa6", "max-fill": "#e6effa", "min": "#a85400", "min-fill": "#fdf0df",
    "chance": "#6a3fa0", "chance-fill": "#f2ebfb", "leaf": "#57606a", "leaf-fill": "#f6f6f4",
    "cut": "#b3261e", "now": "#ffe08a", "now-edge": "#8a6500", "good": "#0b7a68",
}  # fmt: skip
TREE_DARK = {
    "page": "#15181d", "ink": "#e8eaed", "soft": "#a8b0bb", "faint": "#8e97a3", "line": "#6f7884",
    "max": "#86b7f6", "max-fill": "#1a314e", "min": "#f6b26b", "min-fill": "#432c15",
    "chance": "#c6a6f7", "chance-fill": "#31254a", "leaf": "#a8b0bb", "leaf-fill": "#242931",
    "cut": "#ff9388", "now": "#5c4c12", "now-edge": "#e3bb45", "good": "#43cdb3",
}  # fmt: skip

TREE_RULES = """
.zermelo-tree :where(text[class^=zt-]){font:500 13px/1 system-ui,-apple-system,"Segoe UI",Roboto,"DejaVu Sans",\
sans-serif;fill:var(--zt-ink);text-anchor:middle;dominant-baseline:central}
.zermelo-tree .zt-page{fill:var(--zt-page)}
.zermelo-tree .zt-edge{stroke:var(--zt-line);stroke-width:1.3;fill:none}
.zermelo-tree .zt-edge.zt-pv{stroke:var(--zt-ink);stroke-width:3.6}
.zermelo-tree .zt-edge.zt-pruned{stroke-dasharray:3 4}
.zermelo-tree .zt-snip{stroke:var(--zt-cut);stroke-width:2;fill:none}
.zermelo-tree .zt-move{font-size:11px;fill:var(--zt-soft);stroke:var(--zt-page);stroke-width:4px;paint-order:stroke}
.zermelo-tree .zt-shape{stroke-width:1.6;stroke-linejoin:round;fill:var(--zt-leaf-fill);stroke:var(--zt-leaf)}
.zermelo-tree .zt-max .zt-shape{fill:var(--zt-max-fill);stroke:var(--zt-max)}
.zermelo-tree .zt-min .zt-shape{fill:var(--zt-min-fill);stroke:var(--zt-min)}
.zermelo-tree .zt-chance .zt-shape{fill:var(--zt-chance-fill);stroke:var(--zt-chance)}
.zermelo-tree .zt-pv .zt-shape{stroke-width:3.4}
.zermelo-tree .zt-pv .zt-value{font-weight:700}
.zermelo-tree .zt-pruned .zt-shape{fill:none;stroke:var(--zt-line);stroke-dasharray:3 3}
.zermelo-tree .zt-pruned text{fill:var(--zt-faint);font-weight:400}
.zermelo-tree .zt-name{text-anchor:end;font-weight:600}
.zermelo-tree .zt-bound,.zermelo-tree .zt-each,.zermelo-tree .zt-cut{font-size:11px;text-anchor:start;\
fill:var(--zt-soft)}
.zermelo-tree .zt-leaf .zt-bound{font-size:10px;text-anchor:middle}
.zermelo-tree .zt-cut{fill:var(--zt-cut);font-weight:700}
.zermelo-tree .zt-known{font-size:10px;font-style:italic;fill:var(--zt-soft)}
.zermelo-tree .zt-who{font-size:10px;fill:var(--zt-soft)}
.zermelo-tree .zt-max .zt-who{fill:var(--zt-max)}
.zermelo-tree .zt-min .zt-who{fill:var(--zt-min)}
.zermelo-tree .zt-chance .zt-who{fill:var(--zt-chance)}
.zermelo-tree .zt-behind{fill:none;stroke:var(--zt-line);stroke-width:1.6}
.zermelo-tree .zt-pruned .zermelo-board{opacity:.4}
.zermelo-tree .zt-fold{cursor:pointer}
.zermelo-tree .zt-fold rect{fill:var(--zt-page);stroke:var(--zt-max);stroke-width:1.4}
.zermelo-tree .zt-fold text{font-size:11px;fill:var(--zt-max)}
.zermelo-tree .zt-more{fill:var(--zt-soft);font-size:12px}
"""


def stylesheet() -> str:
    """The style sheet of trees."""
    return sheet("zermelo-tree", "zt", TREE_LIGHT, TREE_DARK, TREE_RULES)
