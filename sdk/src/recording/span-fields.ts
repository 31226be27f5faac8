/**
 * The fields of a span that is being recorded, as OpenTelemetry attributes. Values are serialized when they are recorded, so
 * that later changes by the application (such as a growing list of messages) do not change the record.
 */
import { contentCharsMax, TooLarge, toJson } from '../client/json.ts'
import type { SpanContext } from './span-context.ts'

type Attribute = string | number | boolean | readonly string[]

const leftOut = '[left out: the span would be too large]'
const leftOutJson = JSON.stringify(leftOut)

const textFields: Readonly<Record<string, string>> = {
  input: 'plumbline.input',
  output: 'plumbline.output',
  idealOutput: 'plumbline.ideal_output',
}

const plainFields: Readonly<Record<string, string>> = {
  model: 'plumbline.model',
  provider: 'plumbline.provider',
  inputTokens: 'plumbline.usage.input_tokens',
  outputTokens: 'plumbline.usage.output_tokens',
  cost: 'plumbline.cost',
  timeToFirstTokenMs: 'plumbline.time_to_first_token_ms',
  featureSlug: 'plumbline.feature',
  sessionId: 'plumbline.session',
  environment: 'plumbline.environment',
  release: 'plumbline.release',
}

type Mask = (field: string, value: unknown) => unknown

export class SpanFields {
  readonly #attributes = new Map<string, Attribute>()
  readonly #metadata = new Map<string, string>()
  readonly #mask: Mask
  readonly #onTooLarge: () => void
  #chars = 0
  #name: string | undefined
  #error: string | undefined
  startMs: number | undefined
  endMs: number | undefined

  constructor(mask: Mask, onTooLarge: () => void) {
    this.#mask = mask
    this.#onTooLarge = onTooLarge
  }

  get hasOutput(): boolean {
    return this.#attributes.has('plumbline.output')
  }

  /** Sets one field, by its name in the interface; undefined and null are ignored. */
  set(name: string, value: unknown): void {
    if (value == null) return
    try {
      this.#setField(name, value)
    } catch (error) {
      if (!(error instanceof TooLarge)) throw error
      this.#onTooLarge()
      const text = textFields[name]
      if (text !== undefined) this.#put(text, leftOut)
    }
  }

