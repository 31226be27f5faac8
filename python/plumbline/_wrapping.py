"""Shared by the wrappers of model clients. A wrapped client is used exactly like the original, and its answers are passed on
unchanged. Requests and answers of an unexpected form are not recorded, and never an error.
"""

from __future__ import annotations

import functools
import inspect
import time
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Generator, Iterator, Mapping
from typing import Any, Protocol, TypeVar

from ._client import Client
from ._recording import Recording

Wrapped = TypeVar("Wrapped")
Values = dict[str, Any]


class Assembly(Protocol):
    """Assembles a streamed answer, part by part."""

    def add(self, part: Any) -> bool:
        """Returns whether the part has output of the model; the first such part ends the time to the first token."""
        ...

    def fields(self) -> Values: ...


class Call:
    """How to read the requests and answers of one method of a client."""

    def __init__(
        self,
        read_request: Callable[[Mapping[str, Any]], Values],
        read_answer: Callable[[Any], Values],
        assemble: Callable[[], Assembly],
        hidden_scope: str | None = None,
    ) -> None:
        self.read_request = read_request
        self.read_answer = read_answer
        self.assemble = assemble
        #: The instrumentation scope of the spans with which the client records its calls itself.
        self.hidden_scope = hidden_scope


def wrap_methods(
    target: Wrapped, calls: Mapping[str, Call], get_client: Callable[[], Client], parent: Recording | None, fields: Values
) -> Wrapped:
    """Records the calls of a client's methods, named by paths such as ``chat.completions.create``."""
    for path, call in calls.items():
        *holders, name = path.split(".")
        holder: Any = target
        for each in holders:
            holder = getattr(holder, each, None)
        method = getattr(holder, name, None)
        if callable(method):
            # A client that is wrapped again gets the latest fields, and still records each call once.
            setattr(holder, name, record_method(unwrapped(method), call, get_client, parent, fields))
    for name in ("copy", "with_options"):
        copy = getattr(target, name, None)
        if callable(copy):
            setattr(target, name, _wrap_copies(unwrapped(copy), calls, get_client, parent, fields))
    return target


def mark_wrapper(wrapper: Callable[..., Any], method: Any) -> None:
    """Gives the wrapper of a method its name, and marks it for ``unwrapped``."""
    functools.update_wrapper(wrapper, method)
    setattr(wrapper, "__plumbline__", True)


def unwrapped(method: Any) -> Any:
    return method.__wrapped__ if hasattr(method, "__plumbline__") else method


def _wrap_copies(
    copy: Callable[..., Any], calls: Mapping[str, Call], get_client: Callable[[], Client], parent: Recording | None, fields: Values
) -> Callable[..., Any]:
    def wrapped(*args: Any, **kwargs: Any) -> Any:
        return wrap_methods(copy(*args, **kwargs), calls, get_client, parent, fields)

    mark_wrapper(wrapped, copy)
    return wrapped


def record_method(
    method: Callable[..., Any], call: Call, get_client: Callable[[], Client], parent: Recording | None, fields: Values
) -> Callable[..., Any]:
    def record(*args: Any, **kwargs: Any) -> Any:
        request = leniently(lambda: call.read_request(kwargs), {})
        values: Values = {**request, **fields, "metadata": {**request.get("metadata", {}), **fields.get("metadata", {})}}
        name = values.pop("name", None)
        recording = get_client().start(name, "generation", values, parent)
        recording.hidden_scope = call.hidden_scope
        answer = _Answer(recording, call)
        try:
            with recording.as_current():
                result = method(*args, **kwargs)
        except BaseException as error:
            recording.end(error=error)
            raise
        return _settle_later(answer, result) if inspect.isawaitable(result) else answer.settle(result)

    recorded: Callable[..., Any] = record
    if inspect.iscoroutinefunction(method):
        # Libraries that retry or trace calls check whether a function is a coroutine function.
        async def record_async(*args: Any, **kwargs: Any) -> Any:
            return await record(*args, **kwargs)

        recorded = record_async
    mark_wrapper(recorded, method)
    return recorded


