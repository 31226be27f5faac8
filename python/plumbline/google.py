"""Records the calls of Google's client for Gemini: ``wrap_google(genai.Client())``."""

from __future__ import annotations

import base64
import functools
import inspect
from collections.abc import AsyncGenerator, Callable, Generator, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, TypeVar

from typing_extensions import Unpack

from . import get_client
from ._client import Client
from ._fields import NamedFields
from ._recording import Recording
from ._wrapping import Call, Values, leniently, record_method, unwrapped, wrap_methods

GoogleClient = TypeVar("GoogleClient")


def wrap_google(
    google: GoogleClient,
    *,
    client: Client | None = None,
    parent: Recording | None = None,
    **fields: Unpack[NamedFields],
) -> GoogleClient:
    """Records ``models`` (content, streams, embeddings, images) and ``chats`` of a ``google.genai.Client`` and of its
    ``aio``, and returns it.

    Each call is a generation of ``parent``, else of the current recording, else a trace of its own. Where the client calls
    Python functions or MCP tools by itself, the call is a span with a generation for each request to the model and the
    functions between them. ``fields`` are recorded with every generation, such as the ``prompt`` and its ``variables``.
    """
    find_client = (lambda: client) if client is not None else get_client
    for holder in (google, getattr(google, "aio", None)):
        models = getattr(holder, "models", None)
        if models is not None:
            _wrap_models(models, find_client, parent, dict(fields))
            _wrap_chats(holder, functools.partial(_FunctionRun, find_client, parent, dict(fields)))
    return google


def _wrap_models(models: Any, find_client: Callable[[], Client], parent: Recording | None, fields: Values) -> None:
    wrap_methods(models, _CALLS, find_client, parent, fields)
    for name, step_name in _GENERATING.items():
        method, step = getattr(models, name, None), getattr(models, step_name, None)
        if not callable(method):
            continue
        method = unwrapped(method)
        generation = record_method(method, _GENERATE, find_client, parent, fields)
        if not callable(step):
            # A version of the client that sends its requests by another method.
            setattr(models, name, generation)
            continue
        if not hasattr(step, "__plumbline__"):
            setattr(models, step_name, _record_requests(step))
        run = functools.partial(_FunctionRun, find_client, parent, fields)
        setattr(models, name, _record_content(method, generation, run))


_GENERATING = {
    "generate_content": "_generate_content",
    "generate_content_stream": "_generate_content_stream",
}
"""The methods that may call functions, and those by which they send each of their requests."""

StartRun = Callable[[Values], "_FunctionRun"]


def _record_content(method: Callable[..., Any], generation: Callable[..., Any], start_run: StartRun) -> Callable[..., Any]:
    """The method, recorded as a run where it calls functions, else as one generation."""

    def record(*args: Any, **kwargs: Any) -> Any:
        run = _current_run.get()
        if run is not None:
            # A chat calls its functions itself, or has this method do so.
            run.sends_by_models = _calls_functions(kwargs)
            return method(*args, **kwargs) if run.sends_by_models else run.record_request(method)(*args, **kwargs)
        if not _calls_functions(kwargs):
            return generation(*args, **kwargs)
        run = start_run(kwargs)
        run.sends_by_models = True
        return run.call(method, **{**kwargs, "config": run.config})

    return _like(method, record)


def _wrap_chats(holder: Any, start_run: StartRun) -> None:
    """Has the client make chats that are recorded. Its ``chats`` is a property that makes a new object each time."""
    kind = type(holder)
    chats = inspect.getattr_static(kind, "chats", None)
    if not isinstance(chats, property):
        return
    read = unwrapped(chats.fget)

    def read_chats(self: Any) -> Any:
        made = read(self)
        create = made.create

        def create_recorded(*args: Any, **kwargs: Any) -> Any:
            chat = create(*args, **kwargs)
            for name in ("send_message", "send_message_stream"):
                setattr(chat, name, _record_chat(chat, getattr(chat, name), start_run))
            return chat

        made.create = create_recorded
        return made

    functools.update_wrapper(read_chats, read)
    setattr(read_chats, "__plumbline__", True)
    original = kind.__mro__[1] if hasattr(chats.fget, "__plumbline__") else kind
    holder.__class__ = type(kind.__name__, (original,), {"chats": property(read_chats), "__module__": kind.__module__})


