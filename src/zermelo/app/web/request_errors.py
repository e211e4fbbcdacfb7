"""Errors of requests: the exceptions that become HTTP responses, and the parser's messages in plain words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from zermelo.app.error_messages import PARSER_MESSAGES, describe_error
from zermelo.app.web.game_catalog import UnknownGame

RETRY_SECONDS = 2
"""The Retry-After of a response that says the server is busy."""

VALIDATION_MESSAGES = (
    (r"String should have at most (\d+) characters?", r"it may have \1 characters at most"),
    (r"Input should be greater than (.*)", r"it must be above \1"),
    (r"Input should be a finite number", "it must be a finite number"),
    (r"Extra inputs are not permitted", "there is no such parameter here"),
    (r"Input should be a valid boolean.*", "it must be true or false"),
    (r"Input should be (.*)", r"it must be \1"),
)
"""What Pydantic says beyond the command line's parser, and the same in plain words."""


class ApiError(Exception):
    """A request that cannot be answered: the HTTP status, a sentence, and the seconds after which to try again."""

    def __init__(self, status: int, sentence: str, retry: int | None = None) -> None:
        super().__init__(sentence)
        self.status, self.sentence, self.retry = status, sentence, retry


class ServerBusy(ApiError):
    """All threads, processes or slots of one kind are taken."""

    def __init__(self, what: str) -> None:
        super().__init__(503, f"The server is busy with other {what}; try again in a moment.", RETRY_SECONDS)


def as_api_error(error: BaseException) -> ApiError:
    """Turn any exception, of ours or of a rule, into an ApiError."""
    if isinstance(error, ApiError):
        return error
    return ApiError(404 if isinstance(error, UnknownGame) else 422, describe_error(error).sentence)


def validation_message(errors: Sequence[Any]) -> str:
    """The first complaint of the parser as a sentence.

    >>> validation_message([{"loc": ("query", "depth"), "msg": "Input should be less than or equal to 200"}])
    'depth: it must be at most 200.'
    """
    first = errors[0]
    names = [str(part) for part in first["loc"] if part not in ("query", "body", "path")]
    message = str(first["msg"])
    for pattern, plainly in (*PARSER_MESSAGES, *VALIDATION_MESSAGES):
        message = re.sub(pattern, plainly, message)
    return f"{names[0] if names else 'The request'}: {message.rstrip('.')}."
