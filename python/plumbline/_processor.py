"""Passes spans to the clients as they end, also those of other instrumentations."""

from __future__ import annotations

import threading
import weakref
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from opentelemetry.context import Context
from opentelemetry.sdk.trace import ReadableSpan, Span, SpanProcessor, TracerProvider

from ._recording import current_recording, recording_client

if TYPE_CHECKING:
    from ._client import Client

_processors: weakref.WeakKeyDictionary[TracerProvider, PlumblineProcessor] = weakref.WeakKeyDictionary()
_lock = threading.Lock()


def join_provider(provider: TracerProvider, client: Client) -> PlumblineProcessor:
    """Lets a client receive the spans of a provider."""
    with _lock:
        processor = _processors.get(provider)
        if processor is None:
            processor = _processors[provider] = PlumblineProcessor()
            provider.add_span_processor(processor)
        processor.clients = (*processor.clients, client)
    return processor


class _Running(NamedTuple):
    """A running span."""

    owner: Client | None
    """The client that records it, or in whose recording it was started. Other clients do not get it, since they may have
    other keys and masks.
    """
    is_hidden: bool
    """Whether a model client's own instrumentation records a call that a wrapper has already recorded."""
    reference: weakref.ref[Span]
    """Forgets a span that is garbage-collected without having ended."""


class PlumblineProcessor(SpanProcessor):
    """The single processor of a provider, for all its clients. It determines the owner of a span at its start, so that a
    client that is created while the span runs does not get a span of another client.
    """

    def __init__(self) -> None:
        self.clients: Sequence[Client] = ()
        self._running: dict[int, _Running] = {}

    def leave(self, client: Client) -> None:
        with _lock:
            self.clients = tuple(each for each in self.clients if each is not client)

    def on_start(self, span: Span, parent_context: Context | None = None) -> None:
        context = span.get_span_context()
        if not context.trace_flags.sampled:
            return
        span_id = context.span_id
        enclosing = current_recording(parent_context)
        scope = span.instrumentation_scope
        is_hidden = enclosing is not None and bool(enclosing.hidden_scope) and scope is not None and scope.name == enclosing.hidden_scope
        owner = recording_client(parent_context)
        if owner is None and span.parent is not None and not span.parent.is_remote:
            parent = self._running.get(span.parent.span_id)
            owner = parent.owner if parent is not None else None
        if owner is not None or is_hidden:
            reference = weakref.ref(span, lambda _: self._running.pop(span_id, None))
            self._running[span_id] = _Running(owner, is_hidden, reference)
        if span.parent is None or span.parent.is_remote:
            for client in self._clients_of(owner):
                client.root_started(span)

    def on_end(self, span: ReadableSpan) -> None:
        context = span.get_span_context()
        if context is None:
            return
        running = self._running.pop(context.span_id, None)
        if context.trace_flags.sampled and not (running is not None and running.is_hidden):
            for client in self._clients_of(None if running is None else running.owner):
                client.span_ended(span)

    def _clients_of(self, owner: Client | None) -> Sequence[Client]:
        return self.clients if owner is None else (owner,)

    def shutdown(self) -> None:
        self.force_flush(5_000)

    def force_flush(self, timeout_millis: int = 30_000) -> bool:
        return all([client.flush(timeout_millis / 1000).pending == 0 for client in self.clients])
