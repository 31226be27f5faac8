"""Prompts from memory. A prompt is fetched once. After its time to live it is still served, while a background request
checks whether it has changed. So an application keeps running while the service is unavailable, and a new version arrives
within the time to live. The candidate of a rollout is cached as a prompt of its own.
"""

from __future__ import annotations

import hashlib
import json
import threading
import time
import urllib.parse
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Union

from ._errors import PlumblineError
from ._http import Transport, to_request_failed
from ._render import Message, render

if TYPE_CHECKING:
    from .operations import PromptMessage

_PROMPTS_MAX = 1_000
_RETRY = 5.0
"""After a failed refresh the next one waits for at least this many seconds."""
_REFRESH_WAIT = 1.0
"""How long the refresh may delay a stale candidate, which may have been rolled back, in seconds."""


@dataclass(frozen=True)
class Prompt:
    """A version of a prompt, with the variables to render it with."""

    slug: str
    text: str
    system_text: str = ""
    version: str = ""
    tag: str = ""
    #: As in the service: ``provider``, ``model``, ``parameters`` …
    model: Mapping[str, Any] = field(default_factory=dict)
    #: The templates of the messages, if the prompt consists of messages instead of texts.
    message_templates: Sequence[PromptMessage] | None = None
    #: Settings of the application, unchanged.
    config: Mapping[str, Any] = field(default_factory=dict)
    #: Set if another version is served than the requested one.
    warning: str | None = None
    #: Whether this is the ``fallback``, since the prompt could not be fetched.
    is_fallback: bool = False
    #: The variables that ``messages`` renders with.
    variables: Mapping[str, Any] = field(default_factory=dict)

    @property
    def messages(self) -> list[Message]:
        """The messages of the prompt; else its system message, if it has one, and its user message. Raises ``TemplateFailed``."""
        return self.render(self.variables)

    def render(self, variables: Mapping[str, Any]) -> list[Message]:
        """The messages, rendered with other variables."""
        return render(self.text, self.system_text, variables, self.message_templates)


Fallback = Union[str, Mapping[str, Any], Prompt]
"""A text, the fields of a prompt (``text``, ``system_text``, ``message_templates`` …), or a prompt."""


@dataclass
class _Entry:
    served: dict[str, Any]
    etag: str | None
    stale_at: float


class _Fetch:
    def __init__(self) -> None:
        self.done = threading.Event()
        self.served: dict[str, Any] | None = None
        self.error: Exception | None = None

    def result(self) -> dict[str, Any]:
        self.done.wait()
        if self.served is None:
            raise self.error or PlumblineError("The prompt could not be fetched.")
        return self.served


