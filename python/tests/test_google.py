"""Google's real client for Gemini, against a server that answers as Gemini does."""

from __future__ import annotations

import asyncio
import base64
import inspect
import json
from typing import Any

import plumbline
import pytest
from google import genai
from google.genai import errors, types
from plumbline.google import wrap_google

from .conftest import Stub, read_trace

MODEL = "gemini-2.5-flash"
CALL = f"google.generate {MODEL}"


def answer(*parts: dict[str, Any], thoughts: int = 0) -> dict[str, Any]:
    return {
        "candidates": [{"content": {"role": "model", "parts": list(parts)}, "finishReason": "STOP"}],
        "usageMetadata": {
            "promptTokenCount": 10,
            "candidatesTokenCount": 2,
            **({"thoughtsTokenCount": thoughts} if thoughts else {}),
            "totalTokenCount": 12 + thoughts,
        },
        "modelVersion": f"{MODEL}-001",
    }


def whole(*parts: dict[str, Any], **fields: Any) -> Any:
    return {"status": 200, "headers": {"content-type": "application/json"}, "body": answer(*parts, **fields)}


def stream(*parts: dict[str, Any]) -> Any:
    chunks = [answer(part) for part in parts]
    for chunk in chunks[:-1]:
        del chunk["usageMetadata"], chunk["candidates"][0]["finishReason"]
    body = "".join(f"data: {json.dumps(chunk)}\n\n" for chunk in chunks)
    return {"status": 200, "headers": {"content-type": "text/event-stream"}, "body": body}


def function_call(city: str) -> dict[str, Any]:
    return {"functionCall": {"name": "weather", "args": {"city": city}}}


def make_google(stub: Stub, client: plumbline.Client, **fields: Any) -> genai.Client:
    google = genai.Client(api_key="any", http_options=types.HttpOptions(base_url=stub.url))
    return wrap_google(google, client=client, **fields)


def tree_of(trace: Any) -> list[str]:
    """The logs below the root in the order in which they began, each with its type and the name of its parent."""
    names = {log["id"]: log["name"] for log in trace["logs"]}
    logs = sorted(trace["logs"], key=lambda log: log["startTime"])
    return [f"{log['type']} {log['name']} in {names[log['parentId']]}" for log in logs if log.get("parentId")]


def logs_below(trace: Any) -> list[Any]:
    return sorted((log for log in trace["logs"] if log.get("parentId")), key=lambda log: log["startTime"])


STEPS = [
    f"span {CALL} in calls",
    f"generation {CALL} in {CALL}",
    f"tool weather in {CALL}",
    f"generation {CALL} in {CALL}",
]


def test_a_call_is_recorded_and_answered_untouched(client: plumbline.Client, stub: Stub) -> None:
    google = make_google(stub, client, metadata={"team": "support"})
    stub.answers = [whole({"text": "Hm.", "thought": True}, {"text": "In France."}, thoughts=5)]
    config = types.GenerateContentConfig(
        system_instruction="Be brief.", temperature=0.2, http_options=types.HttpOptions(headers={"x-secret": "s"})
    )
    with client.trace("calls") as trace:
        response = google.models.generate_content(model=MODEL, contents="Where is Lyon?", config=config)
    assert isinstance(response, types.GenerateContentResponse)
    assert response.text == "In France."
    [log] = logs_below(read_trace(client, trace.trace_id))
    assert (log["type"], log["name"], log["provider"], log["model"]) == ("generation", CALL, "gemini", f"{MODEL}-001")
    assert log["input"] == [{"role": "system", "content": "Be brief."}, "Where is Lyon?"]
    assert log["output"] == {"role": "assistant", "parts": [{"text": "Hm.", "thought": True}, {"text": "In France."}]}
    assert (log["inputTokens"], log["outputTokens"]) == (10, 7)
    assert log["metadata"]["parameters"] == {"temperature": 0.2}
    assert (log["metadata"]["finishReason"], log["metadata"]["team"]) == ("STOP", "support")


