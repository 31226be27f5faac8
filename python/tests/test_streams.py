"""Streams of real model clients, event by event, from a server that behaves as the vendors document."""

from __future__ import annotations

import json
from typing import Any

import anthropic
import openai
import plumbline
import pytest
from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
from langchain_core.messages import AIMessage, AIMessageChunk
from langchain_core.outputs import ChatGenerationChunk
from langgraph.graph import START, StateGraph
from langgraph.types import Command
from plumbline.anthropic import wrap_anthropic
from plumbline.langchain import PlumblineCallback
from plumbline.openai import wrap_openai
from typing_extensions import TypedDict

from .conftest import Stub, logs_of, read_trace

QUESTION: list[Any] = [{"role": "user", "content": "Where is Lyon?"}]


def stream_of(*events: dict[str, Any]) -> dict[str, Any]:
    named = [(f"event: {event['type']}\n" if "type" in event else "") + f"data: {json.dumps(event)}\n\n" for event in events]
    return {"status": 200, "headers": {"content-type": "text/event-stream"}, "body": "".join(named)}


def generations_of(client: plumbline.Client, trace: plumbline.Recording) -> list[Any]:
    return [log for log in read_trace(client, trace.trace_id)["logs"] if log["type"] == "generation"]


def chunk_of(delta: dict[str, Any], **fields: Any) -> dict[str, Any]:
    choices = [{"index": 0, "delta": delta, "finish_reason": None}]
    return {"id": "x", "object": "chat.completion.chunk", "created": 1, "model": "gpt-5", "choices": choices, **fields}


def test_a_stream_of_openai_waits_for_a_token_until_the_model_has_written_one(client: plumbline.Client, stub: Stub) -> None:
    model: Any = wrap_openai(openai.OpenAI(base_url=stub.url, api_key="any", max_retries=0), client=client)
    response = {"id": "r1", "model": "gpt-5", "status": "in_progress", "output": [], "object": "response"}
    stub.answers = [
        stream_of(chunk_of({"role": "assistant", "content": ""})),
        stream_of(chunk_of({"role": "assistant", "content": ""}), chunk_of({"content": "In Lyon."})),
        stream_of({"type": "response.created", "sequence_number": 0, "response": response}),
        stream_of(
            {"type": "response.created", "sequence_number": 0, "response": response},
            {"type": "response.output_text.delta", "sequence_number": 1, "delta": "In Lyon."},
        ),
    ]
    with client.trace("streams") as trace:
        for _ in range(2):
            list(model.chat.completions.create(model="gpt-5", messages=QUESTION, stream=True))
        for _ in range(2):
            list(model.responses.create(model="gpt-5", input="Where?", stream=True))
    waits = [log["timeToFirstTokenMs"] for log in generations_of(client, trace)]
    assert [waits[0], waits[2]] == [None, None]
    assert waits[1] >= 0 and waits[3] >= 0


def test_a_call_of_openai_is_of_the_tier_that_the_response_names(client: plumbline.Client, stub: Stub) -> None:
    model: Any = wrap_openai(openai.OpenAI(base_url=stub.url, api_key="any", max_retries=0), client=client)
    usage = {"prompt_tokens": 1000, "completion_tokens": 1000, "total_tokens": 2000}
    for tier in ("default", "flex"):
        message = {"role": "assistant", "content": "In Lyon."}
        choices = [{"index": 0, "message": message, "finish_reason": "stop"}]
        whole = {"id": "x", "object": "chat.completion", "created": 1, "model": "gpt-5", "service_tier": tier, "usage": usage}
        stub.answers.append({"status": 200, "headers": {"content-type": "application/json"}, "body": {**whole, "choices": choices}})
        stub.answers.append(stream_of(chunk_of({"content": "In Lyon."}, service_tier=tier, usage=usage)))
    with client.trace("calls") as trace:
        for _ in range(2):
            model.chat.completions.create(model="gpt-5", messages=QUESTION)
            list(model.chat.completions.create(model="gpt-5", messages=QUESTION, stream=True))
    logs = generations_of(client, trace)
    assert [log.get("serviceTier") for log in logs] == [None, None, "flex", "flex"]
    assert float(logs[2]["cost"]) == pytest.approx(float(logs[0]["cost"]) / 2)


