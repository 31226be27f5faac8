"""How values of applications are recorded."""

from __future__ import annotations

import json
import os
import sys
import time
from collections import OrderedDict, namedtuple
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, NamedTuple
from unittest.mock import MagicMock

import attrs
import httpx
import pandas
import plumbline
import pydantic
import pytest
from anthropic.types import ToolUseBlock
from plumbline._json import TooLarge, jsonable, to_json

from .conftest import read_trace

Pair = namedtuple("Pair", "left right")


@attrs.define
class Place:
    city: str
    near: list[Place] = attrs.Factory(list)


def test_objects_with_fields_are_recorded_field_by_field() -> None:
    place = Place("Lyon", [Place("Givors")])
    assert jsonable(place) == {"city": "Lyon", "near": [{"city": "Givors", "near": []}]}
    assert jsonable([Pair(1, Place("Lyon"))]) == [{"left": 1, "right": {"city": "Lyon", "near": []}}]
    assert jsonable(OrderedDict(a=1).values()) == [1]
    frame = pandas.DataFrame({"a": [1.5], "b": ["x"]})
    assert jsonable({"frame": frame, "cell": frame["a"].iloc[0]}) == {"frame": [{"a": 1.5, "b": "x"}], "cell": 1.5}


@pytest.mark.skipif(sys.version_info >= (3, 14), reason="pydantic's first version ends with Python 3.13")
def test_models_of_the_first_version_of_pydantic_are_recorded_field_by_field() -> None:
    from pydantic import v1

    inner: Any = v1.create_model("Inner", word=(str, ...))
    outer: Any = v1.create_model("Outer", inner=(inner, ...), key=(v1.SecretStr, ...))
    assert jsonable(outer(inner=inner(word="x"), key="secret")) == {"inner": {"word": "x"}, "key": "**********"}


def test_an_error_is_recorded_with_its_cause_and_with_the_errors_that_it_gathers() -> None:
    error = ValueError("no answer")
    error.__cause__ = KeyError("city")
    caused = {"name": "ValueError", "message": "no answer", "cause": {"name": "KeyError", "message": "'city'"}}
    assert jsonable(error) == caused

    class Group(Exception):
        exceptions = (error,)

    group: Any = Group("failed") if sys.version_info < (3, 11) else ExceptionGroup("failed", [error])  # noqa: F821
    assert jsonable(group)["errors"] == [caused]


def test_a_mock_of_a_test_takes_note_of_nothing(client: plumbline.Client) -> None:
    mock = MagicMock()

    @client.observe
    def ask(model: Any) -> Any:
        return model.chat("Where?")

    ask(mock)
    assert [name for name, _, _ in mock.mock_calls] == ["chat"]


@dataclass
class Vault:
    region: str = "eu"
    api_key: str = "sk-secret"
    has_token: bool = True
    token: str | None = None
    options: dict[str, Any] = field(default_factory=lambda: {"headers": {"Authorization": "Bearer secret", "accept": "*/*"}})
    logprobs: list[dict[str, Any]] = field(default_factory=lambda: [{"token": "Ly", "logprob": -0.1, "apiKey": "sk-secret"}])
    database: str = "postgres://app:secret@localhost/app"


SHOWN_VAULT = {
    "region": "eu",
    "api_key": "[left out]",
    "has_token": True,
    "token": None,
    "options": {"headers": {"Authorization": "[left out]", "accept": "*/*"}},
    "logprobs": [{"token": "Ly", "logprob": -0.1, "apiKey": "[left out]"}],
    "database": "postgres://app:[left out]@localhost/app",
}


def test_what_an_instance_of_a_class_holds_as_a_credential_is_left_out() -> None:
    assert jsonable({"vaults": [Vault()]}) == {"vaults": [SHOWN_VAULT]}

    class Provider(pydantic.BaseModel):
        name: str = "openai"
        api_key: str = "sk-secret"
        password: pydantic.SecretStr = pydantic.SecretStr("secret")

    class Settings(pydantic.BaseModel):
        providers: list[Provider] = [Provider()]

    hidden = {"name": "openai", "api_key": "[left out]", "password": "[left out]"}
    assert jsonable(Settings()) == {"providers": [hidden]}

    class Account(NamedTuple):
        user: str
        password: str

    assert jsonable(Account("ada", "secret")) == {"user": "ada", "password": "[left out]"}
    assert jsonable(attrs.make_class("Account", ["access_token"])("secret")) == {"access_token": "[left out]"}


