"""The client: built from its options and the environment. Nothing connects before the first use."""

from __future__ import annotations

import asyncio
import atexit
import functools
import json
import multiprocessing.process
import multiprocessing.util
import os
import sys
import threading
import time
import urllib.parse
import weakref
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar, overload

from opentelemetry import context as otel_context
from opentelemetry import trace as otel
from opentelemetry.sdk.environment_variables import OTEL_TRACES_SAMPLER
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.sampling import ALWAYS_ON
from typing_extensions import Unpack

from ._datasets import Column, Dataset, Rows, add_rows, create_dataset, get_dataset
from ._delivery import Delivery, DeliveryOptions, DeliveryStats
from ._errors import PlumblineError
from ._experiment import ExperimentResult, Plan, run_experiment, standard_error
from ._fields import Fields, RecordingType
from ._http import Transport, to_request_failed
from ._json import to_json, to_text
from ._mask import mask_attribute, mask_record
from ._observe import observe_function
from ._options import ClientOptions, Settings, read_settings
from ._processor import PlumblineProcessor, join_provider
from ._prompts import Fallback, Prompt, PromptCache
from ._recording import Recording, current_recording, extract_sampled, failure_reporter, start_recording
from ._version import __version__

if TYPE_CHECKING:
    from .operations import Operations

Function = TypeVar("Function", bound=Callable[..., Any])

_CONSOLE_INTERVAL = 30.0
"""The shortest time between two errors on standard error, in seconds."""
_EXIT_FLUSH = 5.0
"""How long delivery may delay the end of a process, in seconds."""