def _record_chat(chat: Any, method: Callable[..., Any], start_run: StartRun) -> Callable[..., Any]:
    """A method of a chat, recorded as a run where it calls functions. Else its request alone is recorded."""

    def record(message: Any, config: Any = None) -> Any:
        request = {"model": getattr(chat, "_model", None), "contents": message, "config": config or getattr(chat, "_config", None)}
        if not _calls_functions(request):
            return method(message, config)
        run = start_run(request)
        return run.call(method, message, run.config)

    return _like(method, record)


def _like(method: Callable[..., Any], record: Callable[..., Any]) -> Callable[..., Any]:
    """A function of the kind of the method, and with its name."""
    recorded = record
    if inspect.iscoroutinefunction(method):

        async def record_async(*args: Any, **kwargs: Any) -> Any:
            return await record(*args, **kwargs)

        recorded = record_async
    functools.update_wrapper(recorded, method)
    setattr(recorded, "__plumbline__", True)
    return recorded


def _calls_functions(request: Mapping[str, Any]) -> bool:
    config = request.get("config")
    automatic = _field(config, "automatic_function_calling")
    if _field(automatic, "disable") or _field(automatic, "maximum_remote_calls") == 0:
        return False
    tools = _field(config, "tools") or ()
    # A tool of this kind is an MCP session, whose class is there only where `mcp` is.
    return any(callable(tool) or hasattr(tool, "call_tool") for tool in tools)


def _field(value: Any, name: str) -> Any:
    """A field of one of Google's models, or of the dictionary that may take its place, in either spelling."""
    if not isinstance(value, Mapping):
        return getattr(value, name, None)
    first, *others = name.split("_")
    return value.get(name, value.get(first + "".join(map(str.capitalize, others))))


class _FunctionRun:
    """A call during which the client calls functions and sends their results to the model, until there is an answer."""

    def __init__(self, find_client: Callable[[], Client], parent: Recording | None, fields: Values, request: Values) -> None:
        self._find_client = find_client
        self._fields = fields
        values = leniently(lambda: _read_request("generate", request), {})
        self._span = find_client().start(
            values.get("name"), "span", {name: values[name] for name in ("input", "metadata") if name in values}, parent
        )
        #: The configuration, with functions that are recorded.
        self.config = self._with_recorded_functions(request.get("config"))
        #: Whether each request is a call of the method of models that sends one, else of the one that the caller may use.
        self.sends_by_models = False
        self._assembly = _ContentAssembly()

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
        self._assembly = _ContentAssembly()
        return record_method(send, _GENERATE, self._find_client, self._span, self._fields)

    def _with_recorded_functions(self, config: Any) -> Any:
        tools = [_record_function(tool, self._find_client) if callable(tool) else tool for tool in _field(config, "tools")]
        return {**config, "tools": tools} if isinstance(config, Mapping) else config.model_copy(update={"tools": tools})

    def _settle(self, response: Any) -> Any:
        if inspect.isgenerator(response):
            return self._watch(response)
        if inspect.isasyncgen(response):
            return self._watch_async(response)
        self._span.end(output=leniently(lambda: _read_content(response), {}).get("output"))
        return response

    @contextmanager
    def _active(self) -> Iterator[None]:
        token = _current_run.set(self)
        try:
            with self._span.as_current():
                yield
        finally:
            _current_run.reset(token)

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
_current_run: ContextVar[_FunctionRun | None] = ContextVar("plumbline_google_run", default=None)


def _record_requests(send: Callable[..., Any]) -> Callable[..., Any]:
    """The method of models that sends one request, recorded as a generation while a run sends its requests by it."""

    def record(*args: Any, **kwargs: Any) -> Any:
        run = _current_run.get()
        return (run.record_request(send) if run is not None and run.sends_by_models else send)(*args, **kwargs)

    functools.update_wrapper(record, send)
    setattr(record, "__plumbline__", True)
    return record


def _record_function(function: Callable[..., Any], find_client: Callable[[], Client]) -> Callable[..., Any]:
    """A function that the client calls, as a tool. Calls of a model within it are no requests of the run."""

    @contextmanager
    def without_run() -> Iterator[None]:
        token = _current_run.set(None)
        try:
            yield
        finally:
            _current_run.reset(token)

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


