/** `basalt.*`: attributes of our own clients, in JavaScript and Python. */
import type { LogType } from '@plumbline/contract'
import type { AttributeReader } from '../attribute-reader.ts'
import type { Convention, Identity, SpanFacts } from '../facts.ts'
import {
  field,
  isObject,
  numberOrUndefined,
  parseJson,
  parseStructure,
  textOrUndefined,
} from '../json-value.ts'
import { promptOf, slugsOf } from '../references.ts'
import type { Span } from '../span.ts'

const kinds: Readonly<Record<string, LogType>> = {
  basalt_trace: 'span',
  span: 'span',
  generation: 'generation',
  retrieval: 'retrieval',
  function: 'function',
  tool: 'tool',
  event: 'event',
}

export const ownClient: Convention = {
  name: 'basalt',
  namespaces: ['basalt'],
  understands: /^basalt\./,
  read(span) {
    const kind = span.text('basalt.span.kind')
    const evaluation =
      span.record('basalt.span.evaluation.config', 'basalt.evaluation.config') ??
      span.below('basalt.span.evaluation.config.')
    const slug = span.text('basalt.prompt.slug')
    return {
      kind: kind === undefined ? undefined : kinds[kind.toLowerCase()],
      promptModel: span.text('basalt.prompt.model.model'),
      promptProvider: span.text('basalt.prompt.model.provider'),
      input: inputOf(span),
      output: readClientValue(span, 'basalt.span.output') ?? span.structure('basalt.tool.output'),
      idealOutput: readClientValue(span, 'basalt.span.ideal_output'),
      ...(slug === undefined ? {} : { prompt: promptOf(span.span.attributes) }),
      variables: variablesOf(span),
      evaluators: evaluatorsOf(span),
      shouldEvaluate: span.boolean('basalt.span.should_evaluate'),
      sampleRate: rateOf(
        span.number('basalt.span.evaluation.sample_rate') ??
          numberOrUndefined(field(evaluation, 'sample_rate')) ??
          numberOrUndefined(field(evaluation, 'sampleRate')),
      ),
      evaluationConfig: evaluation,
      featureSlug: span.text('basalt.span.feature_slug'),
      experimentId: span.text('basalt.experiment.id'),
      user: identityOf(span, 'user'),
      organization: identityOf(span, 'organization'),
      metadata: metadataOf(span),
    }
  },
}

function inputOf(span: AttributeReader): unknown {
  return (
    readClientValue(span, 'basalt.span.input') ??
    span.structure('basalt.tool.input') ??
    span.structure('basalt.event.payload') ??
    span.text('basalt.retrieval.query')
  )
}

/**
 * Restores the value that the application passed to the client. The JavaScript client sends every value as JSON text;
 * the Python client sends texts and scalars unchanged. From an unknown client, a quoted text is JSON.
 */
function readClientValue(span: AttributeReader, key: string): unknown {
  const value = span.value(key)
  if (typeof value !== 'string') return value === undefined ? undefined : parseStructure(value)
  const client = clientOf(span.span)
  if (client === 'python') return parseJson(value) ?? value
  if (client === 'javascript' || /^\s*"/.test(value)) {
    const parsed = parseJson(value, 'anything')
    return parsed === undefined ? value : parsed
  }
  return parseJson(value) ?? value
}

function clientOf({ attributes, resource }: Span): 'python' | 'javascript' | undefined {
  const type = textOrUndefined(attributes['basalt.sdk.type'] ?? resource['basalt.sdk.type'])
  if (type === 'python' || resource['telemetry.sdk.language'] === 'python') return 'python'
  const name = textOrUndefined(attributes['basalt.sdk.name'] ?? resource['basalt.sdk.name'])
  return name !== undefined || resource['telemetry.sdk.language'] === 'nodejs' ? 'javascript' : undefined
}

/** A user or an organization; the id replaces a missing name. */
function identityOf(span: AttributeReader, who: 'user' | 'organization'): Identity | undefined {
  const id = span.text(`basalt.${who}.id`, `basalt.identity.${who}_id`)
  const name = span.text(`basalt.${who}.name`)
  return id === undefined ? undefined : { id, name: name ?? id }
}

function variablesOf(span: AttributeReader): SpanFacts['variables'] {
  return toVariables(span.record('basalt.span.variables', 'basalt.prompt.variables'))
}

/** Turns an object of values by label into variables. */
export function toVariables(
  variables: Readonly<Record<string, unknown>> | undefined,
): SpanFacts['variables'] {
  return variables === undefined
    ? undefined
    : Object.entries(variables).map(([label, value]) => ({ label, value }))
}

function evaluatorsOf(span: AttributeReader): string[] | undefined {
  const slugs = slugsOf(span.value('basalt.span.evaluators'))
  return slugs.length === 0 ? undefined : [...new Set(slugs)]
}

const rateOf = (rate: number | undefined): number | undefined =>
  rate === undefined ? undefined : Math.min(1, Math.max(0, rate))

function metadataOf(span: AttributeReader): Readonly<Record<string, unknown>> | undefined {
  const whole = span.record('basalt.metadata')
  const keyed = span.below('basalt.meta.')
  return whole === undefined && keyed === undefined ? undefined : { ...whole, ...keyed }
}

const summaryKeys = new Set([
  'operation',
  'model',
  'system',
  'provider',
  'temperature',
  'max_tokens',
  'top_p',
  'top_k',
  'stop_sequences',
  'frequency_penalty',
  'presence_penalty',
  'response_id',
  'response_model',
  'finish_reasons',
  'input_tokens',
  'output_tokens',
  'total_tokens',
])

/** Whether a value is the JavaScript client's summary of an instrumented call: its settings, not its content. */
export const isCallSummary = (value: unknown): boolean =>
  isObject(value) && Object.keys(value).length > 0 && Object.keys(value).every((key) => summaryKeys.has(key))

const bookkeepingName = /^basalt\.(prompt|dataset|api)\./

/** Spans of the clients' own requests to us; outside a trace they do not belong to the application. */
export function isBookkeeping({ name, attributes }: Span): boolean {
  if (bookkeepingName.test(name) || isTrue(attributes['basalt.internal.api'])) return true
  const metadata = attributes['basalt.metadata']
  if (typeof metadata === 'string') {
    return (
      metadata.includes('basalt.internal.api') && isTrue(field(parseJson(metadata), 'basalt.internal.api'))
    )
  }
  return isObject(metadata) && isTrue(field(metadata, 'basalt.internal.api'))
}

/** A root of our own clients, which starts a trace at any depth. */
export const isOwnRoot = (span: Span): boolean =>
  isTrue(span.attributes['basalt.root']) && !isBookkeeping(span)

/** Whether a span above a root may provide the input and output of the trace. */
export const isInTrace = ({ attributes }: Span): boolean => isTrue(attributes['basalt.in_trace'])

const isTrue = (value: unknown): boolean => value === true || value === 'true'
