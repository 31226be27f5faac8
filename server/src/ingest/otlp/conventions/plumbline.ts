/** `plumbline.*`: attributes that any OpenTelemetry application may set, and that our Python client sets. */
import type { LogType } from '@plumbline/contract'
import type { AttributeReader } from '../attribute-reader.ts'
import type { Convention, Identity, SpanFacts } from '../facts.ts'
import { parseJson, parseStructure } from '../json-value.ts'
import { slugsOf } from '../references.ts'

const types: Readonly<Record<string, LogType>> = {
  generation: 'generation',
  span: 'span',
  function: 'function',
  tool: 'tool',
  retrieval: 'retrieval',
  event: 'event',
}

export const plumbline: Convention = {
  name: 'plumbline',
  namespaces: ['plumbline'],
  understands: /^plumbline\./,
  read(span) {
    const type = span.text('plumbline.type')
    const slug = span.text('plumbline.prompt')
    const evaluators = slugsOf(span.value('plumbline.evaluators'))
    const usage = span.record('plumbline.usage')
    return {
      kind: type !== undefined && Object.hasOwn(types, type) ? types[type] : undefined,
      input: readValue(span, 'plumbline.input'),
      output: readValue(span, 'plumbline.output'),
      idealOutput: readValue(span, 'plumbline.ideal_output'),
      model: span.text('plumbline.model'),
      provider: span.text('plumbline.provider'),
      tokens: {
        input: span.number('plumbline.usage.input_tokens'),
        output: span.number('plumbline.usage.output_tokens'),
        details: usage,
      },
      cost: span.number('plumbline.cost'),
      serviceTier: span.text('plumbline.service_tier'),
      timeToFirstTokenMs: span.number('plumbline.time_to_first_token_ms'),
      prompt: slug === undefined ? undefined : promptOf(span, slug),
      variables: variablesOf(span),
      evaluators: evaluators.length === 0 ? undefined : evaluators,
      sampleRate: rateOf(span.number('plumbline.sample_rate')),
      featureSlug: span.text('plumbline.feature'),
      experimentId: span.text('plumbline.experiment'),
      user: identityOf(span, 'plumbline.user'),
      organization: identityOf(span, 'plumbline.organization'),
      sessionId: span.text('plumbline.session'),
      environment: span.text('plumbline.environment'),
      release: span.text('plumbline.release'),
      tags: tagsOf(span),
      metadata: metadataOf(span, 'plumbline.metadata'),
      traceName: span.text('plumbline.trace.name'),
      traceInput: readValue(span, 'plumbline.trace.input'),
      traceOutput: readValue(span, 'plumbline.trace.output'),
      traceMetadata: metadataOf(span, 'plumbline.trace.metadata'),
    }
  },
}

/** JSON text of an object, an array or a text is parsed; any other text is used as it is. */
function readValue(span: AttributeReader, key: string): unknown {
  const value = span.value(key)
  if (typeof value !== 'string') return value === undefined ? undefined : parseStructure(value)
  return /^\s*"/.test(value) ? (parseJson(value, 'anything') ?? value) : (parseJson(value) ?? value)
}

function promptOf(span: AttributeReader, slug: string): SpanFacts['prompt'] {
  const version = span.text('plumbline.prompt.version')
  const tag = span.text('plumbline.prompt.tag')
  return { slug, ...(version === undefined ? {} : { version }), ...(tag === undefined ? {} : { tag }) }
}

function variablesOf(span: AttributeReader): SpanFacts['variables'] {
  const variables = span.record('plumbline.variables')
  return variables && Object.entries(variables).map(([label, value]) => ({ label, value }))
}

function identityOf(span: AttributeReader, prefix: string): Identity | undefined {
  const id = span.text(`${prefix}.id`)
  return id === undefined ? undefined : { id, name: span.text(`${prefix}.name`) ?? id }
}

/** A list of texts, or texts separated by commas. */
function tagsOf(span: AttributeReader): SpanFacts['tags'] {
  const tags = slugsOf(span.value('plumbline.tags'))
  return tags.length === 0 ? undefined : [...new Set(tags)]
}

/** One object in JSON text, an attribute for each key, or both. */
function metadataOf(span: AttributeReader, prefix: string): Readonly<Record<string, unknown>> | undefined {
  const whole = span.record(prefix)
  const keyed = span.below(`${prefix}.`)
  if (whole === undefined && keyed === undefined) return undefined
  const values = Object.entries(keyed ?? {}).map(([key, value]) => [key, parseStructure(value)])
  return { ...whole, ...Object.fromEntries(values) }
}

const rateOf = (rate: number | undefined): number | undefined =>
  rate === undefined ? undefined : Math.min(1, Math.max(0, rate))