class PromptCache:
    def __init__(self, transport: Transport, ttl: float, on_error: Callable[[Exception], None]) -> None:
        self._transport = transport
        self._ttl = ttl
        self._on_error = on_error
        self.reset_after_fork()
        self._entries: OrderedDict[str, _Entry] = OrderedDict()
        # When to retry prompts that could not be fetched so far.
        self._retries: OrderedDict[str, float] = OrderedDict()

    def reset_after_fork(self) -> None:
        """Keeps the cache, and forgets fetches: their threads exist only in the parent."""
        self._lock = threading.Lock()
        self._fetches: dict[str, _Fetch] = {}

    def get(
        self,
        slug: str,
        variables: Mapping[str, Any],
        *,
        version: str | None,
        tag: str | None,
        targeting_key: str | None,
        fallback: Fallback | None,
    ) -> Prompt:
        """Raises only if this prompt was never fetched before, cannot be now, and has no fallback."""
        selector = {"version": version, "tag": tag}
        if fallback is not None and self._is_away(_address_of(slug, selector)):
            return _from_fallback(slug, fallback, variables)
        try:
            served = self._get(slug, selector, targeting_key)
        except Exception as error:
            if fallback is None:
                raise
            self._on_error(error)
            return _from_fallback(slug, fallback, variables)
        prompt: dict[str, Any] = served["prompt"]
        return Prompt(
            slug=prompt["slug"],
            text=prompt["text"],
            system_text=prompt["systemText"],
            version=prompt["version"],
            tag=prompt["tag"],
            model=prompt["model"],
            message_templates=prompt.get("messages"),
            config=prompt.get("config", {}),
            warning=served.get("warning"),
            variables=dict(variables),
        )

    def _is_away(self, address: str) -> bool:
        """Whether a prompt could not be fetched so far. Only the first call waits; later ones fetch it in the background."""
        with self._lock:
            retry_at = self._retries.get(address)
            if retry_at is None:
                return False
            if address in self._fetches or time.monotonic() < retry_at:
                return True
            fetch = self._fetches[address] = _Fetch()
        self._fetch_in_background(address, None, fetch)
        return True

    def is_in_memory(self, slug: str, version: str | None, tag: str | None) -> bool:
        with self._lock:
            return _address_of(slug, {"version": version, "tag": tag}) in self._entries

    def _get(self, slug: str, selector: Mapping[str, str | None], targeting_key: str | None) -> dict[str, Any]:
        served = self._serve(slug, selector, bool(targeting_key))
        rollout = served.get("rollout")
        if not targeting_key or rollout is None or not is_in_share(rollout["id"], rollout["share"], targeting_key):
            return served
        try:
            candidate = self._serve(slug, {"version": rollout["candidateVersion"]}, False)
            # As the service does: with the requested tag, and the candidate's version for traces.
            return {**served, "prompt": {**candidate["prompt"], "tag": served["prompt"]["tag"]}}
        except Exception as error:
            # The version with the tag is available, and the caller must get a prompt.
            self._on_error(error)
            return served

    def _serve(self, slug: str, selector: Mapping[str, str | None], is_targeted: bool) -> dict[str, Any]:
        address = _address_of(slug, selector)
        with self._lock:
            entry = self._entries.get(address)
            if entry is not None:
                self._entries.move_to_end(address)
            if entry is not None and time.monotonic() < entry.stale_at:
                return entry.served
            fetch, is_new = self._fetches.get(address), False
            if fetch is None:
                fetch, is_new = _Fetch(), True
                self._fetches[address] = fetch
        if entry is None:
            if is_new:
                self._fetch(address, None, fetch)
            return fetch.result()
        if is_new:
            self._fetch_in_background(address, entry, fetch)
        if is_targeted and entry.served.get("rollout") is not None:
            # The rollout may have ended since the last refresh. Concurrent calls do not wait.
            entry.stale_at = time.monotonic() + _RETRY
            if fetch.done.wait(_REFRESH_WAIT) and fetch.served is not None:
                return fetch.served
        return entry.served

    def _fetch_in_background(self, address: str, entry: _Entry | None, fetch: _Fetch) -> None:
        try:
            threading.Thread(target=self._fetch, args=(address, entry, fetch), daemon=True).start()
        except RuntimeError:
            # No thread can start while the interpreter shuts down: keep the cached prompt.
            with self._lock:
                self._fetches.pop(address, None)
            fetch.done.set()

    def _fetch(self, address: str, entry: _Entry | None, fetch: _Fetch) -> None:
        try:
            fetch.served = self._ask(address, entry)
        except Exception as error:
            fetch.error = error
            if entry is not None:
                entry.stale_at = time.monotonic() + max(_RETRY, self._ttl)
                self._on_error(error)
            else:
                with self._lock:
                    self._retries[address] = time.monotonic() + _RETRY
                    if len(self._retries) > _PROMPTS_MAX:
                        self._retries.popitem(last=False)
        finally:
            with self._lock:
                self._fetches.pop(address, None)
            fetch.done.set()

    def _ask(self, address: str, entry: _Entry | None) -> dict[str, Any]:
        headers = {"if-none-match": entry.etag} if entry is not None and entry.etag else {}
        response = self._transport.request("GET", address, headers=headers)
        if response.status >= 400:
            raise to_request_failed(response)
        stale_at = time.monotonic() + self._ttl
        if response.status == 304 and entry is not None:
            entry.stale_at = stale_at
            return entry.served
        served: dict[str, Any] = json.loads(response.body)
        with self._lock:
            self._entries[address] = _Entry(served, response.headers.get("etag"), stale_at)
            self._entries.move_to_end(address)
            self._retries.pop(address, None)
            if len(self._entries) > _PROMPTS_MAX:
                self._entries.popitem(last=False)
        return served


def _address_of(slug: str, selector: Mapping[str, str | None]) -> str:
    query = urllib.parse.urlencode({name: value for name, value in selector.items() if value is not None})
    return f"/prompts/{urllib.parse.quote(slug, safe='')}{'?' if query else ''}{query}"


def _from_fallback(slug: str, fallback: Fallback, variables: Mapping[str, Any]) -> Prompt:
    if isinstance(fallback, Prompt):
        return replace(fallback, is_fallback=True, variables=dict(variables))
    fields: Mapping[str, Any] = {"text": fallback} if isinstance(fallback, str) else fallback
    return Prompt(
        slug=slug,
        text=str(fields.get("text", "")),
        system_text=str(fields.get("system_text", "")),
        model=fields.get("model", {}),
        message_templates=fields.get("message_templates"),
        config=fields.get("config", {}),
        is_fallback=True,
        variables=dict(variables),
    )


def draw(rollout_id: str, targeting_key: str) -> float:
    """The sample of a key in a rollout, uniform in [0, 1), as the service and the other clients compute it."""
    fraction = 0.0
    for byte in reversed(hashlib.sha256(f"{rollout_id}:{targeting_key}".encode()).digest()[:6]):
        fraction = (fraction + byte) / 256
    return fraction


def is_in_share(rollout_id: str, share: float, targeting_key: str) -> bool:
    """Whether a key gets the candidate."""
    return share > 0 and (share >= 1 or draw(rollout_id, targeting_key) < share)
