"""``@observe``: records the calls of a function, a coroutine, or a generator of either kind."""

from __future__ import annotations

import functools
import inspect
from collections.abc import AsyncGenerator, Callable, Generator, Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast

from opentelemetry import context as otel_context

from ._fields import RecordingType
from ._recording import Recording

if TYPE_CHECKING:
    from ._client import Client

Function = TypeVar("Function", bound=Callable[..., Any])
_ITEMS_MAX = 10_000


def observe_function(
    get_client: Callable[[], Client],
    function: Function,
    *,
    name: str | None,
    type: RecordingType,
    capture_input: bool,
    capture_output: bool,
    fields: Mapping[str, Any],
) -> Function:
    if isinstance(function, (classmethod, staticmethod)):
        # ``@observe`` above them: wrap the inner function, and keep the descriptor.
        inner = observe_function(
            get_client,
            function.__func__,
            name=name,
            type=type,
            capture_input=capture_input,
            capture_output=capture_output,
            fields=fields,
        )
        return cast(Function, function.__class__(inner))
    own_name = name or getattr(function, "__qualname__", repr(function)).replace("<locals>.", "")
    read_input = _make_input_reader(function) if capture_input else None

    def begin(args: tuple[Any, ...], kwargs: dict[str, Any]) -> Recording:
        values = dict(fields)
        if read_input is not None:
            values.setdefault("input", read_input(args, kwargs))
        return get_client().start(own_name, type, values, None)

    def end(recording: Recording, output: object) -> None:
        if capture_output and not recording.has_output:
            recording.end(output=output)
        else:
            recording.end()

    wrapper: Any
    if inspect.iscoroutinefunction(function):

        @functools.wraps(function)
        async def observed_coroutine(*args: Any, **kwargs: Any) -> Any:
            recording = begin(args, kwargs)
            with recording:
                output = await function(*args, **kwargs)
                end(recording, output)
                return output

        wrapper = observed_coroutine
    elif inspect.isgeneratorfunction(function):

        @functools.wraps(function)
        def observed_generator(*args: Any, **kwargs: Any) -> Any:
            # It is nested where it is called, not where it is read.
            return _watch(begin(args, kwargs), function(*args, **kwargs), end)

        wrapper = observed_generator
    elif inspect.isasyncgenfunction(function):

        @functools.wraps(function)
        def observed_async_generator(*args: Any, **kwargs: Any) -> Any:
            return _watch_async(begin(args, kwargs), function(*args, **kwargs), end)

        wrapper = observed_async_generator
    else:

        @functools.wraps(function)
        def observed(*args: Any, **kwargs: Any) -> Any:
            recording = begin(args, kwargs)
            with recording:
                output = function(*args, **kwargs)
                end(recording, output)
                return output

        wrapper = observed
    return cast(Function, wrapper)


def _make_input_reader(function: Callable[..., Any]) -> Callable[[tuple[Any, ...], dict[str, Any]], Any]:
    """Returns a function that reads the arguments by name, without ``self`` or ``cls``."""
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return lambda args, kwargs: {"args": list(args), **kwargs}
    first = next(iter(signature.parameters), None)

    def read(args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        try:
            arguments = dict(signature.bind(*args, **kwargs).arguments)
        except TypeError:
            # The call itself will raise the error.
            return {"args": list(args), **kwargs}
        if first in ("self", "cls"):
            arguments.pop(first, None)
        return arguments or None

    return read


class _Collected:
    """The items of a generator as one value: their concatenation if all are texts."""

    def __init__(self) -> None:
        self._items: list[Any] = []

    def add(self, item: object) -> None:
        if len(self._items) < _ITEMS_MAX:
            self._items.append(item)

    def output(self) -> Any:
        if self._items and all(isinstance(item, str) for item in self._items):
            return "".join(self._items)
        return self._items or None


_End = Callable[[Recording, object], None]


def _watch(recording: Recording, generator: Generator[Any, Any, Any], end: _End) -> Generator[Any, Any, Any]:
    collected = _Collected()
    resume: Callable[[], Any] = lambda: next(generator)
    while True:
        try:
            with recording.as_current():
                item = resume()
        except StopIteration as stop:
            end(recording, collected.output() if stop.value is None else stop.value)
            return stop.value
        except BaseException as error:
            recording.end(error=error)
            raise
        collected.add(item)
        try:
            value = yield item
            resume = functools.partial(generator.send, value)
        except GeneratorExit:
            with recording.as_current():
                generator.close()
            end(recording, collected.output())
            raise
        except BaseException as error:
            resume = functools.partial(generator.throw, error)


async def _watch_async(recording: Recording, generator: AsyncGenerator[Any, Any], end: _End) -> AsyncGenerator[Any, Any]:
    collected = _Collected()
    resume: Callable[[], Any] = generator.__anext__
    while True:
        try:
            with recording.as_current():
                item = await resume()
        except StopAsyncIteration:
            end(recording, collected.output())
            return
        except BaseException as error:
            recording.end(error=error)
            raise
        collected.add(item)
        try:
            value = yield item
            resume = functools.partial(generator.asend, value)
        except GeneratorExit:
            with recording.as_current():
                await generator.aclose()
            end(recording, collected.output())
            raise
        except BaseException as error:
            resume = functools.partial(generator.athrow, error)


def detached() -> Any:
    """An empty context: a recording that starts in it is a trace of its own."""
    return otel_context.Context()