def test_headers_and_the_environment_are_recorded_without_credentials(monkeypatch: pytest.MonkeyPatch) -> None:
    headers = {"authorization": "Bearer secret", "x-api-key": "secret", "accept": "*/*"}
    shown = {"authorization": "[left out]", "x-api-key": "[left out]", "accept": "*/*"}
    assert jsonable(httpx.Headers(headers)) == shown
    monkeypatch.setenv("ACME_API_KEY", "sk-secret")
    assert jsonable(os.environ)["ACME_API_KEY"] == "[left out]"


def test_dictionaries_and_answers_of_models_are_the_data_of_the_caller() -> None:
    data: dict[str, Any] = {"api_key": "sk-example", "list": [{"password": "p"}], "url": "https://ada:p@localhost/"}
    assert jsonable([Vault(), data]) == [SHOWN_VAULT, data]
    block = ToolUseBlock(id="t1", name="sign_in", input={"password": "p"}, type="tool_use")
    assert jsonable(block)["input"] == {"password": "p"}


class Request(dict[str, Any]):
    """Like Starlette's: a mapping of everything in the ASGI scope."""

    method = "GET"
    url = "http://localhost/chat"
    headers = {"cookie": "secret"}


def test_a_request_that_is_a_mapping_is_recorded_as_what_was_requested() -> None:
    assert jsonable({"request": Request(app="the whole application")}) == {"request": "<Request: GET http://localhost/chat>"}


class Endless(Sequence[Any]):
    """A sequence too long to read; counts its items that were read."""

    def __init__(self, make: Callable[[], Any]) -> None:
        self.count = 0
        self._make = make

    def __len__(self) -> int:
        return sys.maxsize

    def __getitem__(self, index: Any) -> Any:
        self.count += 1
        return self._make()

    def __iter__(self) -> Iterator[Any]:
        while True:
            yield self[0]


@pytest.mark.parametrize("make", [lambda: 0, lambda: None, lambda: True, lambda: 1 / 3, list, dict, lambda: ""])
def test_small_values_without_number_are_read_no_further_than_it_is_sure(make: Callable[[], Any]) -> None:
    values = Endless(make)
    with pytest.raises(TooLarge):
        to_json(values, 10_000)
    assert values.count < 10_000
    with pytest.raises(TooLarge):
        to_json([make() for _ in range(10_000)], 10_000)


def test_what_fits_is_never_too_large() -> None:
    values: list[Any] = [1, 1.5, True, None, "é\n", 2**70, float("inf"), [], {}, {"a": []}, [1, 2.5, -3], (1, 2), b"x"]
    values += [Place("Lyon"), Pair(1, 2), pydantic.create_model("Model", a=(int, 1))(), ValueError("no"), float("nan")]
    for value in [*values, values]:
        text = to_json(value)
        assert to_json(value, len(text)) == text


def test_numbers_in_lists_are_recorded_as_those_that_stand_alone() -> None:
    numbers = [1, -2.5, 2**60, float("nan"), float("-inf"), 0.1]
    assert jsonable(numbers) == [jsonable(each) for each in numbers] == [1, -2.5, str(2**60), None, None, 0.1]
    assert jsonable([10**100_000]) == [f"[integer of {(10**100_000).bit_length()} bits]"]
    assert json.loads(to_json([True, 1])) == [True, 1]


def test_an_error_that_cannot_say_what_it_is_is_an_error_all_the_same(client: plumbline.Client) -> None:
    class Unspeakable(Exception):
        def __str__(self) -> str:
            raise RuntimeError("no")

    with pytest.raises(Unspeakable), client.trace("outer") as trace:
        raise Unspeakable
    assert read_trace(client, trace.trace_id)["totals"]["errors"] == 1


@pytest.mark.skipif(not hasattr(time, "tzset"), reason="the time zone of the process cannot be set")
def test_a_time_without_a_zone_is_of_this_machine(client: plumbline.Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "America/New_York")
    time.tzset()
    try:
        start = datetime.now() - timedelta(minutes=5)
        trace = client.trace("outer", start_time=start)
        trace.end(end_time=start + timedelta(seconds=2))
        seconds = start.timestamp()
    finally:
        monkeypatch.undo()
        time.tzset()
    stored = read_trace(client, trace.trace_id)
    assert datetime.fromisoformat(stored["startTime"].replace("Z", "+00:00")).timestamp() == pytest.approx(seconds, abs=0.001)
    assert os.environ.get("TZ") != "America/New_York"