def test_parts_of_files_are_recorded_as_the_api_has_them(client: plumbline.Client, stub: Stub) -> None:
    google = make_google(stub, client)
    picture = bytes(range(240, 256)) * 4
    stub.answers = [whole({"text": "A gradient."})]
    contents: list[Any] = ["What is this?", types.Part.from_bytes(data=picture, mime_type="image/png")]
    with client.trace("calls") as trace:
        google.models.generate_content(model=MODEL, contents=contents)
    [log] = logs_below(read_trace(client, trace.trace_id))
    assert log["input"][0] == "What is this?"
    assert log["input"][1]["inlineData"]["mimeType"] == "image/png"
    assert log["input"][1]["inlineData"]["data"] == base64.b64encode(picture).decode()


@pytest.mark.parametrize("is_async", [False, True])
def test_streams_are_recorded_as_they_are_read(client: plumbline.Client, stub: Stub, is_async: bool) -> None:
    google = make_google(stub, client)
    stub.answers = [stream({"text": "In "}, {"text": "France."})]

    async def read_async() -> str:
        parts = await google.aio.models.generate_content_stream(model=MODEL, contents="Where is Lyon?")
        assert inspect.isasyncgen(parts)
        return "".join([part.text or "" async for part in parts])

    with client.trace("calls") as trace:
        if is_async:
            text = asyncio.run(read_async())
        else:
            parts = google.models.generate_content_stream(model=MODEL, contents="Where is Lyon?")
            assert inspect.isgenerator(parts)
            text = "".join(part.text or "" for part in parts)
    assert text == "In France."
    [log] = logs_below(read_trace(client, trace.trace_id))
    assert log["output"] == {"role": "assistant", "parts": [{"text": "In France."}]}
    assert (log["inputTokens"], log["outputTokens"]) == (10, 2)
    assert log["timeToFirstTokenMs"] >= 0
    assert log["metadata"]["finishReason"] == "STOP"


def test_a_stream_that_is_left_half_read_is_recorded_so_far(client: plumbline.Client, stub: Stub) -> None:
    google = make_google(stub, client)
    stub.answers = [stream({"text": "In "}, {"text": "France."})]
    with client.trace("calls") as trace:
        parts = google.models.generate_content_stream(model=MODEL, contents="Where is Lyon?")
        next(iter(parts))
        getattr(parts, "close")()
    [log] = logs_below(read_trace(client, trace.trace_id))
    assert log["output"] == {"role": "assistant", "parts": [{"text": "In "}]}
    assert log["metadata"].get("error") is None


@pytest.mark.parametrize("is_async", [False, True])
@pytest.mark.parametrize("is_stream", [False, True])
def test_functions_that_the_client_calls_are_recorded_between_its_requests(
    client: plumbline.Client, stub: Stub, is_stream: bool, is_async: bool
) -> None:
    google = make_google(stub, client)
    say = stream if is_stream else whole
    stub.answers = [say(function_call("Lyon")), say({"text": "It is 21 degrees."})]

    def weather(city: str) -> dict[str, int]:
        """The weather of a city."""
        assert city == "Lyon"
        return {"degrees": 21}

    config = types.GenerateContentConfig(tools=[weather])

    async def ask_async() -> str:
        request: dict[str, Any] = {"model": MODEL, "contents": "How warm is it?", "config": config}
        if not is_stream:
            return (await google.aio.models.generate_content(**request)).text or ""
        return "".join([part.text or "" async for part in await google.aio.models.generate_content_stream(**request)])

    with client.trace("calls") as trace:
        if is_async:
            text = asyncio.run(ask_async())
        elif is_stream:
            parts = google.models.generate_content_stream(model=MODEL, contents="How warm is it?", config=config)
            text = "".join(part.text or "" for part in parts)
        else:
            text = google.models.generate_content(model=MODEL, contents="How warm is it?", config=config).text or ""
    assert text == "It is 21 degrees."
    assert config.tools == [weather]
    stored = read_trace(client, trace.trace_id)
    assert tree_of(stored) == STEPS
    span, first, tool, second = logs_below(stored)
    assert (span["input"], span["output"]) == (
        "How warm is it?",
        {"role": "assistant", "parts": [{"text": "It is 21 degrees."}]},
    )
    assert (tool["input"], tool["output"]) == ({"city": "Lyon"}, {"degrees": 21})
    assert first["output"]["parts"][0]["functionCall"] == {"name": "weather", "args": {"city": "Lyon"}}
    assert "degrees" in json.dumps(second["input"])
    assert [first["inputTokens"], second["inputTokens"]] == [10, 10]
    assert stored["totals"]["inputTokens"] == 20


