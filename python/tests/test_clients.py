"""Real model clients and frameworks, against the model server."""

from __future__ import annotations

import asyncio
import inspect
import json
from typing import Any

import anthropic
import openai
import plumbline
import pytest
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import START, StateGraph
from langgraph.types import Command, interrupt
from openinference.instrumentation.openai import OpenAIInstrumentor
from opentelemetry.sdk.trace import TracerProvider
from plumbline.anthropic import wrap_anthropic
from plumbline.langchain import PlumblineCallback
from plumbline.openai import wrap_openai
from typing_extensions import TypedDict

from .conftest import MODEL_URL, Make, Stub, logs_of, read_trace

QUESTION: list[Any] = [{"role": "user", "content": "Where is Lyon?"}]


def make_openai(client: plumbline.Client, **fields: Any) -> openai.OpenAI:
    return wrap_openai(openai.OpenAI(base_url=MODEL_URL, api_key="any", max_retries=0), client=client, **fields)


def make_anthropic(client: plumbline.Client) -> anthropic.Anthropic:
    url = MODEL_URL.removesuffix("/v1")
    return wrap_anthropic(anthropic.Anthropic(base_url=url, api_key="any", max_retries=0), client=client)


def generation_of(client: plumbline.Client, trace: plumbline.Recording) -> Any:
    generations = [log for log in read_trace(client, trace.trace_id)["logs"] if log["type"] == "generation"]
    assert len(generations) == 1
    return generations[0]


def test_a_chat_is_recorded_and_answered_untouched(client: plumbline.Client) -> None:
    model = make_openai(client, prompt={"slug": "greeting", "version": "1.0.0"}, variables={"name": "Ada"})
    with client.trace("chat") as trace:
        answer = model.chat.completions.create(model="gpt-4o", messages=QUESTION, temperature=0)
    log = generation_of(client, trace)
    text = answer.choices[0].message.content
    assert isinstance(answer, openai.types.chat.ChatCompletion)
    assert log["name"] == "openai.chat gpt-4o"
    assert log["input"] == QUESTION
    assert log["output"]["content"] == text
    assert answer.usage is not None
    assert (log["inputTokens"], log["outputTokens"]) == (answer.usage.prompt_tokens, answer.usage.completion_tokens)
    assert (log["model"], log["provider"], log["prompt"]["slug"]) == (answer.model, "open-ai", "greeting")
    assert log["metadata"]["parameters"] == {"temperature": 0}
    assert log["metadata"]["finishReason"] == "stop"


def test_a_streamed_chat_is_put_together(client: plumbline.Client) -> None:
    model = make_openai(client)
    with client.trace("chat") as trace:
        stream = model.chat.completions.create(
            model="gpt-4o", messages=QUESTION, stream=True, stream_options={"include_usage": True}
        )
        assert isinstance(stream, openai.Stream)
        text = "".join(part.choices[0].delta.content or "" for part in stream if part.choices)
    log = generation_of(client, trace)
    assert log["output"] == {"role": "assistant", "content": text}
    assert log["inputTokens"] > 0
    assert log["timeToFirstTokenMs"] > 0


def test_the_convenience_for_streams_is_recorded(client: plumbline.Client) -> None:
    model = make_openai(client)
    with client.trace("chat") as trace:
        with model.chat.completions.stream(model="gpt-4o", messages=QUESTION) as stream:
            for _ in stream:
                pass
            final = stream.get_final_completion()
    assert generation_of(client, trace)["output"]["content"] == final.choices[0].message.content


def test_copies_of_a_client_are_recorded_with_the_fields_given_last(client: plumbline.Client) -> None:
    model = make_openai(client, metadata={"team": "a"})
    with client.trace("copied") as copied:
        model.with_options(timeout=20).chat.completions.create(model="gpt-4o", messages=QUESTION)
    with client.trace("again") as again:
        wrap_openai(model.copy(), client=client, metadata={"team": "b"}).chat.completions.create(model="gpt-4o", messages=QUESTION)
    assert [generation_of(client, trace)["metadata"]["team"] for trace in (copied, again)] == ["a", "b"]


