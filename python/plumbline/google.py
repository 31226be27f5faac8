"""Records the calls of Google's client for Gemini: ``wrap_google(genai.Client())``."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any, TypeVar

from typing_extensions import Unpack

from . import get_client
from ._client import Client
from ._fields import NamedFields
from ._google_content import GENERATE, OTHER_CALLS
from ._google_functions import FunctionRun, calls_functions, current_run, record_requests
from ._recording import Recording
from ._wrapping import Values, mark_wrapper, record_method, unwrapped, wrap_methods

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
            _wrap_chats(holder, functools.partial(FunctionRun, find_client, parent, dict(fields)))
    return google


def _wrap_models(models: Any, find_client: Callable[[], Client], parent: Recording | None, fields: Values) -> None:
    wrap_methods(models, OTHER_CALLS, find_client, parent, fields)
    for name, step_name in _GENERATING.items():
        method, step = getattr(models, name, None), getattr(models, step_name, None)
        if not callable(method):
            continue
        method = unwrapped(method)
        generation = record_method(method, GENERATE, find_client, parent, fields)
        if not callable(step):
            # A version of the client that sends its requests by another method.
            setattr(models, name, generation)
            continue
        if not hasattr(step, "__plumbline__"):
            setattr(models, step_name, record_requests(step))
        run = functools.partial(FunctionRun, find_client, parent, fields)
        setattr(models, name, _record_content(method, generation, run))


_GENERATING = {
    "generate_content": "_generate_content",
    "generate_content_stream": "_generate_content_stream",
}
"""The methods that may call functions, and the method by which each sends its requests."""

StartRun = Callable[[Values], FunctionRun]


def _record_content(method: Callable[..., Any], generation: Callable[..., Any], start_run: StartRun) -> Callable[..., Any]:
    """Records a call as a run if it calls functions, else as one generation."""

    def record(*args: Any, **kwargs: Any) -> Any:
        run = current_run.get()
        if run is not None:
            # Within a chat, which calls functions itself; in older versions this method does so for it.
            run.sends_by_models = calls_functions(kwargs)
            return method(*args, **kwargs) if run.sends_by_models else run.record_request(method)(*args, **kwargs)
        if not calls_functions(kwargs):
            return generation(*args, **kwargs)
        run = start_run(kwargs)
        run.sends_by_models = True
        return run.call(method, **{**kwargs, "config": run.config})

    return _like(method, record)


def _wrap_chats(holder: Any, start_run: StartRun) -> None:
    """Wraps the chats that the client creates.

    ``chats`` is a property that returns a new object each time, so the client gets a subclass of its class with another one.
    """
    kind = type(holder)
    chats = inspect.getattr_static(kind, "chats", None)
    if not isinstance(chats, property):
        return
    read = unwrapped(chats.fget)

    def read_chats(self: Any) -> Any:
        factory = read(self)
        create = factory.create

        def create_recorded(*args: Any, **kwargs: Any) -> Any:
            chat = create(*args, **kwargs)
            for name in ("send_message", "send_message_stream"):
                setattr(chat, name, _record_chat(chat, getattr(chat, name), start_run))
            return chat

        factory.create = create_recorded
        return factory

    mark_wrapper(read_chats, read)
    original = kind.__mro__[1] if hasattr(chats.fget, "__plumbline__") else kind
    holder.__class__ = type(kind.__name__, (original,), {"chats": property(read_chats), "__module__": kind.__module__})


def _record_chat(chat: Any, method: Callable[..., Any], start_run: StartRun) -> Callable[..., Any]:
    """Records a call of a chat as a run if it calls functions. If not, the generation of its request is enough."""

    def record(message: Any, config: Any = None) -> Any:
        request = {"model": getattr(chat, "_model", None), "contents": message, "config": config or getattr(chat, "_config", None)}
        if not calls_functions(request):
            return method(message, config)
        run = start_run(request)
        return run.call(method, message, run.config)

    return _like(method, record)


def _like(method: Callable[..., Any], record: Callable[..., Any]) -> Callable[..., Any]:
    """Gives ``record`` the name of the method, and makes it a coroutine function if the method is one."""
    recorded = record
    if inspect.iscoroutinefunction(method):

        async def record_async(*args: Any, **kwargs: Any) -> Any:
            return await record(*args, **kwargs)

        recorded = record_async
    mark_wrapper(recorded, method)
    return recorded