@pytest.mark.parametrize("is_async", [False, True])
@pytest.mark.parametrize("is_stream", [False, True])
def test_chats_are_recorded_with_their_functions(
    client: plumbline.Client, stub: Stub, is_stream: bool, is_async: bool
) -> None:
    google = make_google(stub, client)
    assert isinstance(google, genai.Client)
    say = stream if is_stream else whole
    stub.answers = [say(function_call("Lyon")), say({"text": "Warm."}), say({"text": "You are welcome."})]

    def weather(city: str) -> str:
        return f"warm in {city}"

    async def talk_async() -> list[str]:
        chat = google.aio.chats.create(model=MODEL, config={"tools": [weather]})
        texts = []
        for message in ("How warm is it?", "Thanks."):
            if is_stream:
                parts = await chat.send_message_stream(message)
                texts.append("".join([part.text or "" async for part in parts]))
            else:
                texts.append((await chat.send_message(message)).text or "")
        return texts

    def talk() -> list[str]:
        chat = google.chats.create(model=MODEL, config={"tools": [weather]})
        if is_stream:
            return ["".join(part.text or "" for part in chat.send_message_stream(text)) for text in ("How warm is it?", "Thanks.")]
        return [chat.send_message(text).text or "" for text in ("How warm is it?", "Thanks.")]

    with client.trace("calls") as trace:
        assert (asyncio.run(talk_async()) if is_async else talk()) == ["Warm.", "You are welcome."]
    stored = read_trace(client, trace.trace_id)
    assert tree_of(stored) == [*STEPS, f"span {CALL} in calls", f"generation {CALL} in {CALL}"]
    assert [log["output"]["parts"][0].get("text") for log in logs_below(stored) if log["type"] == "span"] == [
        "Warm.",
        "You are welcome.",
    ]
    assert stored["totals"]["inputTokens"] == 30


def test_a_chat_without_functions_is_one_generation_for_each_message(client: plumbline.Client, stub: Stub) -> None:
    google = make_google(stub, client)
    stub.answers = [whole({"text": "In France."}), whole({"text": "You are welcome."})]
    with client.trace("calls") as trace:
        chat = google.chats.create(model=MODEL)
        chat.send_message("Where is Lyon?")
        chat.send_message("Thanks.")
    stored = read_trace(client, trace.trace_id)
    assert tree_of(stored) == [f"generation {CALL} in calls"] * 2
    assert [content["role"] for content in logs_below(stored)[1]["input"]] == ["user", "model", "user"]


def test_calls_of_a_parent_stay_in_it(client: plumbline.Client, stub: Stub) -> None:
    trace = client.trace("calls")
    google = make_google(stub, client, parent=trace)
    stub.answers = [whole(function_call("Lyon")), whole({"text": "Warm."})]

    def weather(city: str) -> str:
        return city

    google.chats.create(model=MODEL, config={"tools": [weather]}).send_message("How warm?")
    trace.end()
    assert tree_of(read_trace(client, trace.trace_id)) == STEPS


