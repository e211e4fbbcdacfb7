"""HTTP responses: records as JSON that can be sent whatever text a rule returns, and errors."""

from __future__ import annotations

import json
from typing import Any

from starlette.responses import JSONResponse

from zermelo.app.web.request_errors import ApiError


class RecordResponse(JSONResponse):
    """A record as JSON."""

    def render(self, content: Any) -> bytes:
        return encoded(content)


def encoded(record: Any) -> bytes:
    """Encode a record as JSON. What UTF-8 cannot encode, as a lone surrogate in a game's text, becomes "?"."""
    text = json.dumps(record, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return text.encode(errors="replace")


def error_response(error: ApiError) -> RecordResponse:
    """The response that reports an error."""
    headers = {} if error.retry is None else {"Retry-After": str(error.retry)}
    return RecordResponse({"detail": error.sentence}, error.status, headers)
