"""Passes spans on to the clients as they end: ours, and those of every instrumentation beside us."""

from __future__ import annotations

import threading
import weakref
from collections.abc import Sequence
from typing import TYPE_CHECKING

from opentelemetry.context import Context
from opentelemetry.sdk.trace import ReadableSpan, Span, SpanProcessor, TracerProvider

from ._recording import current_recording, recording_client

if TYPE_CHECKING:
    from ._client import Client

_processors: weakref.WeakKeyDictionary[TracerProvider, PlumblineProcessor] = weakref.WeakKeyDictionary()
_lock = threading.Lock()


def join_provider(provider: TracerProvider, client: Client) -> PlumblineProcessor:
    """Makes a client one of those that the spans of a provider are for."""
    with _lock:
        processor = _processors.get(provider)
        if processor is None:
            processor = _processors[provider] = PlumblineProcessor()
            provider.add_span_processor(processor)
        processor.clients = (*processor.clients, client)
    return processor


class PlumblineProcessor(SpanProcessor):
    """The only one of a provider, however many clients it has: who a span is for is decided when it starts, also for a
    client that is made while it runs.
    """

    def __init__(self) -> None:
        self.clients: Sequence[Client] = ()
        # Whose a running span is: of the client that records it, or in whose recording it was started. Others get nothing
        # of it, since clients may have other keys and masks.
        self._owners: dict[int, Client] = {}
        #: Spans by which a client records a call that a wrapper of ours has recorded.
        self._hidden: set[int] = set()

    def leave(self, client: Client) -> None:
        with _lock:
            self.clients = tuple(each for each in self.clients if each is not client)

    def on_start(self, span: Span, parent_context: Context | None = None) -> None:
        context = span.get_span_context()
        if not context.trace_flags.sampled:
            return
        enclosing = current_recording(parent_context)
        scope = span.instrumentation_scope
        if enclosing is not None and enclosing.hidden_scope and scope is not None and scope.name == enclosing.hidden_scope:
            self._hidden.add(context.span_id)
        owner = recording_client(parent_context)
        if owner is None and span.parent is not None and not span.parent.is_remote:
            owner = self._owners.get(span.parent.span_id)
        if owner is not None:
            self._owners[context.span_id] = owner
        if span.parent is None or span.parent.is_remote:
            for client in self._clients_of(owner):
                client.root_started(span)

    def on_end(self, span: ReadableSpan) -> None:
        context = span.get_span_context()
        if context is None:
            return
        owner = self._owners.pop(context.span_id, None)
        if context.span_id in self._hidden:
            self._hidden.discard(context.span_id)
        elif context.trace_flags.sampled:
            for client in self._clients_of(owner):
                client.span_ended(span)

    def _clients_of(self, owner: Client | None) -> Sequence[Client]:
        return self.clients if owner is None else (owner,)

    def shutdown(self) -> None:
        self.force_flush(5_000)

    def force_flush(self, timeout_millis: int = 30_000) -> bool:
        return all([client.flush(timeout_millis / 1000).pending == 0 for client in self.clients])
