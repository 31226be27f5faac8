"""The fields of traces and of their steps, and the span attributes that carry them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Literal, Protocol, Union

from typing_extensions import TypedDict

from ._json import to_text

RecordingType = Literal["generation", "span", "function", "tool", "retrieval", "event"]


class IdentityFields(TypedDict, total=False):
    id: str
    name: str


class PromptReference(Protocol):
    """A reference to a prompt version, such as the result of ``plumbline.prompt``."""

    @property
    def slug(self) -> str: ...
    @property
    def version(self) -> str: ...
    @property
    def tag(self) -> str: ...


Identity = Union[str, IdentityFields]
"""An id, or an id and a name."""


class Fields(TypedDict, total=False):
    """The fields of a trace or of a step. Each can be set at the start, later, and at the end."""

    input: Any
    output: Any
    #: The expected output; used by some evaluators.
    ideal_output: Any
    #: Merged into the existing metadata, key by key.
    metadata: Mapping[str, Any]
    #: Marks the trace or step as failed.
    error: Any
    #: Slugs of the evaluators that judge it.
    evaluators: Sequence[str]
    start_time: datetime
    end_time: datetime

    # Of a call to a language model. If tokens or cost are absent, the service counts and prices them.
    model: str
    provider: str
    input_tokens: int
    output_tokens: int
    #: In US dollars.
    cost: float
    #: The usage as the provider reported it (cached tokens, reasoning tokens).
    usage: Any
    time_to_first_token_ms: float
    #: The prompt of the call: the result of ``plumbline.prompt``, a slug, or a mapping with ``slug``, ``version``, ``tag``.
    prompt: Union[PromptReference, Mapping[str, Any], str]
    #: The values of the prompt's variables, by label.
    variables: Mapping[str, Any]

    # Of the whole trace.
    user: Identity
    organization: Identity
    session_id: str
    tags: Sequence[str]
    environment: str
    release: str
    #: The slug of the trace's feature.
    feature: str
    #: The id of the trace's experiment.
    experiment: str
    #: The fraction of such traces to judge, from 0 to 1.
    sample_rate: float


class NamedFields(Fields, total=False):
    """The fields of a trace or of a step, with its name."""

    name: str


TEXT_FIELDS = {
    "input": "plumbline.input",
    "output": "plumbline.output",
    "ideal_output": "plumbline.ideal_output",
}

PLAIN_FIELDS = {
    "model": "plumbline.model",
    "provider": "plumbline.provider",
    "input_tokens": "plumbline.usage.input_tokens",
    "output_tokens": "plumbline.usage.output_tokens",
    "cost": "plumbline.cost",
    "time_to_first_token_ms": "plumbline.time_to_first_token_ms",
    "session_id": "plumbline.session",
    "environment": "plumbline.environment",
    "release": "plumbline.release",
    "feature": "plumbline.feature",
    "experiment": "plumbline.experiment",
    "sample_rate": "plumbline.sample_rate",
}

MASKED_NAMES = {"ideal_output": "idealOutput", "session_id": "sessionId"}
"""The names that the mask hook gets for fields that the interface names differently."""


def identity_of(value: object) -> dict[str, str]:
    """The id, and the name if there is one."""
    if isinstance(value, Mapping):
        return {key: to_text(value[key]) for key in ("id", "name") if value.get(key) is not None}
    return {"id": to_text(value)}


def prompt_attributes(prompt: object) -> dict[str, str]:
    if isinstance(prompt, str):
        return {"plumbline.prompt": prompt}
    attributes: dict[str, str] = {}
    for key, name in (("slug", "plumbline.prompt"), ("version", "plumbline.prompt.version"), ("tag", "plumbline.prompt.tag")):
        value = prompt.get(key) if isinstance(prompt, Mapping) else getattr(prompt, key, None)
        if value:
            attributes[name] = to_text(value)
    return attributes


def tokens_in(usage: Mapping[str, Any]) -> dict[str, int]:
    """Input and output tokens, by the field names of OpenAI, Anthropic, Gemini, Bedrock and LangChain."""
    found: dict[str, int] = {}
    for field, names in (
        ("input_tokens", ("input_tokens", "prompt_tokens", "inputTokens", "promptTokenCount", "prompt_token_count")),
        ("output_tokens", ("output_tokens", "completion_tokens", "outputTokens", "candidatesTokenCount", "candidates_token_count")),
    ):
        value = next((usage[name] for name in names if isinstance(usage.get(name), int)), None)
        if value is not None:
            found[field] = value
    return found