  #setField(name: string, value: unknown): void {
    switch (name) {
      case 'startTime':
        this.startMs = toMs(value) ?? this.startMs
        return
      case 'endTime':
        this.endMs = toMs(value) ?? this.endMs
        return
      case 'type':
        this.#put('plumbline.type', String(value))
        return
      case 'error':
        this.#setError(value)
        return
      case 'metadata':
        this.#addMetadata(value)
        return
      default:
        this.#setContent(name, this.#mask(name, value))
    }
  }

  #setContent(name: string, value: unknown): void {
    if (value == null) return
    const text = textFields[name]
    const plain = plainFields[name]
    if (text !== undefined) this.#put(text, toAttributeText(value, this.#room))
    else if (plain !== undefined) this.#put(plain, typeof value === 'number' ? value : String(value))
    else if (name === 'name') this.#name = String(value)
    else for (const [attribute, each] of attributesOf(name, value, this.#room)) this.#put(attribute, each)
  }

  #addMetadata(value: unknown): void {
    const masked = Object.keys(Object(value)).length === 0 ? value : this.#mask('metadata', value)
    // Metadata is left out if the mask returns no object.
    if (typeof masked !== 'object' || masked === null || Array.isArray(masked)) return
    for (const [key, each] of Object.entries(masked)) this.#metadata.set(key, this.#fittingJson(each, key))
  }

  #setError(error: unknown): void {
    this.#error = 'error'
    this.#addMetadata({ error })
    // The text of the error is content too: it is sent only if the mask and the size limit left it unchanged.
    const json = this.#metadata.get('error')
    if (json === undefined || json === leftOutJson || json !== toJson(error)) return
    this.#error =
      error instanceof Error ? error.message || error.name : toAttributeText(error, contentCharsMax)
  }

  /** The number of characters that still fit into the span. */
  get #room(): number {
    return contentCharsMax - this.#chars
  }

  #put(name: string, value: Attribute): void {
    this.#attributes.set(name, typeof value === 'string' ? this.#fitting(value, name, leftOut) : value)
  }

  #fittingJson(value: unknown, name: string): string {
    try {
      return this.#fitting(toJson(value, this.#room), name, leftOutJson)
    } catch (error) {
      if (!(error instanceof TooLarge)) throw error
      this.#onTooLarge()
      return leftOutJson
    }
  }

  #fitting(text: string, name: string, replacement: string): string {
    const isFitting = text.length <= this.#room
    if (!isFitting) this.#onTooLarge()
    this.#chars += isFitting ? text.length + name.length : 0
    return isFitting ? text : replacement
  }

  /** The span as OTLP JSON; a span that has not ended has no end time. */
  toJson({ traceId, spanId }: SpanContext, parentSpanId: string | undefined): string {
    const metadata = Array.from(this.#metadata, ([key, json]) => `${JSON.stringify(key)}:${json}`)
    const attributes: [string, Attribute][] = [...this.#attributes]
    if (metadata.length > 0) attributes.push(['plumbline.metadata', `{${metadata.join(',')}}`])
    return JSON.stringify({
      traceId,
      spanId,
      parentSpanId,
      name: this.#name ?? String(this.#attributes.get('plumbline.type') ?? 'trace'),
      kind: 1,
      startTimeUnixNano: toNanoseconds(this.startMs),
      endTimeUnixNano: toNanoseconds(this.endMs),
      attributes: attributes.map(([key, value]) => ({ key, value: toAnyValue(value) })),
      ...(this.#error === undefined ? {} : { status: { code: 2, message: this.#error } }),
    })
  }
}

/** The attributes of fields that do not map to exactly one attribute. */
function attributesOf(name: string, value: unknown, charsMax: number): [string, Attribute][] {
  const fields = Object(value) as Readonly<Record<string, unknown>>
  const present = (entries: [string, unknown][]): [string, Attribute][] =>
    entries.flatMap(([key, each]) => (each == null || each === '' ? [] : [[key, String(each)]]))
  switch (name) {
    case 'user':
    case 'organization':
      return present([
        [`plumbline.${name}.id`, typeof value === 'object' ? fields.id : value],
        [`plumbline.${name}.name`, fields.name],
      ])
    case 'experiment':
      return present([['plumbline.experiment', fields.id]])
    case 'prompt':
      return present([
        ['plumbline.prompt', fields.slug],
        ['plumbline.prompt.version', fields.version],
        ['plumbline.prompt.tag', fields.tag],
      ])
    case 'variables':
      return [['plumbline.variables', toJson(value, charsMax)]]
    case 'usage':
      return [['plumbline.usage', toJson(value, charsMax)]]
    case 'tags':
      return [['plumbline.tags', Array.isArray(value) ? value.map(String) : [String(value)]]]
    case 'evaluators':
      return [
        ['plumbline.evaluators', Array.isArray(value) ? value.map((each) => String(each?.slug ?? each)) : []],
      ]
    case 'evaluationConfig':
      return typeof fields.sampleRate === 'number' ? [['plumbline.sample_rate', fields.sampleRate]] : []
    default:
      throw new TypeError(`"${name}" is no field of a trace or a log.`)
  }
}

/** Text stays text: if it would be read as JSON, it is quoted. */
function toAttributeText(value: unknown, charsMax: number): string {
  if (typeof value !== 'string') return toJson(value, charsMax)
  return /^\s*["[{]/.test(value) ? JSON.stringify(value) : value
}

function toAnyValue(value: Attribute): object {
  if (typeof value === 'string') return { stringValue: value }
  if (typeof value === 'boolean') return { boolValue: value }
  if (typeof value !== 'number')
    return { arrayValue: { values: value.map((each) => ({ stringValue: each })) } }
  return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value }
}

function toMs(value: unknown): number | undefined {
  const ms = typeof value === 'number' ? value : new Date(value as Date | string).getTime()
  return Number.isFinite(ms) ? ms : undefined
}

/** Rounded to microseconds, the precision of the clock. */
const toNanoseconds = (ms: number | undefined): string | undefined =>
  ms === undefined ? undefined : `${Math.round(ms * 1000)}000`