async def _settle_later(answer: _Answer, result: Awaitable[Any]) -> Any:
    try:
        with answer.recording.as_current():
            value = await result
    except BaseException as error:
        answer.recording.end(error=error)
        raise
    return answer.settle(value)


def leniently(read: Callable[[], Values], fallback: Values) -> Values:
    try:
        return read()
    except Exception:
        return fallback


class _Answer:
    """The answer of one call, complete or streamed; ends the recording once."""

    def __init__(self, recording: Recording, call: Call) -> None:
        self.recording = recording
        self._call = call
        self._assembly = call.assemble()
        self._started = time.monotonic()
        self._has_item = False

    def settle(self, value: Any) -> Any:
        kind = type(value)
        if hasattr(kind, "__iter__") and hasattr(kind, "__next__") and hasattr(value, "response"):
            return _StreamProxy(value, self)
        if hasattr(kind, "__aiter__") and hasattr(kind, "__anext__") and hasattr(value, "response"):
            return _StreamProxy(value, self)
        if inspect.isgenerator(value):
            return self._watch(value)
        if inspect.isasyncgen(value):
            return self._watch_async(value)
        if kind.__name__.endswith("StreamManager"):
            return _ManagerProxy(value, self)
        if kind.__name__ == "LegacyAPIResponse":
            return self._settle_raw(value)
        if kind.__name__ in ("APIResponse", "AsyncAPIResponse"):
            return self._settle_unread(value)
        self.recording.end(**leniently(lambda: self._call.read_answer(value), {}))
        return value

    def _watch(self, parts: Iterator[Any]) -> Generator[Any, None, None]:
        try:
            for part in parts:
                self.item(part)
                yield part
        except BaseException as error:
            self.ended(error)
            raise
        self.ended()

    async def _watch_async(self, parts: AsyncIterator[Any]) -> AsyncGenerator[Any, None]:
        try:
            async for part in parts:
                self.item(part)
                yield part
        except BaseException as error:
            self.ended(error)
            raise
        self.ended()

    def _settle_raw(self, value: Any) -> Any:
        """The answer of ``with_raw_response``, whose body has arrived: the caller gets the recorded stream from ``parse``."""
        try:
            parsed = value.parse()
        except Exception:
            parsed = None
        settled = self.settle(parsed)
        if settled is not parsed:
            value.parse = lambda **_: settled
        return value

    def _settle_unread(self, value: Any) -> Any:
        """The answer of ``with_streaming_response``, which the caller reads: recorded when it is parsed, ended when it is closed."""
        parse, close = value.parse, value.close
        settled: list[Any] = []

        def record(parsed: Any) -> Any:
            settled.append(self.settle(parsed))
            return settled[-1]

        def finish() -> None:
            for stream in settled:
                if isinstance(stream, _StreamProxy):
                    stream.finish()
            self.recording.end()

        if inspect.iscoroutinefunction(parse):

            async def parse_async(*args: Any, **kwargs: Any) -> Any:
                return settled[-1] if settled and not kwargs else record(await parse(*args, **kwargs))

            async def close_async() -> Any:
                finish()
                return await close()

            value.parse, value.close = parse_async, close_async
        else:
            value.parse = lambda *args, **kwargs: settled[-1] if settled and not kwargs else record(parse(*args, **kwargs))

            def close_now() -> Any:
                finish()
                return close()

            value.close = close_now
        return value

    def begun(self) -> None:
        """The first output of the model has arrived."""
        if not self._has_item:
            self._has_item = True
            self.recording.update(time_to_first_token_ms=(time.monotonic() - self._started) * 1000)

    def item(self, item: Any) -> None:
        try:
            has_content = self._assembly.add(item)
        except Exception:
            # A part of an unknown form.
            has_content = False
        if has_content:
            self.begun()

    def ended(self, error: BaseException | None = None, snapshot: Any = None) -> None:
        fields = leniently(lambda: self._call.read_answer(snapshot), {}) if snapshot is not None else {}
        fields = fields or leniently(self._assembly.fields, {})
        if error is not None and not isinstance(error, GeneratorExit):
            fields["error"] = error
        self.recording.end(**fields)


