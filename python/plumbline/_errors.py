"""Errors between an application and the service."""

from __future__ import annotations

from typing import Literal, get_args

DropReason = Literal["buffer_full", "too_large", "refused", "expired", "late", "closed"]
"""Why a record was dropped.

- ``buffer_full``: the limit of waiting records or bytes was reached.
- ``too_large``: the service accepts bodies up to 16 MiB.
- ``refused``: the service rejected it for a reason that a retry cannot fix.
- ``expired``: it waited for 23 hours.
- ``late``: a field was set after its span had ended.
- ``closed``: the client was closed, or the process ended, before it could be delivered.
"""

DROP_REASONS: tuple[DropReason, ...] = get_args(DropReason)


class PlumblineError(Exception):
    """The base of all errors of this package."""


class RequestFailed(PlumblineError):
    """The service rejected a request or failed; the message is the error message of the service."""

    def __init__(
        self,
        status: int,
        sentence: str | None,
        *,
        retry_after_seconds: float | None = None,
        request_id: str | None = None,
    ) -> None:
        super().__init__(sentence or f"The service responded with {status}.")
        self.status = status
        #: Seconds to wait before a retry, if the response says so.
        self.retry_after_seconds = retry_after_seconds
        #: Quote it to the operators of the service: their logs contain the same id.
        self.request_id = request_id
        #: False if something else, such as a proxy, sent the response.
        self.is_from_service = sentence is not None


TRANSIENT_STATUSES = frozenset((408, 425, 429, 502, 503, 504))
"""Timeouts, limits and outages do not mean that the request is invalid."""


class ServiceUnreachable(PlumblineError):
    """No response: the connection failed or timed out."""


class RecordDropped(PlumblineError):
    """Passed to ``on_error`` for each dropped record."""

    def __init__(self, reason: DropReason, sentence: str) -> None:
        super().__init__(sentence)
        self.reason: DropReason = reason


class TemplateFailed(PlumblineError):
    """A template that cannot be read or run; the message says why."""
