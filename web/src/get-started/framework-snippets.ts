/**
 * Snippets for Python frameworks, with their own or OpenInference's instrumentation and the client. Pure; the slow
 * tests run each.
 */
import type { SnippetId } from './snippet-ids.ts'

export interface Framework {
  readonly id: SnippetId
  readonly label: string
  readonly hint: string
  /** Packages to install besides the client. */
  readonly packages: string
  /** The program after the lines that initialize the client. */
  readonly program: string
}

const question = 'What is the capital of France?'

export const frameworks: readonly Framework[] = [
  {
    id: 'langchain',
    label: 'LangChain',
    hint: 'A callback records chains, agents and graphs: models, tools and retrievers, nested as they ran. For TypeScript: @plumbline/sdk/langchain.',
    packages: 'langchain-openai',
    program: `from langchain_openai import ChatOpenAI
from plumbline.langchain import PlumblineCallback

model = ChatOpenAI(model="gpt-4o")  # Reads OPENAI_API_KEY.
config = {"callbacks": [PlumblineCallback()], "metadata": {"session_id": "s1", "user_id": "u1"}}
print(model.invoke("${question}", config).content)`,
  },
  {
    id: 'openai-agents',
    label: 'OpenAI Agents',
    hint: 'OpenInference instruments the Agents SDK: agents, handoffs, tools and models.',
    packages: 'openai-agents openinference-instrumentation-openai-agents',
    program: `from agents import Agent, Runner
from openinference.instrumentation.openai_agents import OpenAIAgentsInstrumentor

OpenAIAgentsInstrumentor().instrument()

agent = Agent(name="Geographer", instructions="Answer in one word.", model="gpt-4o")
print(Runner.run_sync(agent, "${question}").final_output)  # Reads OPENAI_API_KEY.`,
  },
  {
    id: 'pydantic-ai',
    label: 'Pydantic AI',
    hint: 'Pydantic AI instruments itself.',
    packages: '"pydantic-ai-slim[openai]"',
    program: `from pydantic_ai import Agent

Agent.instrument_all()

agent = Agent("openai-chat:gpt-4o", instructions="Answer in one word.")
print(agent.run_sync("${question}").output)  # Reads OPENAI_API_KEY.`,
  },
  {
    id: 'litellm',
    label: 'LiteLLM',
    hint: 'OpenInference instruments LiteLLM, whichever model it calls.',
    packages: 'litellm openinference-instrumentation-litellm',
    program: `import litellm
from openinference.instrumentation.litellm import LiteLLMInstrumentor

LiteLLMInstrumentor().instrument()

messages = [{"role": "user", "content": "${question}"}]
response = litellm.completion(model="openai/gpt-4o", messages=messages)  # Reads OPENAI_API_KEY.
print(response.choices[0].message.content)`,
  },
]