def test_a_stream_of_anthropic_has_citations_and_signatures(client: plumbline.Client, stub: Stub) -> None:
    model: Any = wrap_anthropic(anthropic.Anthropic(base_url=stub.url, api_key="any", max_retries=0), client=client)
    citation = {"type": "char_location", "cited_text": "Lyon", "document_index": 0, "start_char_index": 0, "end_char_index": 4}
    usage = {"input_tokens": 5, "output_tokens": 1}
    start = {"id": "m1", "type": "message", "role": "assistant", "model": "claude-opus-4-8", "content": [], "usage": usage}
    begin: list[dict[str, Any]] = [
        {"type": "message_start", "message": start},
        {"type": "content_block_start", "index": 0, "content_block": {"type": "thinking", "thinking": "", "signature": ""}},
    ]
    rest: list[dict[str, Any]] = [
        {"type": "content_block_delta", "index": 0, "delta": {"type": "thinking_delta", "thinking": "A place."}},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "signature_delta", "signature": "signed"}},
        {"type": "content_block_start", "index": 1, "content_block": {"type": "text", "text": "", "citations": []}},
        {"type": "content_block_delta", "index": 1, "delta": {"type": "citations_delta", "citation": citation}},
        {"type": "content_block_delta", "index": 1, "delta": {"type": "text_delta", "text": "In Lyon."}},
        {"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 9}},
        {"type": "message_stop"},
    ]
    stub.answers = [stream_of(*begin), stream_of(*begin, *rest)]
    with client.trace("streams") as trace:
        for _ in range(2):
            list(model.messages.create(model="claude-opus-4-8", max_tokens=100, messages=QUESTION, stream=True))
    before, whole = generations_of(client, trace)
    assert before["timeToFirstTokenMs"] is None and whole["timeToFirstTokenMs"] >= 0
    thoughts, text = whole["output"]["content"]
    assert (thoughts["thinking"], thoughts["signature"]) == ("A place.", "signed")
    assert (text["text"], text["citations"][0]["cited_text"]) == ("In Lyon.", "Lyon")


class ScriptedModel(GenericFakeChatModel):
    """Streams scripted messages unchanged."""

    chunks: list[Any]

    def _stream(self, messages: Any, stop: Any = None, run_manager: Any = None, **options: Any) -> Any:
        for message in self.chunks:
            chunk = ChatGenerationChunk(message=message)
            if run_manager:
                run_manager.on_llm_new_token(message.content, chunk=chunk)
            yield chunk


def test_a_stream_of_langchain_has_its_tier_and_the_time_until_the_model_has_written_something(client: plumbline.Client) -> None:
    call: Any = {"index": 0, "id": "c1", "name": "find", "args": "{}", "type": "tool_call_chunk"}
    empty = AIMessageChunk(content="")
    facts: Any = {"model_name": "gpt-5", "service_tier": "flex"}
    usage: Any = {"input_tokens": 10, "output_tokens": 5, "total_tokens": 15}
    text = AIMessageChunk(content="In Lyon.", response_metadata=facts, usage_metadata=usage)
    config: Any = {"callbacks": [PlumblineCallback(client=client)]}
    with client.trace("streams") as trace:
        for chunks in ([empty, empty], [empty, text], [empty, AIMessageChunk(content="", tool_call_chunks=[call])]):
            list(ScriptedModel(messages=iter([]), chunks=chunks).stream("Where?", config))
    logs = generations_of(client, trace)
    assert logs[0]["timeToFirstTokenMs"] is None
    assert logs[1]["timeToFirstTokenMs"] >= 0 and logs[2]["timeToFirstTokenMs"] >= 0
    assert (logs[1]["model"], logs[1]["inputTokens"], logs[1]["serviceTier"]) == ("gpt-5", 10, "flex")


class Conversation(TypedDict):
    messages: list[Any]


def test_the_messages_of_a_command_are_recorded_as_a_model_takes_them(client: plumbline.Client) -> None:
    def answer(state: Conversation) -> Any:
        return Command(update={"messages": [AIMessage("In Lyon.")]})

    graph: Any = StateGraph(Conversation).add_node("answer", answer).add_edge(START, "answer").compile()
    with client.trace("graph") as trace:
        graph.invoke({"messages": []}, {"callbacks": [PlumblineCallback(client=client)]})
    output = logs_of(read_trace(client, trace.trace_id))["answer"]["output"]
    assert output["update"]["messages"] == [{"role": "assistant", "content": "In Lyon."}]
