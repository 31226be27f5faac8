/** Code to paste that sends a first trace, with the URLs and the key filled in. Pure; the tests run it. */

import manifest from '../../package.json' with { type: 'json' }
import { frameworks } from './framework-snippets.ts'
import type { SnippetId } from './snippet-ids.ts'

export interface Addresses {
  readonly url: string
  readonly otlpHttp: string
  readonly otlpGrpc: string | null
}

/** One snippet, and where to paste it. */
export interface Block {
  readonly title: string
  readonly code: string
}

export interface Snippet {
  readonly id: SnippetId
  readonly label: string
  /** When to use it. */
  readonly hint: string
  readonly blocks: readonly Block[]
}

/** All ways to send a first trace. */
export const snippetsOf = (addresses: Addresses, key: string): readonly Snippet[] => [
  {
    id: 'python',
    label: 'Python',
    hint: 'The client records functions and sends each step as it ends. It works alongside OpenTelemetry instrumentation.',
    blocks: [
      { title: 'In a terminal', code: `pip install ${wheel(addresses)}` },
      { title: 'first_trace.py', code: python(addresses, key) },
    ],
  },
  {
    id: 'typescript',
    label: 'TypeScript',
    hint: 'The client records functions in the background and never throws into your application.',
    blocks: [
      { title: 'In a terminal', code: `npm install ${addresses.url}/packages/sdk.tgz` },
      { title: 'first-trace.ts', code: typescript(addresses, key) },
    ],
  },
  {
    id: 'curl',
    label: 'curl',
    hint: 'One request records a whole trace. Works from any language.',
    blocks: [{ title: 'In a terminal', code: curl(addresses, key) }],
  },
  {
    id: 'opentelemetry',
    label: 'OpenTelemetry',
    hint: 'For applications that are already instrumented. Supports the GenAI conventions, OpenInference, OpenLLMetry and others.',
    blocks: openTelemetry(addresses, key),
  },
  {
    id: 'openai',
    label: 'OpenAI',
    hint: 'Wraps your existing client and records chats, responses, streams and tools.',
    blocks: [
      { title: 'In a terminal', code: `npm install ${addresses.url}/packages/sdk.tgz openai` },
      { title: 'first-trace.ts', code: openai(addresses, key) },
    ],
  },
  ...frameworks.map(({ id, label, hint, packages, program }) => ({
    id,
    label,
    hint,
    blocks: [
      { title: 'In a terminal', code: `pip install ${wheel(addresses)} ${packages}` },
      { title: 'first_trace.py', code: `${initPython(addresses, key)}\n\n${program}` },
    ],
  })),
  {
    id: 'ai-sdk',
    label: 'Vercel AI SDK',
    hint: 'Wraps any language model of the AI SDK.',
    blocks: [
      { title: 'In a terminal', code: `npm install ${addresses.url}/packages/sdk.tgz ai @ai-sdk/openai` },
      { title: 'first-trace.ts', code: aiSdk(addresses, key) },
    ],
  },
  {
    id: 'agent',
    label: 'Coding agent',
    hint: 'For an agent that writes code in your repository: it finds your model calls and records them.',
    blocks: [{ title: 'Paste into the agent', code: agentTask(addresses, key) }],
  },
]

const curl = (
  { url }: Addresses,
  key: string,
): string => `start=$(date -u +%Y-%m-%dT%H:%M:%SZ); sleep 1; end=$(date -u +%Y-%m-%dT%H:%M:%SZ)
curl ${url}/monitor/trace \\
  -H 'Authorization: Bearer ${key}' \\
  -H 'Content-Type: application/json' \\
  -d '{
    "name": "First trace",
    "startTime": "'$start'",
    "endTime": "'$end'",
    "input": "What is the capital of France?",
    "output": "Paris.",
    "logs": [{
      "id": "1",
      "type": "generation",
      "name": "answer",
      "startTime": "'$start'",
      "endTime": "'$end'",
      "input": "What is the capital of France?",
      "output": "Paris.",
      "metadata": { "provider": "open-ai", "model": "gpt-4o" }
    }]
  }'`

const client = ({ url }: Addresses, key: string): string =>
  `const plumbline = createClient({ baseUrl: '${url}', apiKey: '${key}' })`

const typescript = (
  addresses: Addresses,
  key: string,
): string => `import { createClient } from '@plumbline/sdk'

${client(addresses, key)}
const question = 'What is the capital of France?'

await plumbline.trace({ name: 'First trace', input: question }, async (trace) => {
  const documents = await trace.retrieval({ name: 'search', input: question }, async () => ['Paris is the capital of France.'])
  return trace.generation(
    { name: 'answer', model: 'gpt-4o', provider: 'open-ai', input: [{ role: 'user', content: \`\${documents[0]} \${question}\` }] },
    async () => 'Paris.', // Ask your model here.
  )
})
await plumbline.close()`

/** The wheel served by the service: it is built together with the web app, and has its version. */
const wheel = ({ url }: Addresses): string => `${url}/packages/plumbline-${manifest.version}-py3-none-any.whl`

const initPython = ({ url }: Addresses, key: string): string => `import plumbline

plumbline.init(url="${url}", api_key="${key}")`