def test_a_raw_response_is_recorded_as_what_it_holds(client: plumbline.Client) -> None:
    model = make_openai(client)
    with client.trace("whole") as whole:
        raw = model.chat.completions.with_raw_response.create(model="gpt-4o", messages=QUESTION)
        answer = raw.parse()
        assert raw.headers["content-type"].startswith("application/json")
    with client.trace("streamed") as streamed:
        stream = model.chat.completions.with_raw_response.create(model="gpt-4o", messages=QUESTION, stream=True).parse()
        text = "".join(part.choices[0].delta.content or "" for part in stream if part.choices)
    log = generation_of(client, whole)
    assert answer.usage is not None
    assert (log["output"]["content"], log["outputTokens"]) == (answer.choices[0].message.content, answer.usage.completion_tokens)
    assert generation_of(client, streamed)["output"]["content"] == text


def test_a_streaming_response_is_recorded_when_it_is_parsed(client: plumbline.Client) -> None:
    model = make_openai(client)
    with client.trace("whole") as whole:
        with model.chat.completions.with_streaming_response.create(model="gpt-4o", messages=QUESTION) as response:
            answer = response.parse()
    with client.trace("left") as left:
        with model.chat.completions.with_streaming_response.create(model="gpt-4o", messages=QUESTION, stream=True) as response:
            # Kept beyond the response, so that only the end of the response can end the recording.
            parts = iter(response.parse())
            first = next(part.choices[0].delta.content for part in parts if part.choices and part.choices[0].delta.content)

    async def main() -> plumbline.Recording:
        asynchronous = wrap_openai(openai.AsyncOpenAI(base_url=MODEL_URL, api_key="any"), client=client)
        async with client.trace("asynchronous") as trace:
            async with asynchronous.chat.completions.with_streaming_response.create(model="gpt-4o", messages=QUESTION) as response:
                await response.parse()
        return trace

    text = answer.choices[0].message.content
    for trace in (whole, asyncio.run(main())):
        assert generation_of(client, trace)["output"]["content"] == text
    assert generation_of(client, left)["output"]["content"] == first


def test_tool_calls_are_recorded(client: plumbline.Client) -> None:
    model = make_openai(client)
    tool: Any = {"type": "function", "function": {"name": "lookup", "parameters": {"type": "object", "properties": {"city": {"type": "string"}}}}}
    with client.trace("whole") as whole:
        model.chat.completions.create(model="gpt-4o", messages=QUESTION, tools=[tool])
    with client.trace("streamed") as streamed:
        for _ in model.chat.completions.create(model="gpt-4o", messages=QUESTION, tools=[tool], stream=True):
            pass
    call = generation_of(client, whole)["output"]["tool_calls"][0]
    assert call["function"]["name"] == "lookup"
    assert generation_of(client, streamed)["output"]["tool_calls"][0]["function"] == call["function"]


def test_the_arguments_of_a_tool_of_anthropic_are_recorded_as_json(client: plumbline.Client) -> None:
    tool: Any = {"name": "lookup", "input_schema": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}}
    options: Any = {"model": "claude-test", "max_tokens": 100, "messages": QUESTION, "tools": [tool]}
    model = make_anthropic(client)
    with client.trace("whole") as whole:
        model.messages.create(**options)
    with client.trace("streamed") as streamed:
        for _ in model.messages.create(**options, stream=True):
            pass

    def arguments_in(trace: plumbline.Recording) -> Any:
        return [block["input"] for block in generation_of(client, trace)["output"]["content"] if block["type"] == "tool_use"]

    assert isinstance(arguments_in(whole)[0], dict)
    assert arguments_in(streamed) == arguments_in(whole)