class Client:
    """Records runs, serves prompts from memory, and runs experiments, with one service and one key."""

    def __init__(self, **options: Unpack[ClientOptions]) -> None:
        settings = read_settings(**options)
        self.url = settings.url
        self.mask = mask = settings.mask
        self.is_enabled = settings.enabled
        self.report_error = failure_reporter(settings.on_error or _tell_on_console())
        self._defaults = settings.defaults
        self._transport = Transport(self.url, settings.api_key, settings.timeout)
        self._prompts = PromptCache(self._transport, settings.prompt_ttl, self.report_error)
        self._delivery = Delivery(
            self._transport,
            DeliveryOptions(
                records_max=settings.records_max,
                bytes_max=settings.bytes_max,
                batch_delay=settings.batch_delay,
                running_delay=settings.running_delay,
                pause_min=settings.pause_min,
                pause_max=settings.pause_max,
                on_error=self.report_error,
                mask_attribute=None
                if mask is None
                else lambda name, value: mask_attribute(mask, name, value, self.report_error),
            ),
        )
        self._operations: Operations | None = None
        self._keep_span = settings.keep_span
        self._processor: PlumblineProcessor | None = None
        self._tracer = self._make_tracer(settings) if self.is_enabled else otel.NoOpTracer()
        _register(self)

    def _make_tracer(self, settings: Settings) -> otel.Tracer:
        found = settings.tracer_provider or otel.get_tracer_provider()
        if not isinstance(found, TracerProvider):
            attributes = {
                "deployment.environment.name": self._defaults.get("environment"),
                "service.version": self._defaults.get("release"),
            }
            resource = Resource.create({name: value for name, value in attributes.items() if value})
            # The client shuts down itself, because the provider would do it before the application's own exit handlers.
            # The default sampler would drop spans whose remote parent is not sampled.
            sampler = None if os.environ.get(OTEL_TRACES_SAMPLER) else ALWAYS_ON
            found = TracerProvider(sampler, resource, shutdown_on_exit=False)
            otel.set_tracer_provider(found)
        self._processor = join_provider(found, self)
        return found.get_tracer("plumbline", __version__)

    # Recording

    def start(
        self,
        name: str | None,
        type: RecordingType | None,
        fields: Mapping[str, Any],
        parent: Recording | otel_context.Context | None,
    ) -> Recording:
        """Starts a step of any type; never raises."""
        own = parent if isinstance(parent, Recording) else None
        is_outermost = own is None and (parent is not None or current_recording() is None)
        own_fields = {field: value for field, value in fields.items() if value is not None}
        values = {**self._defaults, **own_fields} if is_outermost else own_fields
        try:
            return start_recording(self, self._tracer, name or type or "trace", type, values, parent)
        except Exception as error:
            self.report_error(error)
            return Recording(self, otel.INVALID_SPAN, None, {})

    def trace(
        self,
        name: str | None = None,
        *,
        parent: Mapping[str, str] | str | None = None,
        **fields: Unpack[Fields],
    ) -> Recording:
        """Starts a trace. ``parent`` continues a trace of another process: request headers, or their ``traceparent``."""
        context = otel_context.Context()
        if parent is not None:
            carrier = {"traceparent": parent} if isinstance(parent, str) else {k.lower(): v for k, v in parent.items()}
            context = extract_sampled(carrier)
        return self.start(name, None, fields, context)

    def span(self, name: str | None = None, *, type: RecordingType = "span", **fields: Unpack[Fields]) -> Recording:
        """Starts a step of the current trace or step, or a trace if there is none."""
        return self.start(name, type, fields, None)

    def generation(self, name: str | None = None, **fields: Unpack[Fields]) -> Recording:
        """Starts a call to a language model."""
        return self.start(name, "generation", fields, None)

    def tool(self, name: str | None = None, **fields: Unpack[Fields]) -> Recording:
        """Starts a tool call that a model requested."""
        return self.start(name, "tool", fields, None)

    def retrieval(self, name: str | None = None, **fields: Unpack[Fields]) -> Recording:
        """Starts a search for documents."""
        return self.start(name, "retrieval", fields, None)

    def event(self, name: str | None = None, **fields: Unpack[Fields]) -> None:
        """Records an event: a step that ends as soon as it starts."""
        self.start(name, "event", fields, None).end()

    @overload
    def observe(self, function: Function, /) -> Function: ...
    @overload
    def observe(
        self,
        /,
        *,
        name: str | None = None,
        type: RecordingType = "function",
        capture_input: bool = True,
        capture_output: bool = True,
        **fields: Unpack[Fields],
    ) -> Callable[[Function], Function]: ...
    def observe(self, function: Callable[..., Any] | None = None, /, **options: Any) -> Any:
        """Records the calls of a function: its arguments, its returned or yielded values, and its exceptions."""
        return decorate(lambda: self, function, options)

    @property
    def current(self) -> Recording | None:
        """The innermost trace or step around this call."""
        return current_recording()

    def score(
        self,
        trace_id: str,
        name: str,
        value: bool | float | str,
        *,
        log_id: str | None = None,
        comment: str | None = None,
        user_id: str | None = None,
    ) -> None:
        """Records a score in the background: never raises, and never records a score twice.

        With ``user_id``, a later score of the same user with the same name replaces the earlier one; such scores arrive in
        the order of the calls.
        """
        if not self.is_enabled or not trace_id:
            return
        try:
            fields = {"traceId": trace_id, "logId": log_id, "name": name, "value": value, "comment": comment, "userId": user_id}
            record = mask_record(self.mask, {key: each for key, each in fields.items() if each is not None}, self.report_error)
            if len(trace_id) == 32:
                self._delivery.send_running(int(trace_id, 16))
            subject = None if user_id is None else to_json([trace_id, log_id, name, user_id])
            self._delivery.add_record("/scores", to_json(record).encode(), subject)
        except Exception as error:
            self.report_error(error)

    # Prompts

    def prompt(
        self,
        slug: str,
        variables: Mapping[str, Any] | None = None,
        *,
        version: str | None = None,
        tag: str | None = None,
        targeting_key: str | None = None,
        fallback: Fallback | None = None,
    ) -> Prompt:
        """The prompt version to run now, from a cache that is refreshed in the background, so that it works while the
        service is down. Raises only if this prompt was never fetched before and there is no ``fallback``.
        """
        return self._prompts.get(
            slug, variables or {}, version=version, tag=tag, targeting_key=targeting_key, fallback=fallback
        )

    async def prompt_async(
        self,
        slug: str,
        variables: Mapping[str, Any] | None = None,
        *,
        version: str | None = None,
        tag: str | None = None,
        targeting_key: str | None = None,
        fallback: Fallback | None = None,
    ) -> Prompt:
        """Like ``prompt``, but fetches a prompt that is not in memory without blocking the event loop."""

        def get() -> Prompt:
            return self.prompt(
                slug, variables, version=version, tag=tag, targeting_key=targeting_key, fallback=fallback
            )

        if targeting_key is None and self._prompts.is_in_memory(slug, version, tag):
            return get()
        return await asyncio.to_thread(get)

    # Operations

    def request(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, Any] | None = None,
        body: object = None,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> Any:
        """Calls an operation of the interface, without retries. Raises ``RequestFailed`` and ``ServiceUnreachable``."""
        parameters = {name: to_text(value) for name, value in (query or {}).items() if value is not None}
        address = f"{path}?{urllib.parse.urlencode(parameters)}" if parameters else path
        headers = {} if idempotency_key is None else {"idempotency-key": idempotency_key}
        content = None if body is None else to_json(body).encode()
        response = self._transport.request(method, address, content, headers, timeout)
        if response.status >= 400:
            raise to_request_failed(response)
        if not response.body:
            return None
        return json.loads(response.body) if "json" in response.headers.get("content-type", "json") else response.body

    @property
    def operations(self) -> Operations:
        """Every operation of the interface, by its name: ``client.operations.datasets.get("cases")``."""
        if self._operations is None:
            from .operations import Operations

            self._operations = Operations(self)
        return self._operations

    # Datasets and experiments

    def dataset(self, slug: str) -> Dataset:
        """A dataset with its rows. Like all dataset functions, raises ``RequestFailed`` and ``ServiceUnreachable``."""
        return get_dataset(self, slug)

    def create_dataset(
        self,
        slug: str,
        rows: Rows | None = None,
        *,
        name: str | None = None,
        columns: Sequence[str | Column] | None = None,
    ) -> Dataset:
        """Creates a dataset with the columns of its rows. An existing one keeps its columns, and the rows are added."""
        return create_dataset(self, slug, rows, name, columns)

    def add_rows(self, slug: str, rows: Rows) -> list[str]:
        """Adds rows (mappings, or a pandas table) to a dataset; returns the ids of the rows."""
        return add_rows(self, slug, rows)

    def experiment(
        self,
        name: str,
        *,
        feature: str,
        dataset: str | Rows | Dataset,
        run: Callable[..., Any],
        evaluators: Mapping[str, Callable[..., Any]] | None = None,
        thresholds: Mapping[str, float] | None = None,
        concurrency: int = 4,
        metadata: Mapping[str, Any] | None = None,
        quiet: bool = False,
    ) -> ExperimentResult:
        """Runs a function over a dataset and evaluates its outputs. Raises if the dataset or the feature cannot be loaded.

        ``run`` gets the row, and ``trace`` if it has that parameter. Evaluators get the arguments they have parameters for:
        ``row``, ``output``, ``input``, ``ideal_output``, ``metadata``. Both may be asynchronous. The table goes to standard
        error, unless ``quiet``.
        """
        plan = Plan(name, feature, dataset, run, evaluators or {}, thresholds or {}, concurrency, metadata or {})
        return run_experiment(self, plan, None if quiet else standard_error())

    # Delivery

    def flush(self, timeout: float = 10.0) -> DeliveryStats:
        """Returns when everything recorded so far is delivered or dropped, or after ``timeout`` seconds; never raises."""
        return self._delivery.flush(timeout)

    def close(self, timeout: float = 10.0) -> DeliveryStats:
        """Flushes, then drops what could not be delivered."""
        stats = self._delivery.close(timeout)
        if self._processor is not None:
            self._processor.leave(self)
        _open_clients.discard(self)
        return stats

    @property
    def stats(self) -> DeliveryStats:
        return self._delivery.stats

    @property
    def dropped(self) -> int:
        """The number of records dropped so far; ``stats.dropped`` counts them by reason."""
        return sum(self._delivery.stats.dropped.values())

    def root_started(self, span: ReadableSpan) -> None:
        """Notes a span that begins a trace in this process; never raises."""
        try:
            context = span.get_span_context()
            if context is not None and self._is_kept(span):
                self._delivery.root_started(span, context.trace_id)
        except Exception as error:
            self.report_error(error)

    def span_ended(self, span: ReadableSpan) -> None:
        """Delivers a span; never raises."""
        try:
            if self._is_kept(span):
                self._delivery.add_span(span)
        except Exception as error:
            self.report_error(error)

    def _is_kept(self, span: ReadableSpan) -> bool:
        return self._keep_span is None or self._keep_span(span)

    def report_late(self) -> None:
        self._delivery.drop("late", "Something was recorded after its trace or step had ended.")

    def report_too_large(self) -> None:
        self._delivery.drop("too_large", "A step reached the limit of 16 MiB; later data was dropped.")

    def reset_after_fork(self) -> None:
        self._delivery.reset_after_fork()
        self._prompts.reset_after_fork()


