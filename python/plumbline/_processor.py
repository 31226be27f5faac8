"""Passes spans on to the delivery as they end: ours, and those of every instrumentation beside us."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from opentelemetry.context import Context
from opentelemetry.sdk.trace import ReadableSpan, Span, SpanProcessor

from ._delivery import Delivery
from ._recording import current_recording

if TYPE_CHECKING:
    KeepSpan = Callable[[ReadableSpan], bool]


class PlumblineProcessor(SpanProcessor):
    def __init__(self, delivery: Delivery, keep: KeepSpan | None, on_error: Callable[[BaseException], None]) -> None:
        self._delivery = delivery
        self._keep = keep
        self._on_error = on_error
        #: Spans by which a client records a call that a wrapper of ours has recorded.
        self._hidden: set[int] = set()

    def on_start(self, span: Span, parent_context: Context | None = None) -> None:
        try:
            context = span.get_span_context()
            if not context.trace_flags.sampled:
                return
            enclosing = current_recording(parent_context)
            scope = span.instrumentation_scope
            if enclosing is not None and enclosing.hidden_scope and scope is not None and scope.name == enclosing.hidden_scope:
                self._hidden.add(context.span_id)
            if (span.parent is None or span.parent.is_remote) and self._is_kept(span):
                self._delivery.root_started(span, context.trace_id)
        except Exception as error:
            self._on_error(error)

    def on_end(self, span: ReadableSpan) -> None:
        try:
            context = span.get_span_context()
            if context is None or context.span_id in self._hidden:
                self._hidden.discard(context.span_id if context is not None else 0)
            elif context.trace_flags.sampled and self._is_kept(span):
                self._delivery.add_span(span)
        except Exception as error:
            self._on_error(error)

    def _is_kept(self, span: ReadableSpan) -> bool:
        # A provider keeps the processor of a client that was closed: what comes now is for the one that took its place.
        return not self._delivery.is_closed and (self._keep is None or self._keep(span))

    def shutdown(self) -> None:
        self._delivery.flush(5.0)

    def force_flush(self, timeout_millis: int = 30_000) -> bool:
        return self._delivery.flush(timeout_millis / 1000).pending == 0