class _Proxy:
    """Stands in for an object of a client, also for ``isinstance``."""

    def __init__(self, target: Any, answer: _Answer) -> None:
        self._target = target
        self._answer = answer

    @property
    def __class__(self) -> Any:
        return type(self._target)

    @__class__.setter
    def __class__(self, value: Any) -> None:
        raise TypeError("the class of a stream cannot be set")

    def __getattr__(self, name: str) -> Any:
        return getattr(self._target, name)


class _StreamProxy(_Proxy):
    """A stream whose parts are watched as they are read."""

    @property
    def text_stream(self) -> Any:
        """Anthropic's text stream, which reads the stream itself."""
        texts = self._target.text_stream
        return self._watch_async(texts) if hasattr(texts, "__aiter__") else self._watch(texts)

    def _watch(self, texts: Iterator[str]) -> Iterator[str]:
        for text in texts:
            self._answer.begun()
            yield text

    async def _watch_async(self, texts: AsyncIterator[str]) -> AsyncIterator[str]:
        async for text in texts:
            self._answer.begun()
            yield text

    def __next__(self) -> Any:
        try:
            item = next(self._target)
        except StopIteration:
            self.finish()
            raise
        except BaseException as error:
            self.finish(error)
            raise
        self._answer.item(item)
        return item

    def __iter__(self) -> Iterator[Any]:
        try:
            for item in self._target:
                self._answer.item(item)
                yield item
        except BaseException as error:
            self.finish(error)
            raise
        self.finish()

    async def __anext__(self) -> Any:
        try:
            item = await self._target.__anext__()
        except StopAsyncIteration:
            self.finish()
            raise
        except BaseException as error:
            self.finish(error)
            raise
        self._answer.item(item)
        return item

    async def __aiter__(self) -> Any:
        try:
            async for item in self._target:
                self._answer.item(item)
                yield item
        except BaseException as error:
            self.finish(error)
            raise
        self.finish()

    def __enter__(self) -> Any:
        self._target.__enter__()
        return self

    def __exit__(self, *error: Any) -> Any:
        try:
            return self._target.__exit__(*error)
        finally:
            self.finish(error[1])

    async def __aenter__(self) -> Any:
        await self._target.__aenter__()
        return self

    async def __aexit__(self, *error: Any) -> Any:
        try:
            return await self._target.__aexit__(*error)
        finally:
            self.finish(error[1])

    def close(self) -> Any:
        self.finish()
        return self._target.close()

    def finish(self, error: BaseException | None = None) -> None:
        self._answer.ended(error, _snapshot_of(self._target))


class _ManagerProxy(_Proxy):
    """The context manager of ``stream()``, whose stream assembles the answer itself."""

    def __enter__(self) -> Any:
        try:
            with self._answer.recording.as_current():
                stream = self._target.__enter__()
        except BaseException as error:
            self._answer.ended(error)
            raise
        self._stream = _StreamProxy(stream, self._answer)
        return self._stream

    def __exit__(self, *error: Any) -> Any:
        try:
            return self._target.__exit__(*error)
        finally:
            self._stream.finish(error[1])

    async def __aenter__(self) -> Any:
        try:
            with self._answer.recording.as_current():
                stream = await self._target.__aenter__()
        except BaseException as error:
            self._answer.ended(error)
            raise
        self._stream = _StreamProxy(stream, self._answer)
        return self._stream

    async def __aexit__(self, *error: Any) -> Any:
        try:
            return await self._target.__aexit__(*error)
        finally:
            self._stream.finish(error[1])


def _snapshot_of(stream: Any) -> Any:
    for name in ("current_message_snapshot", "current_completion_snapshot"):
        if hasattr(type(stream), name):
            try:
                return getattr(stream, name)
            except Exception:
                # Nothing has arrived yet.
                return None
    return None


def plain(request: Mapping[str, Any], *names: str) -> Values:
    """The parameters of a request, without those that have a field of their own, and without omitted ones."""
    ignored = {*names, "extra_headers", "extra_query", "extra_body", "timeout"}
    return {name: value for name, value in request.items() if name not in ignored and _is_given(value)}


def _is_given(value: Any) -> bool:
    return type(value).__name__ not in ("NotGiven", "Omit")
