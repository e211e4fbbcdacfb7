"""Responses: records as JSON that can be sent whatever letters are in it, and refusals."""

from __future__ import annotations

import json
from typing import Any

from starlette.responses import JSONResponse

from zermelo.app.web.rule_pool import Refusal


class Answer(JSONResponse):
    """A record."""

    def render(self, content: Any) -> bytes:
        return encoded(content)


def encoded(record: Any) -> bytes:
    """The record as JSON. A text of somebody's rules may hold what is no letter, which is sent as a question mark."""
    text = json.dumps(record, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return text.encode(errors="replace")


def refused(error: Refusal) -> Answer:
    """The answer to a request that cannot be answered."""
    headers = {} if error.retry is None else {"Retry-After": str(error.retry)}
    return Answer({"detail": error.sentence}, error.status, headers)
