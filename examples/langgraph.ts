/** LangGraph.js, with no Plumbline code in the graph: an instrumentation sends its runs with OpenTelemetry. */
import { LangChainInstrumentation } from '@arizeai/openinference-instrumentation-langchain'
import * as callbacks from '@langchain/core/callbacks/manager'
import { HumanMessage } from '@langchain/core/messages'
import { tool } from '@langchain/core/tools'
import { END, MessagesAnnotation, START, StateGraph } from '@langchain/langgraph'
import { ToolNode, toolsCondition } from '@langchain/langgraph/prebuilt'
import { ChatOpenAI } from '@langchain/openai'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node'
import { z } from 'zod'

// The exporter reads OTEL_EXPORTER_OTLP_ENDPOINT and OTEL_EXPORTER_OTLP_HEADERS: see docs/opentelemetry.md.
const tracerProvider = new NodeTracerProvider({
  spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
})
new LangChainInstrumentation({ tracerProvider }).manuallyInstrument(callbacks)

const getWeather = tool(({ city }) => `18 degrees and sunny in ${city}.`, {
  name: 'getWeather',
  description: 'The weather in a city.',
  schema: z.object({ city: z.string() }),
})
// The client reads OPENAI_BASE_URL and OPENAI_API_KEY itself.
const model = new ChatOpenAI({ model: 'gpt-4o-mini' }).bindTools([getWeather])

const agent = new StateGraph(MessagesAnnotation)
  .addNode('model', async ({ messages }) => ({ messages: [await model.invoke(messages)] }))
  .addNode('tools', new ToolNode([getWeather]))
  .addEdge(START, 'model')
  .addConditionalEdges('model', toolsCondition, ['tools', END])
  .addEdge('tools', 'model')
  .compile()

const { messages } = await agent.invoke(
  { messages: [new HumanMessage('What is the weather in Lyon?')] },
  { runName: 'LangGraph' },
)
console.log(messages.at(-1)?.text)

await tracerProvider.shutdown()