def _read_request(kind: str, request: Mapping[str, Any]) -> Values:
    config = _plain(request.get("config")) or {}
    # Options of HTTP may have headers that sign somebody in.
    ignored = ("systemInstruction", "system_instruction", "httpOptions", "http_options")
    parameters = {name: value for name, value in config.items() if name not in ignored}
    others = {name: _plain(value) for name, value in request.items() if name not in ("model", "contents", "prompt", "config")}
    system = config.get("systemInstruction", config.get("system_instruction"))
    contents = _plain(request.get("contents", request.get("prompt")))
    conversation = contents if isinstance(contents, list) else [contents]
    model = request.get("model")
    return {
        "name": f"google.{kind} {model}" if model else f"google.{kind}",
        "input": contents if system is None else [{"role": "system", "content": system}, *conversation],
        "model": model,
        "provider": "gemini",
        "metadata": {"parameters": {**parameters, **others}},
    }


def _plain(value: Any) -> Any:
    """A value in the form in which Google's API has it: its models without what was not set, functions by their names."""
    if isinstance(value, Mapping):
        return {name: _plain(each) for name, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(each) for each in value]
    if isinstance(value, type):
        # The schema of an answer.
        return value.__name__
    if hasattr(type(value), "model_dump"):
        fields = {
            field.alias or name: getattr(value, name)
            for name, field in type(value).model_fields.items()
            if getattr(value, name) is not None
        }
        data = fields.get("data")
        if isinstance(data, bytes):
            fields["data"] = base64.b64encode(data).decode()
        return _plain(fields)
    return getattr(value, "__name__", value) if callable(value) else value


def _read_content(response: Any) -> Values:
    candidates = response.candidates or ()
    outputs = [{"role": "assistant", "parts": _plain(getattr(each.content, "parts", None) or [])} for each in candidates]
    finish = [each.finish_reason for each in candidates]
    return {
        **({"model": response.model_version} if response.model_version else {}),
        "output": outputs[0] if len(outputs) == 1 else outputs,
        "metadata": {"finishReason": finish[0] if finish else None},
        **_usage_fields(response.usage_metadata),
    }


def _usage_fields(usage: Any) -> Values:
    if usage is None:
        return {}
    fields: Values = {"usage": _plain(usage)}
    if usage.prompt_token_count is not None:
        fields["input_tokens"] = usage.prompt_token_count
    # Gemini counts its thoughts apart; by the rule of OpenTelemetry's GenAI conventions the output holds them.
    # It leaves out the tokens of an answer that its thoughts left no room for.
    output = (usage.candidates_token_count, usage.thoughts_token_count)
    if output != (None, None):
        fields["output_tokens"] = sum(count or 0 for count in output)
    return fields


class _ContentAssembly:
    """Parts of a stream carry pieces of an answer, and the last one the usage."""

    def __init__(self) -> None:
        self._parts: list[Values] = []
        self._last: Any = None
        self._usage: Any = None
        self._finish: Any = None
        self._model: Any = None

    def add(self, part: Any) -> bool:
        self._usage = part.usage_metadata or self._usage
        self._model = part.model_version or self._model
        candidate = (part.candidates or (None,))[0]
        self._finish = getattr(candidate, "finish_reason", None) or self._finish
        added: list[Values] = _plain(getattr(getattr(candidate, "content", None), "parts", None) or [])
        for each in added:
            self._add_part(each)
        return len(added) > 0

    def _add_part(self, part: Values) -> None:
        last = self._parts[-1] if self._parts else {}
        if "text" in last and "text" in part and last.get("thought") == part.get("thought"):
            self._parts[-1] = {**last, **part, "text": last["text"] + part["text"]}
        else:
            self._parts.append(part)

    def fields(self) -> Values:
        return {
            **({"model": self._model} if self._model else {}),
            "output": {"role": "assistant", "parts": self._parts},
            "metadata": {"finishReason": self._finish},
            **_usage_fields(self._usage),
        }


def _read_embeddings(response: Any) -> Values:
    embeddings = response.embeddings or []
    dimensions = len(embeddings[0].values or ()) if embeddings else 0
    # The service would count the description as a text that was generated.
    return {"output": {"embeddings": len(embeddings), "dimensions": dimensions}, "output_tokens": 0}


def _read_images(response: Any) -> Values:
    images = [getattr(each.image, "image_bytes", None) or b"" for each in response.generated_images or ()]
    return {"output": [{"image": f"[{len(each)} bytes]"} for each in images]}


_GENERATE = Call(lambda request: _read_request("generate", request), _read_content, _ContentAssembly)
_CALLS = {
    "embed_content": Call(lambda request: _read_request("embeddings", request), _read_embeddings, _ContentAssembly),
    "generate_images": Call(lambda request: _read_request("images", request), _read_images, _ContentAssembly),
}