def decorate(get_client: Callable[[], Client], function: Any, options: dict[str, Any]) -> Any:
    """The decorator, with and without parentheses."""
    own = {
        "name": options.pop("name", None),
        "type": options.pop("type", "function"),
        "capture_input": options.pop("capture_input", True),
        "capture_output": options.pop("capture_output", True),
    }

    def wrap(target: Any) -> Any:
        return observe_function(get_client, target, fields=options, **own)

    return wrap if function is None else wrap(function)


def _tell_on_console() -> Callable[[Exception], None]:
    """Reports errors on standard error, at a limited rate: an outage must not flood the application's own log."""
    lock = threading.Lock()
    quiet_until = 0.0
    suppressed = 0

    def tell(error: Exception) -> None:
        nonlocal quiet_until, suppressed
        with lock:
            if time.monotonic() < quiet_until:
                suppressed += 1
                return
            more = f" (and {suppressed} more before)" if suppressed else ""
            quiet_until, suppressed = time.monotonic() + _CONSOLE_INTERVAL, 0
        print(f"Plumbline: {error}{more}", file=sys.stderr)

    return tell


_clients: weakref.WeakSet[Client] = weakref.WeakSet()
_open_clients: set[Client] = set()
"""Clients that may have records to deliver, even if the application no longer refers to them."""


