"""A command whose plain values are read without the library that checks the others.

Recent versions of Typer read every value by Pydantic, whose import takes longer than a search from the cache. A text, a
whole number without bounds, and an option that is not given need no such check. Other versions of Typer read their
values as they always do.
"""

from __future__ import annotations

import re
from typing import Any, get_args

from typer.core import TyperCommand, TyperGroup

READER = "_runtime_param"
"""The attribute in which Typer keeps how it reads a value, None until it is needed."""

CHECKS = ("parser", "click_type", "min", "max")
"""What an author of a command may ask of a value beside its type."""


class LightCommand(TyperCommand):
    """A command of Typer."""

    def get_params(self, ctx: Any) -> list[Any]:
        return _light(super().get_params(ctx))


class LightGroup(TyperGroup):
    """The commands of Typer."""

    def get_params(self, ctx: Any) -> list[Any]:
        return _light(super().get_params(ctx))


def _light(parameters: list[Any]) -> list[Any]:
    """The parameters of a command, which read plain values themselves."""
    for each in parameters:
        if getattr(each, READER, parameters) is None and hasattr(each, "type_descriptor"):
            setattr(each, READER, PlainValue(each))
    return parameters


class PlainValue:
    """How the value of an argument or option is read."""

    def __init__(self, parameter: Any) -> None:
        self._parameter = parameter

    def coerce(self, value: Any, param: Any, ctx: Any) -> Any:
        """The value of a parameter for its command."""
        kinds = self._kinds()
        if value is None or type(value) in kinds:
            return value
        if isinstance(value, str) and kinds == {int} and re.fullmatch("[0-9]{1,9}", value):
            return int(value)
        setattr(self._parameter, READER, None)
        return self._parameter.get_runtime_param().coerce(value, param=param, ctx=ctx)

    def _kinds(self) -> set[Any]:
        """The types of the values, without None; empty where more than the type is to be checked."""
        described = self._parameter.type_descriptor
        asked = getattr(described, "parameter_info", None)
        if any(getattr(asked, name, None) is not None for name in CHECKS):
            return set()
        annotation = getattr(described, "annotation", None)
        return {*(get_args(annotation) or [annotation])} - {None, type(None)}