def test_a_stream_of_a_server_of_open_models_is_put_together(client: plumbline.Client, stub: Stub) -> None:
    call = {"id": "c1", "type": "function", "function": {"name": "find", "arguments": "{}"}}
    deltas: list[Any] = [
        {"role": "assistant", "reasoning_content": "He wants "},
        {"reasoning_content": "a place."},
        {"tool_calls": [{**call, "index": 0}]},
        {"tool_calls": [{"index": 0, "id": "", "type": None, "function": {"name": None, "arguments": None}}]},
        {"tool_calls": [{**call, "id": "c2"}]},
    ]
    chunks = [{"id": "x", "object": "chat.completion.chunk", "model": "open", "choices": [{"index": 0, "delta": delta}]} for delta in deltas]
    stub.answers = [
        {
            "status": 200,
            "headers": {"content-type": "text/event-stream"},
            "body": "".join(f"data: {json.dumps(chunk)}\n\n" for chunk in chunks) + "data: [DONE]\n\n",
        }
    ]
    model = wrap_openai(openai.OpenAI(base_url=stub.url, api_key="any", max_retries=0), client=client)
    with client.trace("streamed") as trace:
        for _ in model.chat.completions.create(model="open", messages=QUESTION, stream=True):
            pass
    output = generation_of(client, trace)["output"]
    assert output["reasoning_content"] == "He wants a place."
    assert output["tool_calls"] == [call, {**call, "id": "c2"}]


def test_responses_and_embeddings_are_recorded(client: plumbline.Client) -> None:
    model = make_openai(client)
    with client.trace("responses") as trace:
        answer = model.responses.create(model="gpt-4o", input="Where is Lyon?", instructions="Be brief.")
        for _ in model.responses.create(model="gpt-4o", input="Where is Paris?", stream=True):
            pass
        with model.responses.stream(model="gpt-4.1", input="Where is Nice?") as stream:
            stream.until_done()
        model.embeddings.create(model="text-embedding-3-small", input="Lyon")
    logs = sorted((log for log in read_trace(client, trace.trace_id)["logs"] if log["type"] == "generation"), key=lambda log: log["startTime"])
    assert [log["name"] for log in logs] == [
        "openai.responses gpt-4o",
        "openai.responses gpt-4o",
        "openai.responses gpt-4.1",
        "openai.embeddings text-embedding-3-small",
    ]
    assert logs[0]["input"] == {"instructions": "Be brief.", "input": "Where is Lyon?"}
    assert answer.output_text in str(logs[0]["output"])
    assert logs[1]["outputTokens"] > 0
    assert "Nice" in str(logs[2]["output"])
    assert logs[3]["output"]["embeddings"] == 1
    assert (logs[3]["inputTokens"] > 0, logs[3]["outputTokens"]) == (True, 0)


def test_a_call_that_fails_is_recorded_and_raised(client: plumbline.Client) -> None:
    model = make_openai(client)
    with client.trace("failing") as trace:
        with pytest.raises(openai.RateLimitError):
            model.chat.completions.create(model="fake-429", messages=QUESTION)
        with pytest.raises(Exception):
            for _ in model.chat.completions.create(model="fake-cut", messages=QUESTION, stream=True):
                pass
    logs = logs_of(read_trace(client, trace.trace_id))
    assert logs["openai.chat fake-429"]["metadata"]["error"]["type"] == "openai.RateLimitError"
    assert "error" in logs["openai.chat fake-cut"]["metadata"]


def test_asynchronous_clients_are_recorded(client: plumbline.Client) -> None:
    async def main() -> plumbline.Recording:
        model = wrap_openai(openai.AsyncOpenAI(base_url=MODEL_URL, api_key="any"), client=client)
        async with client.trace("chat") as trace:
            await model.chat.completions.create(model="gpt-4o", messages=QUESTION)
            stream = await model.chat.completions.create(model="gpt-4o-mini", messages=QUESTION, stream=True)
            async for _ in stream:
                pass
            async with model.chat.completions.stream(model="gpt-4.1", messages=QUESTION) as events:
                async for _ in events:
                    pass
        return trace

    trace = asyncio.run(main())
    logs = logs_of(read_trace(client, trace.trace_id))
    for name in ("gpt-4o", "gpt-4o-mini", "gpt-4.1"):
        assert logs[f"openai.chat {name}"]["output"]["content"]


def test_recorded_methods_say_of_themselves_what_the_methods_do(client: plumbline.Client) -> None:
    def describe(model: openai.AsyncOpenAI | openai.OpenAI) -> list[Any]:
        methods = (model.chat.completions.create, model.responses.create, model.embeddings.create, model.with_options)
        return [(inspect.iscoroutinefunction(each), each.__qualname__, each.__doc__, str(inspect.signature(each))) for each in methods]

    for kind in (openai.OpenAI, openai.AsyncOpenAI):
        bare, wrapped = (kind(base_url=MODEL_URL, api_key="any") for _ in range(2))
        assert describe(wrap_openai(wrapped, client=client)) == describe(bare)