def _register(client: Client) -> None:
    _register_hooks()
    _clients.add(client)
    if client.is_enabled:
        _open_clients.add(client)


@functools.cache
def _register_hooks() -> None:
    atexit.register(_flush_all)
    os.register_at_fork(after_in_child=_reset_all)
    # Before Python 3.13, a multiprocessing child ends without the exit handlers of the interpreter.
    multiprocessing.util.register_after_fork(_clients, _flush_at_exit_of_child)
    if multiprocessing.process.parent_process() is not None:
        _flush_at_exit_of_child(None)
    signals = sys.modules.get("celery.signals")
    if signals is not None:
        # Celery ends its children without running exit handlers.
        signals.worker_process_shutdown.connect(_flush_celery_child, weak=False)


def _flush_celery_child(**_: object) -> None:
    _flush_all()


def _flush_all() -> None:
    deadline = time.monotonic() + _EXIT_FLUSH
    for client in list(_open_clients):
        client.flush(max(0.0, deadline - time.monotonic()))


def _reset_all() -> None:
    for client in list(_clients):
        client.reset_after_fork()


def _flush_at_exit_of_child(_: object) -> None:
    multiprocessing.util.Finalize(None, _flush_all, exitpriority=10)


__all__ = ["Client", "PlumblineError", "decorate"]
