"""Google's client calls Python functions and MCP tools itself: it sends a request, calls the functions that the model names, and
sends their results, until there is an answer. All of this is one call of the client.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import AsyncGenerator, Callable, Generator, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from ._client import Client
from ._google_content import GENERATE, ContentAssembly, read_content, read_request
from ._recording import Recording
from ._wrapping import Values, leniently, mark_wrapper, record_method


def calls_functions(request: Mapping[str, Any]) -> bool:
    """Whether the client calls functions during this call."""
    config = request.get("config")
    automatic = _field(config, "automatic_function_calling")
    if _field(automatic, "disable") or _field(automatic, "maximum_remote_calls") == 0:
        return False
    tools = _field(config, "tools")
    if not isinstance(tools, (list, tuple)) or not (isinstance(config, Mapping) or hasattr(config, "model_copy")):
        # The client itself will say what is wrong.
        return False
    # MCP sessions have `call_tool`; their class can be imported only if `mcp` is installed.
    return any(callable(tool) or hasattr(tool, "call_tool") for tool in tools)


def _field(value: Any, name: str) -> Any:
    """A field of one of Google's models, or of the dictionary that may take its place, in either spelling."""
    if not isinstance(value, Mapping):
        return getattr(value, name, None)
    first, *others = name.split("_")
    return value.get(name, value.get(first + "".join(map(str.capitalize, others))))


class FunctionRun:
    """A call during which the client calls functions and sends their results to the model, until there is an answer."""

    def __init__(self, find_client: Callable[[], Client], parent: Recording | None, fields: Values, request: Values) -> None:
        self._find_client = find_client
        self._fields = fields
        values = leniently(lambda: read_request("generate", request), {})
        self._span = find_client().start(
            values.get("name"), "span", {name: values[name] for name in ("input", "metadata") if name in values}, parent
        )
        #: The configuration, with functions that are recorded.
        self.config = self._with_recorded_functions(request.get("config"))
        #: Whether each request is a call of the method of models that sends one, else of the one that the caller may use.
        self.sends_by_models = False
        self._assembly = ContentAssembly()

    def call(self, method: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        if inspect.iscoroutinefunction(method):
            return self._call_async(method, *args, **kwargs)
        try:
            with self._active():
                response = method(*args, **kwargs)
        except BaseException as error:
            self._span.end(error=error)
            raise
        return self._settle(response)

    async def _call_async(self, method: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        try:
            with self._active():
                response = await method(*args, **kwargs)
        except BaseException as error:
            self._span.end(error=error)
            raise
        return self._settle(response)

    def record_request(self, send: Callable[..., Any]) -> Callable[..., Any]:
        """The method that sends a request, recorded as a generation of the run."""
        # The answer of the run is that of its last request.
        self._assembly = ContentAssembly()
        return record_method(send, GENERATE, self._find_client, self._span, self._fields)

    def _with_recorded_functions(self, config: Any) -> Any:
        tools = [_record_function(tool, self._find_client) if callable(tool) else tool for tool in _field(config, "tools")]
        return {**config, "tools": tools} if isinstance(config, Mapping) else config.model_copy(update={"tools": tools})

    def _settle(self, response: Any) -> Any:
        if inspect.isgenerator(response):
            return self._watch(response)
        if inspect.isasyncgen(response):
            return self._watch_async(response)
        self._span.end(output=leniently(lambda: read_content(response), {}).get("output"))
        return response

    @contextmanager
    def _active(self) -> Iterator[None]:
        token = current_run.set(self)
        try:
            with self._span.as_current():
                yield
        finally:
            current_run.reset(token)

    def _watch(self, parts: Any) -> Generator[Any, None, None]:
        try:
            while True:
                with self._active():
                    part = next(parts, _END)
                if part is _END:
                    break
                self._add(part)
                yield part
        except GeneratorExit:
            parts.close()
            self._end_stream()
            raise
        except BaseException as error:
            self._span.end(error=error)
            raise
        self._end_stream()

    async def _watch_async(self, parts: Any) -> AsyncGenerator[Any, None]:
        try:
            while True:
                with self._active():
                    part = await anext(parts, _END)
                if part is _END:
                    break
                self._add(part)
                yield part
        except GeneratorExit:
            await parts.aclose()
            self._end_stream()
            raise
        except BaseException as error:
            self._span.end(error=error)
            raise
        self._end_stream()

    def _add(self, part: Any) -> None:
        try:
            self._assembly.add(part)
        except Exception:
            # A part of an unknown form.
            pass

    def _end_stream(self) -> None:
        self._span.end(output=leniently(self._assembly.fields, {}).get("output"))


_END = object()
current_run: ContextVar[FunctionRun | None] = ContextVar("plumbline_google_run", default=None)


def record_requests(send: Callable[..., Any]) -> Callable[..., Any]:
    """The method of models that sends one request, recorded as a generation while a run sends its requests by it."""

    def record(*args: Any, **kwargs: Any) -> Any:
        run = current_run.get()
        return (run.record_request(send) if run is not None and run.sends_by_models else send)(*args, **kwargs)

    mark_wrapper(record, send)
    return record


def _record_function(function: Callable[..., Any], find_client: Callable[[], Client]) -> Callable[..., Any]:
    """A function that the client calls, as a tool. Calls of a model within it are no requests of the run."""

    @contextmanager
    def without_run() -> Iterator[None]:
        token = current_run.set(None)
        try:
            yield
        finally:
            current_run.reset(token)

    wrapper: Callable[..., Any]
    if inspect.iscoroutinefunction(function):

        @functools.wraps(function)
        async def call_async(*args: Any, **kwargs: Any) -> Any:
            with without_run():
                return await function(*args, **kwargs)

        wrapper = call_async
    else:

        @functools.wraps(function)
        def call(*args: Any, **kwargs: Any) -> Any:
            with without_run():
                return function(*args, **kwargs)

        wrapper = call
    observe = find_client().observe(name=getattr(function, "__name__", None), type="tool")
    return observe(wrapper)