def test_without_a_trace_a_call_is_a_trace(client: plumbline.Client) -> None:
    make_openai(client).chat.completions.create(model="gpt-4o", messages=[{"role": "user", "content": "alone?"}])
    client.flush()
    traces = client.request("GET", "/monitor/traces", query={"limit": 5, "name": "openai.chat gpt-4o"})
    assert isinstance(traces["traces"], list)


def test_messages_of_anthropic_are_recorded(client: plumbline.Client) -> None:
    model = make_anthropic(client)
    options: Any = {"model": "claude-test", "max_tokens": 100, "messages": QUESTION, "system": "Be brief."}
    with client.trace("whole") as whole:
        answer = model.messages.create(**options)
    with client.trace("streamed") as streamed:
        for _ in model.messages.create(**options, stream=True):
            pass
    with client.trace("helper") as helper:
        with model.messages.stream(**options) as stream:
            text = "".join(stream.text_stream)

    async def main() -> plumbline.Recording:
        url = MODEL_URL.removesuffix("/v1")
        asynchronous = wrap_anthropic(anthropic.AsyncAnthropic(base_url=url, api_key="any"), client=client)
        async with client.trace("asynchronous helper") as trace:
            async with asynchronous.messages.stream(**options) as stream:
                assert "".join([part async for part in stream.text_stream]) == text
        return trace

    log = generation_of(client, whole)
    assert log["name"] == "anthropic.messages claude-test"
    assert log["input"][0] == {"role": "system", "content": "Be brief."}
    assert log["output"]["content"][0]["text"] == text == answer.content[0].text
    assert (log["inputTokens"], log["outputTokens"]) == (answer.usage.input_tokens, answer.usage.output_tokens)
    for trace in (streamed, helper, asyncio.run(main())):
        other = generation_of(client, trace)
        assert other["output"]["content"][0]["text"] == text
        assert (other["inputTokens"], other["outputTokens"]) == (log["inputTokens"], log["outputTokens"])
        assert other["timeToFirstTokenMs"] > 0


def test_a_client_that_records_itself_is_recorded_once(make_client: Make) -> None:
    provider = TracerProvider(shutdown_on_exit=False)
    client = make_client(tracer_provider=provider)
    url = MODEL_URL.removesuffix("/v1")
    own = anthropic.Anthropic(base_url=url, api_key="any", open_telemetry={"tracer_provider": provider})
    options: Any = {"model": "claude-test", "max_tokens": 100, "messages": QUESTION}
    with client.trace("wrapped") as wrapped:
        wrap_anthropic(own.with_options(), client=client).messages.create(**options)
    with client.trace("plain") as plain:
        own.messages.create(**options)
    assert generation_of(client, wrapped)["name"] == "anthropic.messages claude-test"
    assert generation_of(client, plain)["name"] == "anthropic.messages.create"


def test_an_asynchronous_client_of_anthropic_is_recorded(client: plumbline.Client) -> None:
    async def main() -> plumbline.Recording:
        url = MODEL_URL.removesuffix("/v1")
        model = wrap_anthropic(anthropic.AsyncAnthropic(base_url=url, api_key="any"), client=client)
        with client.trace("chat") as trace:
            async with model.messages.stream(model="claude-test", max_tokens=100, messages=QUESTION) as stream:
                await stream.until_done()
        return trace

    assert generation_of(client, asyncio.run(main()))["output"]["content"][0]["text"]