def test_a_function_may_ask_a_model_and_may_fail(client: plumbline.Client, stub: Stub) -> None:
    google = make_google(stub, client)
    stub.answers = [
        whole({"functionCall": {"name": "weather", "args": {"city": "Lyon"}}}),
        whole({"text": "In France."}),
        whole({"text": "I cannot tell."}),
    ]

    def weather(city: str) -> str:
        google.models.generate_content(model=MODEL, contents=f"Where is {city}?")
        raise ValueError("No such city.")

    with client.trace("calls") as trace:
        response = google.models.generate_content(model=MODEL, contents="How warm?", config={"tools": [weather]})
    assert response.text == "I cannot tell."
    stored = read_trace(client, trace.trace_id)
    assert tree_of(stored) == [*STEPS[:3], f"generation {CALL} in weather", STEPS[3]]
    tool = logs_below(stored)[2]
    assert "No such city." in json.dumps(tool["metadata"]["error"])


def test_functions_that_the_caller_calls_are_one_generation(client: plumbline.Client, stub: Stub) -> None:
    google = make_google(stub, client)
    stub.answers = [whole(function_call("Lyon"))]

    def weather(city: str) -> str:
        raise AssertionError("The client calls no function.")

    config = types.GenerateContentConfig(
        tools=[weather], automatic_function_calling=types.AutomaticFunctionCallingConfig(disable=True)
    )
    with client.trace("calls") as trace:
        google.models.generate_content(model=MODEL, contents="How warm?", config=config)
    stored = read_trace(client, trace.trace_id)
    assert tree_of(stored) == [f"generation {CALL} in calls"]
    assert logs_below(stored)[0]["metadata"]["parameters"]["tools"] == ["weather"]


def test_a_failed_call_is_an_error(client: plumbline.Client, stub: Stub) -> None:
    google = make_google(stub, client)
    body = {"error": {"code": 400, "message": "No such model.", "status": "INVALID_ARGUMENT"}}
    failure = {"status": 400, "headers": {"content-type": "application/json"}, "body": body}

    def weather(city: str) -> str:
        return city

    stub.answers = [failure, failure, failure]
    with client.trace("calls") as trace:
        for config in (None, types.GenerateContentConfig(tools=[weather])):
            with pytest.raises(errors.ClientError):
                google.models.generate_content(model=MODEL, contents="?", config=config)
        with pytest.raises(errors.ClientError):
            list(google.models.generate_content_stream(model=MODEL, contents="?"))
    logs = logs_below(read_trace(client, trace.trace_id))
    assert [log["type"] for log in logs] == ["generation", "span", "generation", "generation"]
    assert all("No such model." in json.dumps(log["metadata"]["error"]) for log in logs)


def test_embeddings_are_described(client: plumbline.Client, stub: Stub) -> None:
    google = make_google(stub, client)
    vectors = {"embeddings": [{"values": [0.1, 0.2, 0.3]}, {"values": [0.4, 0.5, 0.6]}]}
    stub.answers = [{"status": 200, "headers": {"content-type": "application/json"}, "body": vectors}]
    with client.trace("calls") as trace:
        response = google.models.embed_content(model="gemini-embedding-001", contents=["a", "b"])
    assert response.embeddings is not None and len(response.embeddings) == 2
    [log] = logs_below(read_trace(client, trace.trace_id))
    assert (log["name"], log["input"]) == ("google.embeddings gemini-embedding-001", ["a", "b"])
    assert log["output"] == {"embeddings": 2, "dimensions": 3}


def test_a_client_that_is_wrapped_again_is_recorded_once(client: plumbline.Client, stub: Stub) -> None:
    google = wrap_google(make_google(stub, client), client=client, metadata={"round": 2})
    stub.answers = [whole(function_call("Lyon")), whole({"text": "Warm."})]

    def weather(city: str) -> str:
        return city

    with client.trace("calls") as trace:
        google.models.generate_content(model=MODEL, contents="How warm?", config={"tools": [weather]})
    stored = read_trace(client, trace.trace_id)
    assert tree_of(stored) == STEPS
    assert [log["metadata"].get("round") for log in logs_below(stored) if log["type"] == "generation"] == [2, 2]
