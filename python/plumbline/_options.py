"""The options of a client; each has a default that suits a server application."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass

from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from typing_extensions import TypedDict, Unpack

from ._mask import Mask

KeepSpan = Callable[[ReadableSpan], bool]


class ClientOptions(TypedDict, total=False):
    #: Address of the service; ``PLUMBLINE_URL``, else ``http://localhost:4747``.
    url: str | None
    #: An API key: ``pl_…``; ``PLUMBLINE_API_KEY``.
    api_key: str | None
    #: ``False`` records nothing; so does ``PLUMBLINE_ENABLED=false``.
    enabled: bool | None
    #: The default feature of traces; ``PLUMBLINE_FEATURE``.
    feature: str | None
    #: The default environment of traces; ``PLUMBLINE_ENVIRONMENT``.
    environment: str | None
    #: The default release of traces; ``PLUMBLINE_RELEASE``.
    release: str | None
    #: Gets every recorded value, and returns the value to send, before anything leaves the process.
    mask: Mask | None
    #: Gets dropped records, and the first failure of an outage; by default prints to standard error, at most twice a minute.
    on_error: Callable[[Exception], None] | None
    #: The timeout of a request, in seconds; 30.
    timeout: float
    #: How long a prompt counts as fresh, in seconds; 60.
    prompt_ttl: float
    #: The most spans and scores to buffer while the service is unavailable; 50,000.
    records_max: int
    #: Their approximate size limit in bytes; 64 MiB.
    bytes_max: int
    #: How long spans are collected before they are sent, in seconds; 0.1.
    batch_delay: float
    #: After how many seconds a running trace is sent; 1.
    running_delay: float
    #: The first pause after a failure, in seconds, which doubles with each further failure; 0.5.
    pause_min: float
    #: The longest pause, in seconds; 30.
    pause_max: float
    #: The OpenTelemetry provider to join; by default the global one, which is created if there is none.
    tracer_provider: TracerProvider | None
    #: Returns whether to send a span, of any instrumentation.
    keep_span: KeepSpan | None


_OFF = ("false", "0", "no", "off")


@dataclass(frozen=True)
class Settings:
    """The effective options: arguments, else the environment, else defaults."""

    url: str
    api_key: str
    enabled: bool
    defaults: dict[str, str]
    mask: Mask | None
    on_error: Callable[[Exception], None] | None
    timeout: float
    prompt_ttl: float
    records_max: int
    bytes_max: int
    batch_delay: float
    running_delay: float
    pause_min: float
    pause_max: float
    tracer_provider: TracerProvider | None
    keep_span: KeepSpan | None


def read_settings(**options: Unpack[ClientOptions]) -> Settings:
    """Raises ``TypeError`` for an unknown option, and ``ValueError`` for a missing or invalid key."""
    unknown = set(options) - set(ClientOptions.__annotations__)
    if unknown:
        raise TypeError(f"There is no option {sorted(unknown)[0]!r}; there are {', '.join(ClientOptions.__annotations__)}.")
    enabled = options.get("enabled")
    if enabled is None:
        enabled = os.environ.get("PLUMBLINE_ENABLED", "").strip().lower() not in _OFF
    # Files with secrets often end with a line break.
    api_key = (options.get("api_key") or os.environ.get("PLUMBLINE_API_KEY", "")).strip()
    # A header allows only visible ASCII, so the `pl_…` of an example is invalid.
    if enabled and not (api_key and all("!" <= character <= "~" for character in api_key)):
        raise ValueError("api_key must be an API key: pl_ and letters and digits, as an argument or as PLUMBLINE_API_KEY.")
    defaults = {
        "feature": options.get("feature") or os.environ.get("PLUMBLINE_FEATURE"),
        "environment": options.get("environment") or os.environ.get("PLUMBLINE_ENVIRONMENT"),
        "release": options.get("release") or os.environ.get("PLUMBLINE_RELEASE"),
    }
    return Settings(
        url=(options.get("url") or os.environ.get("PLUMBLINE_URL") or "http://localhost:4747").rstrip("/"),
        api_key=api_key,
        enabled=enabled,
        defaults={name: value for name, value in defaults.items() if value},
        mask=options.get("mask"),
        on_error=options.get("on_error"),
        timeout=options.get("timeout", 30.0),
        prompt_ttl=options.get("prompt_ttl", 60.0),
        records_max=options.get("records_max", 50_000),
        bytes_max=options.get("bytes_max", 64 * 2**20),
        batch_delay=options.get("batch_delay", 0.1),
        running_delay=options.get("running_delay", 1.0),
        pause_min=options.get("pause_min", 0.5),
        pause_max=options.get("pause_max", 30.0),
        tracer_provider=options.get("tracer_provider"),
        keep_span=options.get("keep_span"),
    )