const python = (addresses: Addresses, key: string): string => `${initPython(addresses, key)}


@plumbline.observe(type="retrieval")
def search(question):
    return ["Paris is the capital of France."]


@plumbline.observe(name="First trace")
def answer(question):
    documents = search(question)
    messages = [{"role": "user", "content": f"{documents[0]} {question}"}]
    with plumbline.generation("answer", model="gpt-4o", provider="open-ai", input=messages) as generation:
        generation.update(output="Paris.")  # Ask your model here.
    return "Paris."


answer("What is the capital of France?")`

/** The key goes as \`x-api-key\`: the variable's values are percent-encoded, and this one needs none. */
const variables = (
  endpoint: string,
  protocol: string,
  key: string,
): string => `export OTEL_EXPORTER_OTLP_ENDPOINT=${endpoint}
export OTEL_EXPORTER_OTLP_PROTOCOL=${protocol}
export OTEL_EXPORTER_OTLP_HEADERS=x-api-key=${key}`

const openTelemetry = (addresses: Addresses, key: string): Block[] => [
  {
    title: 'Over HTTP: environment variables of the application',
    code: variables(addresses.otlpHttp, 'http/protobuf', key),
  },
  ...(addresses.otlpGrpc === null
    ? []
    : [
        {
          title: 'Or over gRPC',
          code: `${variables(addresses.otlpGrpc, 'grpc', key)}
export OTEL_EXPORTER_OTLP_INSECURE=${addresses.otlpGrpc.startsWith('http:')}`,
        },
      ]),
  {
    title: 'JavaScript, over HTTP, configured in code',
    code: `import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import { BatchSpanProcessor } from '@opentelemetry/sdk-trace-base'
import { NodeTracerProvider } from '@opentelemetry/sdk-trace-node'

const exporter = new OTLPTraceExporter({
  url: '${addresses.otlpHttp}/v1/traces',
  headers: { 'x-api-key': '${key}' },
})
const provider = new NodeTracerProvider({ spanProcessors: [new BatchSpanProcessor(exporter)] })
provider.register()

const span = provider.getTracer('first').startSpan('chat gpt-4o', {
  attributes: {
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': 'openai',
    'gen_ai.request.model': 'gpt-4o',
    'gen_ai.usage.input_tokens': 14,
    'gen_ai.usage.output_tokens': 2,
  },
})
span.end()
await provider.shutdown()`,
  },
  {
    title: 'Python: pip install opentelemetry-sdk opentelemetry-exporter-otlp',
    code: `from opentelemetry import trace
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor

exporter = OTLPSpanExporter(
    endpoint="${addresses.otlpHttp}/v1/traces", headers={"x-api-key": "${key}"}
)
provider = TracerProvider()
provider.add_span_processor(BatchSpanProcessor(exporter))
trace.set_tracer_provider(provider)

with trace.get_tracer("first").start_as_current_span("chat gpt-4o") as span:
    span.set_attribute("gen_ai.operation.name", "chat")
    span.set_attribute("gen_ai.provider.name", "openai")
    span.set_attribute("gen_ai.request.model", "gpt-4o")
provider.shutdown()`,
  },
]

const openai = (addresses: Addresses, key: string): string => `import { createClient } from '@plumbline/sdk'
import { wrapOpenAI } from '@plumbline/sdk/openai'
import OpenAI from 'openai'

${client(addresses, key)}
const openai = wrapOpenAI(new OpenAI(), { plumbline }) // Reads OPENAI_API_KEY.

const completion = await openai.chat.completions.create({
  model: 'gpt-4o',
  messages: [{ role: 'user', content: 'What is the capital of France?' }],
})
console.log(completion.choices[0].message.content)
await plumbline.close()`

const aiSdk = (addresses: Addresses, key: string): string => `import { openai } from '@ai-sdk/openai'
import { createClient } from '@plumbline/sdk'
import { wrapModel } from '@plumbline/sdk/ai-sdk'
import { generateText } from 'ai'

${client(addresses, key)}

const { text } = await generateText({
  model: wrapModel(openai('gpt-4o'), { plumbline }), // Reads OPENAI_API_KEY.
  prompt: 'What is the capital of France?',
})
console.log(text)
await plumbline.close()`

const agentTask = (
  addresses: Addresses,
  key: string,
): string => `Record this application’s language model calls in Plumbline, which runs at ${addresses.url}.

1. Read ${addresses.url}/help/sdk.html (TypeScript) or ${addresses.url}/help/python.html (Python), whichever this repository is written in; for other languages ${addresses.url}/help/opentelemetry.html.
2. Install the client from the service itself: \`npm install ${addresses.url}/packages/sdk.tgz\` or \`pip install ${wheel(addresses)}\`.
3. Set PLUMBLINE_URL=${addresses.url} and PLUMBLINE_API_KEY=${key} the way this repository keeps settings and secrets. Do not commit the key.
4. Create one client at startup. Wrap each model client (wrapOpenAI, wrapAnthropic … or wrap_openai, wrap_anthropic), and observe the function that is one run of the application, its tools and its searches.
5. Set the user and the session where they are known (updateTrace, update_trace), and flush before the process exits.
6. Run it once, and check that the trace is listed: \`curl -H 'Authorization: Bearer ${key}' ${addresses.url}/monitor/traces?limit=1\`.`
