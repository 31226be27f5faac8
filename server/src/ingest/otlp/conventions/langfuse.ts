/** `langfuse.*`: attributes of Langfuse's own SDKs. */
import type { LogType } from '@plumbline/contract'
import { parseJsonText } from '@plumbline/storage/parse-json-text'
import type { AttributeReader } from '../attribute-reader.ts'
import type { Convention, SpanFacts } from '../facts.ts'
import { numberOrUndefined, parseStructure } from '../json-value.ts'
import { promptOf } from '../references.ts'

const kinds: Readonly<Record<string, LogType>> = {
  generation: 'generation',
  embedding: 'generation',
  tool: 'tool',
  retriever: 'retrieval',
  event: 'event',
  span: 'span',
  agent: 'span',
  chain: 'span',
  guardrail: 'span',
  evaluator: 'span',
}

export const langfuse: Convention = {
  name: 'langfuse',
  namespaces: ['langfuse'],
  understands: /^langfuse\./,
  read(span) {
    const type = span.text('langfuse.observation.type')?.toLowerCase()
    const model = span.text('langfuse.observation.model.name', 'langfuse.model.name')
    const traceMetadata = metadataOf(span, 'langfuse.trace.metadata')
    const tags = span.structure('langfuse.trace.tags', 'langfuse.tags')
    const user = span.text('langfuse.user.id', 'user.id')
    const level = span.text('langfuse.observation.level')
    const isError = level === 'ERROR'
    const remaining = withoutUndefined({
      type:
        type !== undefined && !['span', 'generation', 'event'].includes(type)
          ? type.toUpperCase()
          : undefined,
      level: level === 'DEFAULT' ? undefined : level,
      statusMessage: span.text('langfuse.observation.status_message'),
      version: span.text('langfuse.version'),
      experimentName: span.text('langfuse.experiment.name'),
      experimentId: span.text('langfuse.experiment.id'),
      datasetId: span.text('langfuse.experiment.dataset.id'),
      datasetItemId: span.text('langfuse.experiment.item.id'),
    })
    const metadata = metadataOf(span, 'langfuse.observation.metadata')
    return {
      // Before version 3.3, the Python SDK sent generations as spans.
      kind:
        type === 'span' && model !== undefined
          ? 'generation'
          : type && Object.hasOwn(kinds, type)
            ? kinds[type]
            : undefined,
      isEmbedding: type === 'embedding',
      model,
      input: span.structure('langfuse.observation.input'),
      output: span.structure('langfuse.observation.output'),
      idealOutput: span.structure('langfuse.experiment.item.expected_output'),
      tokens: tokensOf(span),
      cost: costOf(span),
      sessionId: span.text('langfuse.session.id', 'session.id'),
      user: user === undefined ? undefined : { id: user },
      prompt:
        span.text('langfuse.observation.prompt.name') === undefined
          ? undefined
          : promptOf(span.span.attributes),
      metadata: Object.keys(remaining).length === 0 ? metadata : { ...metadata, langfuse: remaining },
      parameters: span.record('langfuse.observation.model.parameters'),
      traceName: span.text('langfuse.trace.name'),
      traceMetadata:
        traceMetadata === undefined && tags === undefined
          ? undefined
          : { ...(tags === undefined ? {} : { tags }), ...traceMetadata },
      traceInput: span.structure('langfuse.trace.input'),
      traceOutput: span.structure('langfuse.trace.output'),
      error: isError ? { message: span.text('langfuse.observation.status_message') } : undefined,
    }
  },
}

/** From version 5 on, the Python SDK sends each value as JSON text, even texts. */
const isAllJson = ({ span: { scope, resource } }: AttributeReader): boolean =>
  scope.name === 'langfuse-sdk' &&
  resource['telemetry.sdk.language'] === 'python' &&
  Number.parseInt(scope.version, 10) >= 5

function readJson(value: unknown): unknown {
  try {
    return typeof value === 'string' ? (parseJsonText(value) as unknown) : value
  } catch {
    return value
  }
}

const withoutUndefined = (fields: Readonly<Record<string, string | undefined>>) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))

/** Metadata as one object in JSON text, or as one attribute per key. */
function metadataOf(span: AttributeReader, prefix: string): Readonly<Record<string, unknown>> | undefined {
  const whole = span.record(prefix)
  const keyed = span.below(`${prefix}.`)
  if (whole === undefined && keyed === undefined) return undefined
  const read = isAllJson(span) ? readJson : parseStructure
  return {
    ...whole,
    ...Object.fromEntries(Object.entries(keyed ?? {}).map(([key, value]) => [key, read(value)])),
  }
}

/** Langfuse's own names are disjoint parts, so they are added up; OpenAI's names are used unchanged. */
function tokensOf(span: AttributeReader): SpanFacts['tokens'] {
  const usage = span.record('langfuse.observation.usage_details')
  if (usage === undefined) return undefined
  const count = (key: string) => numberOrUndefined(usage[key])
  const cacheRead =
    count('input_cached_tokens') ?? count('cache_read_input_tokens') ?? count('input_cache_read')
  // LangChain reports cache writes by lifetime, with a sum of 0.
  const hourWrite = count('input_ephemeral_1h_input_tokens') ?? 0
  const lifetimes = (count('input_ephemeral_5m_input_tokens') ?? 0) + hourWrite
  const cacheWrite =
    (count('input_cache_creation') ?? count('cache_creation_input_tokens')) || lifetimes || undefined
  const reasoning = count('output_reasoning_tokens') ?? count('output_reasoning')
  const audioInput = count('input_audio_tokens') ?? count('input_audio') ?? 0
  const audioOutput = count('output_audio_tokens') ?? count('output_audio') ?? 0
  const [input, output] = [count('input'), count('output')]
  return {
    input:
      input === undefined
        ? (count('prompt_tokens') ?? count('input_tokens'))
        : input + (cacheRead ?? 0) + (cacheWrite ?? 0) + audioInput,
    output:
      output === undefined
        ? (count('completion_tokens') ?? count('output_tokens'))
        : output + (reasoning ?? 0) + audioOutput,
    cacheRead,
    cacheWrite,
    reasoning,
    parts: {
      ...(audioInput > 0 ? { audioInputTokens: audioInput } : {}),
      ...(audioOutput > 0 ? { audioOutputTokens: audioOutput } : {}),
      ...(hourWrite > 0 ? { cacheWriteHourTokens: hourWrite } : {}),
    },
    details: usage,
  }
}

function costOf(span: AttributeReader): number | undefined {
  const cost = span.record('langfuse.observation.cost_details')
  if (cost === undefined) return undefined
  const parts = Object.values(cost).flatMap((part) => numberOrUndefined(part) ?? [])
  return (
    numberOrUndefined(cost.total) ??
    (parts.length === 0 ? undefined : parts.reduce((sum, part) => sum + part, 0))
  )
}
