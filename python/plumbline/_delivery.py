"""Delivers recordings to the service, in a thread of its own. Nothing here raises into the application or makes it
wait for the network: it sees only counts, and the errors passed to ``on_error``.

Spans are sent as they end, those that end together in one request. After a failure delivery pauses with exponential
backoff. A record that may itself cause a failure waits behind all others. The service stores a repeated span once, and a
score keeps one Idempotency-Key over all attempts, so a lost response stores nothing twice.
"""

from __future__ import annotations

import functools
import gzip
import json
import threading
import time
import uuid
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Union

from opentelemetry.sdk.trace import ReadableSpan

from ._errors import (
    DROP_REASONS,
    TRANSIENT_STATUSES,
    DropReason,
    PlumblineError,
    RecordDropped,
    RequestFailed,
    ServiceUnreachable,
)
from ._http import Response, Transport, to_request_failed
from ._otlp import MaskAttribute, encode_spans, size_of
from ._pause import Pause

_BATCH_SPANS = 512
_BATCH_BYTES = 4 * 2**20
_BODY_BYTES_MAX = 16 * 2**20
_AGE_MAX = 23 * 3_600.0
"""The service remembers a key for 24 hours."""
_UNKNOWN_TRACE_DELAYS = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0)
"""Delays before the retries of a score whose trace is unknown: it may still arrive from another process."""
_GZIP_BYTES_MIN = 1_024


@dataclass(frozen=True)
class DeliveryOptions:
    records_max: int
    bytes_max: int
    batch_delay: float
    running_delay: float
    pause_min: float
    pause_max: float
    on_error: Callable[[Exception], None]
    mask_attribute: MaskAttribute | None


@dataclass(frozen=True)
class DeliveryStats:
    """Delivery counts so far."""

    #: Spans and scores that are waiting or being sent.
    pending: int
    #: Their approximate size in bytes.
    pending_bytes: int
    #: Spans and scores that the service has stored.
    delivered: int
    #: Failed attempts that were or will be retried.
    retried: int
    #: Dropped spans and scores, by reason.
    dropped: dict[DropReason, int]


@dataclass(eq=False)
class _Spans:
    spans: list[ReadableSpan]
    sizes: list[int]
    number: int
    created_at: float

    @property
    def count(self) -> int:
        return len(self.spans)

    @property
    def size(self) -> int:
        return sum(self.sizes)


@dataclass(eq=False)
class _Record:
    address: str
    body: bytes
    number: int
    created_at: float
    subject: str | None
    key: str = field(default_factory=lambda: str(uuid.uuid4()))
    attempts: int = 0
    not_before: float = 0.0
    count: int = 1

    @property
    def size(self) -> int:
        return len(self.body)


_Item = Union[_Spans, _Record]


