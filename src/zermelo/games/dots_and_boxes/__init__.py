"""Dots and Boxes."""

from zermelo.games.dots_and_boxes.dots_and_boxes_rules import DotsAndBoxes

__all__ = ["DotsAndBoxes"]
