"""A circuit breaker: exponential backoff with jitter, extended by the service's Retry-After."""

from __future__ import annotations

import random
import time

_RETRY_AFTER_MAX = 3_600.0
"""The longest Retry-After that is honoured, in seconds."""


class Pause:
    def __init__(self, pause_min: float, pause_max: float) -> None:
        self._pause_min = pause_min
        self._pause_max = pause_max
        self._failures = 0
        self._backoff_until = 0.0
        self._retry_after_until = 0.0

    def remaining(self) -> float:
        return max(0.0, max(self._backoff_until, self._retry_after_until) - time.monotonic())

    def record_failure(self, retry_after: float | None) -> bool:
        """Records the failure of an attempt; returns whether it is the first after a success."""
        now = time.monotonic()
        self._retry_after_until = max(self._retry_after_until, now + min(retry_after or 0.0, _RETRY_AFTER_MAX))
        self._failures += 1
        pause = min(self._pause_max, self._pause_min * 2.0 ** min(self._failures - 1, 30))
        # Jitter, so that clients do not all return at the same time.
        self._backoff_until = now + pause * (0.5 + random.random() / 2)
        return self._failures == 1

    def record_success(self) -> None:
        self._failures = 0
        self._backoff_until = 0.0
        self._retry_after_until = 0.0

    def skip_backoff(self) -> None:
        """Ends the backoff; a Retry-After of the service still applies."""
        self._backoff_until = 0.0