def test_langchain_is_recorded_with_its_nesting(client: plumbline.Client) -> None:
    from langchain_core.documents import Document
    from langchain_core.language_models.fake_chat_models import FakeListChatModel
    from langchain_core.prompts import ChatPromptTemplate
    from langchain_core.retrievers import BaseRetriever
    from langchain_core.runnables import RunnableLambda
    from langchain_core.tools import tool

    class Search(BaseRetriever):
        def _get_relevant_documents(self, query: str, **options: Any) -> list[Document]:
            return [Document(page_content=f"about {query}")]

    @tool
    def lookup(city: str) -> str:
        """Looks a city up."""
        return f"{city} is in France."

    prompt = ChatPromptTemplate.from_messages([("system", "Be brief."), ("human", "{question}")])
    chain = prompt | FakeListChatModel(responses=["In Lyon."]) | RunnableLambda(lambda message: message.content)
    config: Any = {
        "callbacks": [PlumblineCallback(client=client)],
        "metadata": {"session_id": "s1", "user_id": "u1"},
        "run_name": "agent",
    }
    with client.trace("outer") as trace:
        assert chain.invoke({"question": "Where?"}, config) == "In Lyon."
        assert lookup.invoke({"city": "Lyon"}, config) == "Lyon is in France."
        assert Search().invoke("parcel", config)
    stored = read_trace(client, trace.trace_id)
    logs = stored["logs"]
    generation = next(log for log in logs if log["type"] == "generation")
    assert generation["input"] == [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Where?"}]
    assert generation["output"]["content"] == "In Lyon."
    chain_log = next(log for log in logs if log["id"] == generation["parentId"])
    assert (chain_log["name"], chain_log["input"]) == ("agent", {"question": "Where?"})
    assert {log["type"] for log in logs} == {"span", "generation", "tool", "retrieval"}
    retrieval = next(log for log in logs if log["type"] == "retrieval")
    assert retrieval["output"][0]["page_content"] == "about parcel"
    assert (stored["sessionId"], stored["user"]["id"]) == ("s1", "u1")


def test_a_failing_chain_of_langchain_is_recorded(client: plumbline.Client) -> None:
    from langchain_core.runnables import RunnableLambda

    def fail(value: Any) -> Any:
        raise ValueError("no")

    with client.trace("outer") as trace:
        with pytest.raises(ValueError):
            RunnableLambda(fail).invoke("x", {"callbacks": [PlumblineCallback(client=client)]})
    assert read_trace(client, trace.trace_id)["totals"]["errors"] == 1


class Place(TypedDict):
    city: str


def test_a_graph_of_langgraph_that_waits_or_hands_over_has_not_failed(client: plumbline.Client) -> None:
    def ask(state: Place) -> Place:
        return {"city": interrupt("Which city?")}

    def leave(state: Place) -> Any:
        return Command(graph=Command.PARENT, goto="other", update={"city": "Lyon"})

    waiting: Any = StateGraph(Place).add_node("ask", ask).add_edge(START, "ask").compile(checkpointer=InMemorySaver())
    inner: Any = StateGraph(Place).add_node("leave", leave).add_edge(START, "leave").compile()
    outer: Any = StateGraph(Place).add_node("inner", inner).add_node("other", lambda state: {}).add_edge(START, "inner").compile()
    config: Any = {"callbacks": [PlumblineCallback(client=client)], "configurable": {"thread_id": "t1"}}
    with client.trace("waits") as waits:
        waiting.invoke({"city": ""}, config)
    with client.trace("hands over") as hands_over:
        assert outer.invoke({"city": ""}, config)["city"] == "Lyon"
    stored = read_trace(client, waits.trace_id)
    assert stored["totals"]["errors"] == 0
    assert logs_of(stored)["ask"]["output"][0]["value"] == "Which city?"
    stored = read_trace(client, hands_over.trace_id)
    assert stored["totals"]["errors"] == 0
    assert logs_of(stored)["leave"]["output"]["goto"] == "other"


def test_openinference_works_beside_it_in_one_trace(make_client: Make) -> None:
    provider = TracerProvider(shutdown_on_exit=False)
    client = make_client(tracer_provider=provider)
    OpenAIInstrumentor().instrument(tracer_provider=provider)
    try:
        model = openai.OpenAI(base_url=MODEL_URL, api_key="any")
        with client.trace("outer") as trace:
            with client.span("step") as step:
                model.chat.completions.create(model="gpt-4o", messages=QUESTION)
    finally:
        OpenAIInstrumentor().uninstrument()
    generation = generation_of(client, trace)
    assert generation["parentId"] == step.id
    assert generation["inputTokens"] > 0
