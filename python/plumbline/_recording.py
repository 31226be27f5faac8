"""The objects that an application records with: a trace, and the steps nested in it. Their methods never raise."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from contextlib import contextmanager
from contextvars import Token
from datetime import datetime, timezone
from types import TracebackType
from typing import TYPE_CHECKING, Any, cast

from opentelemetry import context as otel_context
from opentelemetry import trace as otel
from opentelemetry.context import Context
from opentelemetry.trace import Status, StatusCode
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator
from typing_extensions import Self, Unpack

from ._fields import MASKED_NAMES, PLAIN_FIELDS, TEXT_FIELDS, Fields, NamedFields, RecordingType, identity_of, prompt_attributes, tokens_in
from ._json import TooLarge, jsonable, to_json, to_text, to_text_or_json, utf8_size
from ._mask import CONTENT_BYTES_MAX, LEFT_OUT, mask_field

if TYPE_CHECKING:
    from collections.abc import Generator

    from ._client import Client

_KEY = otel_context.create_key("plumbline.recording")
_CLIENT_KEY = otel_context.create_key("plumbline.client")

propagator = TraceContextTextMapPropagator()


def current_recording(context: Context | None = None) -> Recording | None:
    """The innermost trace or step around this call, or in a given context."""
    recording = otel_context.get_value(_KEY, context)
    return recording if isinstance(recording, Recording) else None


def recording_client(context: Context | None) -> Client | None:
    """The client that records a span started in a context: the one that starts it, else that of the enclosing recording."""
    client = otel_context.get_value(_CLIENT_KEY, context)
    if client is not None:
        return cast("Client", client)
    recording = current_recording(context)
    return None if recording is None else recording._client  # pyright: ignore[reportPrivateUsage]


def extract_sampled(carrier: Mapping[str, str]) -> Context:
    """The context of a caller, marked as sampled: its sampling concerns its own traces, and the continued trace is recorded."""
    context = propagator.extract(carrier, Context())
    caller = otel.get_current_span(context).get_span_context()
    if not caller.is_valid or caller.trace_flags.sampled:
        return context
    flags = otel.TraceFlags(caller.trace_flags | otel.TraceFlags.SAMPLED)
    sampled = otel.SpanContext(caller.trace_id, caller.span_id, True, flags, caller.trace_state)
    return otel.set_span_in_context(otel.NonRecordingSpan(sampled), context)


class Recording:
    """A trace or a step of it. As a context manager it ends by itself, and recordings inside it are nested in it."""

    def __init__(self, client: Client, span: otel.Span, parent: Recording | None, fields: Mapping[str, Any]) -> None:
        self._client = client
        self._span = span
        #: The outermost recording of the trace in this process; carries the fields of the whole trace.
        self._root: Recording = parent._root if parent is not None else self
        #: The instrumentation scope of a model client that records the same call itself.
        self.hidden_scope: str | None = None
        self._metadata: dict[str, Any] = {}
        self._bytes = 0
        self._has_output = False
        self._has_tokens = False
        self._is_ended = False
        self._tokens: list[Token[Context]] = []
        self._write(fields)

    @property
    def id(self) -> str:
        """The id of a step's log, for scores and links. Available immediately."""
        return f"{self._span.get_span_context().span_id:016x}"

    @property
    def trace_id(self) -> str:
        """The id of the trace, also in the service. Available immediately; empty if nothing is recorded."""
        context = self._span.get_span_context()
        return f"{context.trace_id:032x}" if context.is_valid else ""

    @property
    def url(self) -> str:
        """The address of the trace in the web app."""
        return f"{self._client.url}/app/traces/{self.trace_id}"

    @property
    def is_ended(self) -> bool:
        return self._is_ended

    @property
    def has_output(self) -> bool:
        return self._has_output

    @property
    def otel_span(self) -> otel.Span:
        """The underlying OpenTelemetry span."""
        return self._span

    def update(self, **fields: Unpack[NamedFields]) -> Self:
        """Sets fields."""
        if self._is_ended:
            self._client.report_late()
        else:
            self._write(fields)
        return self

    def update_trace(self, **fields: Unpack[NamedFields]) -> Self:
        """Sets fields of the whole trace, such as its user, session or tags."""
        self._root.update(**fields)
        return self

    def end(self, **fields: Unpack[Fields]) -> None:
        """Sets fields and ends it, once; later updates count as ``late``."""
        if self._is_ended:
            return
        self._write(fields)
        self._is_ended = True
        try:
            self._span.end(_to_ns(fields.get("end_time")))
        except Exception as error:
            self._client.report_error(error)

    def trace_headers(self) -> dict[str, str]:
        """W3C trace context for a request to another service that continues the trace: ``trace(parent=headers)``."""
        headers: dict[str, str] = {}
        propagator.inject(headers, self.otel_context())
        return headers

    def score(self, name: str, value: bool | float | str, *, comment: str | None = None, user_id: str | None = None) -> None:
        """Records a score of this trace or step in the background. With ``user_id``, a later score of the user replaces it."""
        log_id = None if self._root is self else self.id
        self._client.score(self.trace_id, name, value, log_id=log_id, comment=comment, user_id=user_id)

    def span(self, name: str | None = None, *, type: RecordingType = "span", **fields: Unpack[Fields]) -> Recording:
        """Starts a step in this one."""
        return self._client.start(name, type, fields, self)

    def generation(self, name: str | None = None, **fields: Unpack[Fields]) -> Recording:
        """Starts a call to a language model."""
        return self._client.start(name, "generation", fields, self)

    def tool(self, name: str | None = None, **fields: Unpack[Fields]) -> Recording:
        """Starts a tool call that a model requested."""
        return self._client.start(name, "tool", fields, self)

    def retrieval(self, name: str | None = None, **fields: Unpack[Fields]) -> Recording:
        """Starts a search for documents."""
        return self._client.start(name, "retrieval", fields, self)

    def function(self, name: str | None = None, **fields: Unpack[Fields]) -> Recording:
        """Starts a function of the application."""
        return self._client.start(name, "function", fields, self)

    def event(self, name: str | None = None, **fields: Unpack[Fields]) -> None:
        """Records an event: a step that ends as soon as it starts."""
        self._client.start(name, "event", fields, self).end()

    @contextmanager
    def as_current(self) -> Generator[Self]:
        """Nests recordings inside the ``with`` block in this one, without ending it."""
        token = otel_context.attach(self.otel_context())
        try:
            yield self
        finally:
            _detach(token)

    def __enter__(self) -> Self:
        self._tokens.append(otel_context.attach(self.otel_context()))
        return self

    def __exit__(
        self, exc_type: type[BaseException] | None, exc: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if self._tokens:
            _detach(self._tokens.pop())
        self._end_with(exc)

    async def __aenter__(self) -> Self:
        return self.__enter__()

    async def __aexit__(
        self, exc_type: type[BaseException] | None, exc: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.__exit__(exc_type, exc, traceback)

    def _end_with(self, error: BaseException | None) -> None:
        if error is None or isinstance(error, GeneratorExit):
            self.end()
        else:
            self.end(error=error)

    def otel_context(self) -> Context:
        """The OpenTelemetry context in which this is current, for instrumentations that accept one."""
        return otel_context.set_value(_KEY, self, otel.set_span_in_context(self._span))

    def _write(self, fields: Mapping[str, Any]) -> None:
        if not self._span.is_recording():
            return
        for name, value in fields.items():
            if value is None:
                continue
            try:
                self._write_field(name, value)
            except TooLarge:
                self._client.report_too_large()
                self._set(TEXT_FIELDS.get(name, f"plumbline.{name}"), LEFT_OUT)
            except Exception as error:
                self._client.report_error(error)

    def _write_field(self, name: str, value: Any) -> None:
        if name in ("start_time", "end_time"):
            return
        if name == "error":
            self._write_error(value)
            return
        if name == "metadata":
            self._write_metadata(value)
            return
        if name == "usage":
            usage = jsonable(value, CONTENT_BYTES_MAX)
            self._set("plumbline.usage", to_json(usage))
            if isinstance(usage, dict) and not self._has_tokens:
                self._write(tokens_in(usage))
            return
        if name == "prompt":
            for key, text in prompt_attributes(value).items():
                self._set(key, text)
            return
        if name == "evaluators":
            self._set("plumbline.evaluators", [to_text(slug) for slug in _listed(value)])
            return
        masked = mask_field(self._client.mask, MASKED_NAMES.get(name, name), value, self._client.report_error)
        if masked is None:
            return
        if name in TEXT_FIELDS:
            self._has_output = self._has_output or name == "output"
            self._set(TEXT_FIELDS[name], to_text_or_json(masked, CONTENT_BYTES_MAX))
        elif name in PLAIN_FIELDS:
            self._has_tokens = self._has_tokens or name in ("input_tokens", "output_tokens")
            self._set(PLAIN_FIELDS[name], _to_plain(masked))
        elif name in ("user", "organization"):
            for key, text in identity_of(masked).items():
                self._set(f"plumbline.{name}.{key}", text)
        elif name == "tags":
            self._set("plumbline.tags", [to_text(tag) for tag in _listed(masked)])
        elif name == "variables":
            self._set("plumbline.variables", to_json(masked, CONTENT_BYTES_MAX))
        elif name == "name":
            self._span.update_name(to_text(masked))
        else:
            raise TypeError(f'"{name}" is no field of a trace or a step.')

    def _write_metadata(self, value: Any) -> None:
        masked = mask_field(self._client.mask, "metadata", value, self._client.report_error)
        if isinstance(masked, Mapping):
            self._metadata.update(jsonable(masked, CONTENT_BYTES_MAX))
            self._set("plumbline.metadata", to_json(self._metadata))

    def _write_error(self, error: Any) -> None:
        if isinstance(error, SystemExit) and error.code in (None, 0):
            # `sys.exit()` is a normal end, not a failure.
            return
        if isinstance(error, BaseException):
            self._span.set_status(Status(StatusCode.ERROR, _error_text(error)))
            self._span.record_exception(error)
        else:
            try:
                text = to_text(error, CONTENT_BYTES_MAX)
            except TooLarge:
                self._client.report_too_large()
                error = text = LEFT_OUT
            self._write_metadata({"error": error})
            self._span.set_status(Status(StatusCode.ERROR, text))

    def _set(self, name: str, value: Any) -> None:
        if isinstance(value, str):
            size = utf8_size(value)
            if self._bytes + size > CONTENT_BYTES_MAX:
                self._client.report_too_large()
                value, size = LEFT_OUT, len(LEFT_OUT)
            self._bytes += size
        self._span.set_attribute(name, value)


def _detach(token: Token[Context]) -> None:
    try:
        # Not `otel_context.detach`, which logs an error if a generator was closed in another context.
        otel_context._RUNTIME_CONTEXT.detach(token)  # pyright: ignore[reportPrivateUsage]
    except Exception:
        pass


def _error_text(error: BaseException) -> str:
    try:
        return str(error) or type(error).__name__
    except Exception:
        # An error without a readable message is still an error.
        return type(error).__name__


def _to_plain(value: object) -> str | float:
    plain = jsonable(value)
    return plain if isinstance(plain, (int, float)) else to_text(plain)


def _listed(value: Any) -> Any:
    """A single text becomes a list with that text, not with its letters."""
    return [value] if isinstance(value, str) else value


def _to_ns(time: object) -> int | None:
    if not isinstance(time, datetime):
        return None
    # A time without a zone is local time, as everywhere in Python.
    moment = time.astimezone(timezone.utc)
    since = moment - datetime(1970, 1, 1, tzinfo=timezone.utc)
    return ((since.days * 86_400 + since.seconds) * 1_000_000 + since.microseconds) * 1_000


def start_recording(
    client: Client,
    tracer: otel.Tracer,
    name: str,
    type: RecordingType | None,
    fields: Mapping[str, Any],
    parent: Recording | Context | None,
) -> Recording:
    """Starts a span in a recording, in a context (an empty one begins a trace), or in the current recording."""
    enclosing = parent if isinstance(parent, Recording) else current_recording() if parent is None else None
    # Only the span itself is started in this context; spans nested in it find the client through the recording.
    context = otel_context.set_value(_CLIENT_KEY, client, parent.otel_context() if isinstance(parent, Recording) else parent)
    attributes = {} if type is None else {"plumbline.type": type}
    own_name = str(mask_field(client.mask, "name", name, client.report_error) or type or "trace")
    span = tracer.start_span(own_name, context=context, attributes=attributes, start_time=_to_ns(fields.get("start_time")), record_exception=False)
    return Recording(client, span, enclosing, fields)


def failure_reporter(on_error: Callable[[Exception], None]) -> Callable[[BaseException], None]:
    """Wraps the callback and swallows its errors: they cannot be reported elsewhere, and the application must continue."""

    def report(error: BaseException) -> None:
        try:
            on_error(error if isinstance(error, Exception) else RuntimeError(repr(error)))
        except Exception:
            if sys.flags.dev_mode:
                raise

    return report