class Delivery:
    def __init__(self, transport: Transport, options: DeliveryOptions) -> None:
        self._transport = transport
        self._options = options
        self._delivered = 0
        self._retried = 0
        self._dropped: dict[DropReason, int] = dict.fromkeys(DROP_REASONS, 0)
        self._is_closed = False
        self.reset_after_fork()

    def reset_after_fork(self) -> None:
        """Starts afresh in a child: the parent delivers its pending records, and its thread does not exist here."""
        self.__dict__.pop("_changed", None)
        self.__dict__.pop("_sending", None)
        self._pause = Pause(self._options.pause_min, self._options.pause_max)
        self._spans: deque[tuple[ReadableSpan, int, int, float]] = deque()
        self._records: deque[_Record] = deque()
        self._suspects: deque[_Item] = deque()
        # Running roots, by trace; and when those that are not sent yet become due, earliest first.
        self._running: dict[int, ReadableSpan] = {}
        self._due: dict[int, float] = {}
        self._in_flight: _Item | None = None
        self._pending = 0
        self._bytes = 0
        self._number = 0
        self._flushing = 0
        self._thread: threading.Thread | None = None
        self._transport.forget_connections()

    # Created at their first use: in a server that loads the application before it forks, gevent may patch a worker
    # afterwards, and locks of threads do not synchronize greenlets.
    @functools.cached_property
    def _changed(self) -> threading.Condition:
        condition: threading.Condition = self.__dict__.setdefault("_changed", threading.Condition())
        return condition

    @functools.cached_property
    def _sending(self) -> threading.Lock:
        lock: threading.Lock = self.__dict__.setdefault("_sending", threading.Lock())
        return lock

    @property
    def stats(self) -> DeliveryStats:
        with self._changed:
            return DeliveryStats(self._pending, self._bytes, self._delivered, self._retried, dict(self._dropped))

    def root_started(self, span: ReadableSpan, trace_id: int) -> None:
        """A long trace is sent while it runs, so that it can be watched, and survives a kill of its process."""
        with self._changed:
            if self._is_closed or len(self._running) >= self._options.records_max:
                return
            self._running[trace_id] = span
            self._due[trace_id] = time.monotonic() + self._options.running_delay
            self._wake()

    def send_running(self, trace_id: int) -> None:
        """Sends the root of a running trace now, because a score is about to refer to it."""
        with self._changed:
            if self._due.pop(trace_id, None) is not None:
                self._add_running_root(self._running[trace_id])

    def add_span(self, span: ReadableSpan) -> None:
        """Adds a span that has ended."""
        size = size_of(span)
        context = span.get_span_context()
        with self._changed:
            root = self._running.get(context.trace_id) if context is not None else None
            if root is not None and context is not None and root.get_span_context() == context:
                del self._running[context.trace_id]
                self._due.pop(context.trace_id, None)
            rejection = self._find_rejection(size)
            if rejection is None:
                self._add_span(span, size)
                return
        self.drop(*rejection)

    def add_record(self, address: str, body: bytes, subject: str | None = None) -> None:
        """Adds a request, which is sent after the spans that ended before. Records with the same subject are sent in order."""
        with self._changed:
            rejection = self._find_rejection(len(body))
            if rejection is None:
                self._number += 1
                self._pending += 1
                self._bytes += len(body)
                record = _Record(address, body, self._number, time.monotonic(), subject)
                if subject is not None and any(isinstance(each, _Record) and each.subject == subject for each in self._suspects):
                    self._suspects.append(record)
                else:
                    self._records.append(record)
                self._wake()
                return
        self.drop(*rejection)

    def drop(self, reason: DropReason, sentence: str, count: int = 1, cause: BaseException | None = None) -> None:
        """Counts a loss and reports it."""
        with self._changed:
            self._dropped[reason] += count
        error = RecordDropped(reason, sentence)
        error.__cause__ = cause
        self._options.on_error(error)

    def flush(self, timeout: float) -> DeliveryStats:
        """Returns when everything added before is delivered or dropped, or after the timeout; never raises."""
        deadline = time.monotonic() + timeout
        with self._changed:
            last = self._number
            self._flushing += 1
            self._pause.skip_backoff()
            self._changed.notify_all()
        try:
            while True:
                with self._changed:
                    remaining = deadline - time.monotonic()
                    if remaining <= 0 or not self._has_pending_until(last):
                        break
                    if self._ensure_thread():
                        self._changed.wait(min(remaining, 0.5))
                        continue
                # If no thread can start, this one sends.
                if not self._send_next(min(remaining, 5.0)):
                    time.sleep(0.01)
        finally:
            with self._changed:
                self._flushing -= 1
        return self.stats

    def close(self, timeout: float) -> DeliveryStats:
        """Flushes, drops the rest, and rejects further records."""
        self.flush(timeout)
        with self._changed:
            self._is_closed = True
            lost = self._pending
            self._spans.clear()
            self._records.clear()
            self._suspects.clear()
            self._running.clear()
            self._due.clear()
            self._in_flight = None
            self._pending = 0
            self._bytes = 0
            self._changed.notify_all()
        if lost > 0:
            self.drop("closed", f"{lost} records could not be delivered before the client closed.", lost)
        return self.stats

    # The caller holds the condition in the following methods.

    def _find_rejection(self, size: int) -> tuple[DropReason, str] | None:
        options = self._options
        if self._is_closed:
            return "closed", "The client was closed before this was recorded."
        if size > _BODY_BYTES_MAX:
            return "too_large", f"A record has {size} bytes; the limit is 16 MiB."
        if self._pending >= options.records_max:
            return "buffer_full", f"{options.records_max} records are already waiting."
        if self._bytes + size > options.bytes_max:
            return "buffer_full", f"{options.bytes_max} bytes are already waiting."
        return None

    def _add_span(self, span: ReadableSpan, size: int) -> None:
        self._number += 1
        self._pending += 1
        self._bytes += size
        self._spans.append((span, size, self._number, time.monotonic()))
        self._wake()

    def _add_due_roots(self) -> None:
        now = time.monotonic()
        while self._due:
            trace_id, due_at = next(iter(self._due.items()))
            if due_at > now:
                break
            del self._due[trace_id]
            self._add_running_root(self._running[trace_id])

    def _add_running_root(self, span: ReadableSpan) -> None:
        size = size_of(span)
        if span.end_time is None and self._find_rejection(size) is None:
            self._add_span(span, size)

    def _has_pending_until(self, number: int) -> bool:
        if self._spans and self._spans[0][2] <= number:
            return True
        if self._records and self._records[0].number <= number:
            return True
        if self._in_flight is not None and self._in_flight.number <= number:
            return True
        return any(item.number <= number for item in self._suspects)

    def _wake(self) -> None:
        if self._ensure_thread():
            self._changed.notify_all()

    def _ensure_thread(self) -> bool:
        if self._thread is not None and self._thread.is_alive():
            return True
        try:
            thread = threading.Thread(target=self._run, name="plumbline", daemon=True)
            thread.start()
        except RuntimeError:
            # When the interpreter ends, and in subinterpreters, which have no daemon threads: ``flush`` sends.
            return False
        self._thread = thread
        return True

    def _wait_seconds(self) -> float | None:
        """Seconds until there is something to send; ``None`` if there is nothing until something is added."""
        pause = self._pause.remaining()
        now = time.monotonic()
        starts: list[float] = []
        if self._spans:
            is_full = len(self._spans) >= _BATCH_SPANS or self._flushing > 0
            starts.append(0.0 if is_full else self._spans[0][3] + self._options.batch_delay - now)
        if self._records:
            starts.append(0.0)
        starts += [moment - now for moment, _ in self._suspects_by_subject()]
        if self._due:
            starts.append(next(iter(self._due.values())) - now)
        return None if not starts else max(0.0, pause, min(starts))

    def _take(self) -> _Item | None:
        self._add_due_roots()
        now = time.monotonic()
        if self._spans and not (self._records and self._records[0].number < self._spans[0][2]):
            return self._take_spans()
        if self._records:
            return self._records.popleft()
        item = next((item for moment, item in self._suspects_by_subject() if moment <= now), None)
        if item is not None:
            self._suspects.remove(item)
        return item

    def _suspects_by_subject(self) -> Iterator[tuple[float, _Item]]:
        """The items that wait behind all others, each with the time when it may be sent; only the first of each subject, to
        keep their order.

        There are few: items on which the service failed, and scores of traces that it does not have yet.
        """
        subjects: set[str] = set()
        for item in self._suspects:
            if isinstance(item, _Spans):
                yield 0.0, item
            elif item.subject is None or item.subject not in subjects:
                subjects.update(() if item.subject is None else (item.subject,))
                yield item.not_before, item

    def _take_spans(self) -> _Spans:
        _, _, number, created_at = self._spans[0]
        batch = _Spans([], [], number, created_at)
        total = 0
        while self._spans and len(batch.spans) < _BATCH_SPANS:
            span, size, _, _ = self._spans[0]
            if batch.spans and total + size > _BATCH_BYTES:
                break
            self._spans.popleft()
            batch.spans.append(span)
            batch.sizes.append(size)
            total += size
        return batch

    def _settle(self, item: _Item) -> None:
        self._pending -= item.count
        self._bytes -= item.size

    # The caller does not hold the condition in the following methods.

    def _run(self) -> None:
        own = threading.current_thread()
        while True:
            with self._changed:
                if self._thread is not own:
                    return
                seconds = self._wait_seconds()
                if self._is_closed and seconds is None:
                    return
                if seconds is None or seconds > 0:
                    self._changed.wait(seconds)
                    continue
            if not self._send_next(None):
                time.sleep(0.01)

    def _send_next(self, timeout: float | None) -> bool:
        """Sends one item, if there is one that may be sent now; returns whether there was."""
        with self._sending:
            with self._changed:
                item = self._take() if self._pause.remaining() <= 0 else None
                self._in_flight = item
            if item is None:
                return False
            try:
                self._send(item, timeout)
            except Exception as error:
                # A bug in the client must not end the thread, nor send the same record forever.
                with self._changed:
                    self._settle(item)
                self.drop("refused", f"A record could not be sent: {error!r}", item.count, error)
            finally:
                with self._changed:
                    self._in_flight = None
                    self._changed.notify_all()
            return True

    def _send(self, item: _Item, timeout: float | None) -> None:
        if time.monotonic() - item.created_at > _AGE_MAX:
            with self._changed:
                self._settle(item)
            self.drop("expired", "A record could not be delivered for 23 hours.", item.count)
            return
        try:
            response = self._exchange(item, timeout)
            if response.status < 400:
                self._accepted(item, _read_acknowledgement(self._transport.url, response))
            else:
                self._rejected(item, to_request_failed(response))
        except ServiceUnreachable as error:
            self._failed(item, error, is_suspect=False)

    def _exchange(self, item: _Item, timeout: float | None) -> Response:
        if isinstance(item, _Record):
            return self._transport.request("POST", item.address, item.body, {"idempotency-key": item.key}, timeout)
        body = encode_spans(item.spans, self._options.mask_attribute)
        headers = {"idempotency-key": f"{item.number}-{uuid.uuid4()}"}
        if len(body) > _GZIP_BYTES_MIN:
            body = gzip.compress(body, 1)
            headers["content-encoding"] = "gzip"
        return self._transport.request("POST", "/v1/traces", body, headers, timeout)

    def _accepted(self, item: _Item, answer: dict[str, Any]) -> None:
        partial = answer.get("partialSuccess") or {}
        rejected = int(partial.get("rejectedSpans") or 0)
        with self._changed:
            self._pause.record_success()
            if self._in_flight is item:
                self._settle(item)
            self._delivered += item.count - rejected
        if rejected > 0:
            self.drop("refused", f"{rejected} spans were rejected: {partial.get('errorMessage', '')}", rejected)
        elif partial.get("errorMessage"):
            self._options.on_error(PlumblineError(str(partial["errorMessage"])))

    def _rejected(self, item: _Item, error: RequestFailed) -> None:
        is_final = error.is_from_service and error.status < 500 and error.status not in TRANSIENT_STATUSES
        if not is_final:
            self._failed(item, error, is_suspect=error.status not in TRANSIENT_STATUSES)
            return
        with self._changed:
            self._pause.record_success()
            if self._in_flight is not item:
                return
            if error.status == 413 and isinstance(item, _Spans) and item.count > 1:
                self._suspects.extend(_halves(item))
                return
            if error.status == 404 and isinstance(item, _Record) and item.attempts < len(_UNKNOWN_TRACE_DELAYS):
                item.not_before = time.monotonic() + _UNKNOWN_TRACE_DELAYS[item.attempts]
                item.attempts += 1
                self._retried += 1
                self._put_back(item, is_suspect=True)
                return
            self._settle(item)
        reason: DropReason = "too_large" if error.status == 413 else "refused"
        self.drop(reason, f"A record was rejected: {error}", item.count, error)

    def _failed(self, item: _Item, error: Exception, *, is_suspect: bool) -> None:
        retry_after = error.retry_after_seconds if isinstance(error, RequestFailed) else None
        with self._changed:
            self._retried += 1
            if self._in_flight is item:
                self._put_back(item, is_suspect)
            is_first = self._pause.record_failure(retry_after)
        if is_first:
            self._options.on_error(error)

    def _put_back(self, item: _Item, is_suspect: bool) -> None:
        if isinstance(item, _Spans):
            if not is_suspect:
                # Back to the front, since they are the oldest.
                rows = zip(item.spans, item.sizes)
                self._spans.extendleft(reversed([(span, size, item.number, item.created_at) for span, size in rows]))
            elif item.count > 1:
                self._suspects.extend(_halves(item))
            else:
                self._suspects.append(item)
            return
        if not is_suspect:
            self._records.appendleft(item)
            return
        self._suspects.append(item)
        if item.subject is not None:
            # Records of the same subject keep their order.
            followers = [record for record in self._records if record.subject == item.subject]
            for record in followers:
                self._records.remove(record)
                self._suspects.append(record)


def _halves(batch: _Spans) -> Sequence[_Spans]:
    middle = batch.count // 2
    return (
        _Spans(batch.spans[:middle], batch.sizes[:middle], batch.number, batch.created_at),
        _Spans(batch.spans[middle:], batch.sizes[middle:], batch.number, batch.created_at),
    )


def _read_acknowledgement(url: str, response: Response) -> dict[str, Any]:
    """A 200 from a captive portal or a broken proxy is not an acknowledgement."""
    try:
        body = json.loads(response.body or b"{}")
        if isinstance(body, dict) and "error" not in body:
            return body
    except ValueError:
        pass
    raise ServiceUnreachable(f"The response is not from the service at {url}: {response.body[:100]!r}")
