/**
 * Masks an OpenTelemetry export. The result is the same export in JSON, with only the fields that the service reads: ids,
 * times and enums stay, and everything that may hold text is masked.
 */
import type { MaskingField } from '@plumbline/contract'
import { parseJsonBytes } from '@plumbline/storage/parse-json-text'
import { decodeLogs, decodeTraces } from '../otlp/receive/protobuf.ts'
import { type Encoding, readSpans } from '../otlp/receive/read-export.ts'
import { listOf } from '../otlp/receive/read-value.ts'
import type {
  LogsRequest,
  Long,
  TraceRequest,
  WireAttribute,
  WireBytes,
  WireEvent,
  WireLink,
  WireLogRecord,
  WireScope,
  WireSpan,
  WireValue,
} from '../otlp/receive/wire.ts'
import type { CompiledRules, FieldRules, PathRule, RuleSet } from './compile-rules.ts'
import { fieldsOfAttribute } from './fields-of-attribute.ts'
import { dropped, maskText, type TextContext, unsearched } from './mask-text.ts'
import { MaskedKeys, maskKey, maskNumber, maskValue } from './mask-value.ts'
import { enter, type PathPositions, ruleAt } from './path.ts'

export interface MaskedExport {
  readonly signal: 'traces' | 'logs'
  readonly encoding: Encoding
  readonly body: Buffer
  /** The feature of each span that names one, by its position among the readable spans. */
  readonly featureAt: (position: number) => string | null | undefined
}

type Context = Omit<TextContext, 'rules'>

/** The masked export as JSON. */
export function maskExport(message: MaskedExport, rules: CompiledRules, context: Context): Buffer {
  const { body, encoding, signal } = message
  // Safe: it was read once before it was accepted, by the same functions; every field is checked below.
  const request: unknown =
    encoding === 'json' ? parseJsonBytes(body) : signal === 'traces' ? decodeTraces(body) : decodeLogs(body)
  const masked =
    signal === 'traces'
      ? maskSpans(request as TraceRequest, featuresOf(message), rules, context)
      : maskLogRecords(request as LogsRequest, new Masker(rules.forFeature(undefined), context))
  return Buffer.from(JSON.stringify(masked))
}

/**
 * The features that the spans of each OpenTelemetry trace name in this export. A trace that names none here may do so in
 * another export, so its feature is not known.
 */
function featuresOf({ body, encoding, featureAt }: MaskedExport): ReadonlyMap<string, ReadonlySet<string>> {
  const features = new Map<string, Set<string>>()
  for (const [position, { traceId }] of readSpans(body, encoding).parts.entries()) {
    const feature = featureAt(position)
    if (feature == null) continue
    features.set(traceId, (features.get(traceId) ?? new Set()).add(feature))
  }
  return features
}

function maskSpans(
  { resourceSpans }: TraceRequest,
  features: ReadonlyMap<string, ReadonlySet<string>>,
  rules: CompiledRules,
  context: Context,
): object {
  const unknown = new Masker(rules.forFeature(undefined), context)
  const maskers = new Map<string, Masker>()
  const maskerOf = (span: WireSpan): Masker => {
    const [feature, ...others] = features.get(idOf(span.traceId)?.toLowerCase() ?? '') ?? []
    // With several features, it is not known which one the trace will have.
    if (feature === undefined || others.length > 0) return unknown
    const masker = maskers.get(feature) ?? new Masker(rules.forFeature(feature), context)
    maskers.set(feature, masker)
    return masker
  }
  return {
    resourceSpans: objectsIn(resourceSpans).map(({ resource, scopeSpans }) => ({
      resource: { attributes: unknown.attributes(resource?.attributes) },
      scopeSpans: objectsIn(scopeSpans).map(({ scope, spans }) => ({
        scope: unknown.scope(scope),
        spans: listOf(spans).map((span) => (isObject(span) ? maskerOf(span).span(span) : null)),
      })),
    })),
  }
}

const maskLogRecords = ({ resourceLogs }: LogsRequest, masker: Masker): object => ({
  resourceLogs: objectsIn(resourceLogs).map(({ scopeLogs }) => ({
    scopeLogs: objectsIn(scopeLogs).map(({ logRecords }) => ({
      logRecords: listOf(logRecords).map((record) => (isObject(record) ? masker.logRecord(record) : null)),
    })),
  })),
})

/** Values nested deeper are rejected when the export is read. */
const nestingMax = 101

class Masker {
  readonly #rules: RuleSet
  readonly #context: TextContext
  readonly #byFields = new Map<string, FieldRules>()

  constructor(rules: RuleSet, context: Context) {
    this.#rules = rules
    this.#context = { ...context, rules }
  }

  span(span: WireSpan): WireSpan {
    return {
      traceId: idOf(span.traceId),
      spanId: idOf(span.spanId),
      parentSpanId: idOf(span.parentSpanId),
      name: this.#text(span.name, 'name'),
      kind: enumOf(span.kind),
      startTimeUnixNano: integerOf(span.startTimeUnixNano),
      endTimeUnixNano: integerOf(span.endTimeUnixNano),
      attributes: this.attributes(span.attributes),
      events: listOf(span.events).map((event) => this.#event(event)),
      links: listOf(span.links).map((link) => this.#link(link)),
      status: { code: enumOf(span.status?.code), message: this.#text(span.status?.message, 'output') },
    }
  }

  logRecord(record: WireLogRecord): WireLogRecord {
    return {
      traceId: idOf(record.traceId),
      spanId: idOf(record.spanId),
      timeUnixNano: integerOf(record.timeUnixNano),
      observedTimeUnixNano: integerOf(record.observedTimeUnixNano),
      eventName: this.#text(record.eventName, 'name'),
      body: this.#whole(record.body, 'body'),
      attributes: this.attributes(record.attributes),
    }
  }

  scope(scope: WireScope | null | undefined): WireScope {
    return {
      name: this.#text(scope?.name, 'metadata'),
      version: this.#text(scope?.version, 'metadata'),
      attributes: this.attributes(scope?.attributes),
    }
  }

  attributes(list: readonly WireAttribute[] | null | undefined): WireAttribute[] {
    const maskedKeys = new MaskedKeys()
    return listOf(list).flatMap((attribute) => {
      const key = attribute?.key
      if (typeof key !== 'string') return []
      const rules = this.#rulesOf(fieldsOfAttribute(key))
      const name = maskedKeys.add(key, maskKey(key, rules.texts, this.#context))
      return [{ key: name, value: this.#whole(attribute.value, key) }]
    })
  }

  #event(event: WireEvent): WireEvent {
    return {
      name: this.#text(event?.name, 'name'),
      timeUnixNano: integerOf(event?.timeUnixNano),
      attributes: this.attributes(event?.attributes),
    }
  }

  #link(link: WireLink): WireLink {
    return {
      traceId: idOf(link?.traceId),
      spanId: idOf(link?.spanId),
      attributes: this.attributes(link?.attributes),
    }
  }

  #text(text: unknown, field: MaskingField): string {
    if (typeof text !== 'string') return ''
    const masked = maskText(text, this.#rules.rulesOf(field).texts, this.#context)
    return masked === dropped ? '[dropped]' : masked
  }

  #whole(value: WireValue | null | undefined, key: string): WireValue {
    const rules = this.#rulesOf(fieldsOfAttribute(key))
    const reach = this.#enter(rules.paths, key)
    if (reach === undefined) return coverOf(value)
    // A path that is only a field covers its content, not its cost.
    return this.#value(
      value,
      rules,
      measures.test(key) ? reach.filter(({ steps }) => steps.length > 1) : reach,
      0,
    )
  }

  #value(
    value: WireValue | null | undefined,
    rules: FieldRules,
    reach: PathPositions<PathRule>,
    depth: number,
  ): WireValue {
    if (!isObject(value) || depth > nestingMax) return {}
    const { stringValue, intValue, boolValue, doubleValue, bytesValue, arrayValue, kvlistValue } = value
    const nestedRules = { ...rules, paths: reach }
    const covered = ruleAt(reach)
    if (covered?.action === 'drop') return {}
    if (stringValue != null) {
      const masked = maskValue(String(stringValue), nestedRules, this.#context)
      return typeof masked === 'string' ? { stringValue: masked } : {}
    }
    // A path that is only a field covers texts: numbers in attributes are settings and counts.
    if (covered !== undefined && reach.every(({ steps }) => steps.length === 1)) {
      if (intValue != null) return { intValue: integerOf(intValue) ?? null }
      if (boolValue != null) return { boolValue: boolValue === true }
      if (doubleValue != null) return this.#double(doubleValue, { ...nestedRules, paths: [] })
    }
    if (intValue != null) return this.#integer(integerOf(intValue), nestedRules)
    if (boolValue != null) return covered === undefined ? { boolValue: boolValue === true } : {}
    if (doubleValue != null) return this.#double(doubleValue, nestedRules)
    if (bytesValue != null) return this.#bytes(bytesValue, nestedRules)
    const nestedValue = (each: WireValue | null | undefined, key: string): WireValue => {
      const inner = covered === undefined ? this.#enter(reach, key) : reach
      return inner === undefined ? coverOf(each) : this.#value(each, rules, inner, depth + 1)
    }
    if (arrayValue != null)
      return {
        arrayValue: {
          values: listOf(arrayValue.values).map((each, index) => nestedValue(each, String(index))),
        },
      }
    if (kvlistValue == null) return {}
    const maskedKeys = new MaskedKeys()
    const values = listOf(kvlistValue.values).flatMap((attribute) => {
      const key = attribute?.key
      if (typeof key !== 'string') return []
      const name = maskedKeys.add(key, maskKey(key, rules.texts, this.#context))
      return [{ key: name, value: nestedValue(attribute.value, key) }]
    })
    return { kvlistValue: { values } }
  }

  /** The path positions below a key; undefined after the deadline, when paths may lead to any remaining value. */
  #enter(reach: PathPositions<PathRule>, key: string): PathPositions<PathRule> | undefined {
    if (reach.length === 0) return reach
    return this.#context.deadline.isOver() ? undefined : enter(reach, key)
  }

  #integer(text: string | undefined, rules: FieldRules): WireValue {
    if (text === undefined) return {}
    // A text that is no integer is rejected when it is read; a number beyond a double's precision is no card number.
    if (!/^-?\d{1,20}$/.test(text)) return { intValue: 'NaN' }
    const number = Number(text)
    if (!Number.isSafeInteger(number) && ruleAt(rules.paths) === undefined) {
      const isFound = rules.texts.some((rule) => rule.readsNumbers && rule.find(text).length > 0)
      return isFound ? {} : { intValue: text }
    }
    const masked = maskValue(number, rules, this.#context)
    return masked === null ? {} : { intValue: masked === number ? text : String(masked) }
  }

  #double(input: number | string, rules: FieldRules): WireValue {
    const number = Number(input)
    if (!Number.isFinite(number))
      return { doubleValue: /^-?(?:NaN|Infinity)$/.test(String(input)) ? String(input) : 'NaN' }
    if (ruleAt(rules.paths) === undefined) {
      const masked = maskNumber(number, rules.texts, this.#context, '')
      return masked === null ? {} : { doubleValue: masked }
    }
    const masked = maskValue(number, rules, this.#context)
    return typeof masked === 'number' ? { doubleValue: masked } : {}
  }

  /** Bytes are masked as the text that they may contain. */
  #bytes(input: WireBytes, rules: FieldRules): WireValue {
    const bytes = typeof input === 'string' ? Buffer.from(input, 'base64') : Buffer.from(input)
    const text = bytes.toString('latin1')
    const masked = maskValue(text, rules, this.#context)
    if (typeof masked !== 'string') return {}
    return { bytesValue: (masked === text ? bytes : Buffer.from(masked, 'utf8')).toString('base64') }
  }

  /** A rule limited to fields applies to an attribute that may belong to one of them. */
  #rulesOf(fields: readonly MaskingField[]): FieldRules {
    const key = fields.join()
    const fieldRules = this.#byFields.get(key)
    if (fieldRules !== undefined) return fieldRules
    const all = fields.map((field) => this.#rules.rulesOf(field))
    const rules: FieldRules = {
      texts: [...new Set(all.flatMap(({ texts }) => texts))].sort((a, b) => a.index - b.index),
      // Attribute names follow many conventions, so the part of a path after the field is matched at their end.
      paths: anywhere(all.flatMap(({ paths }) => paths)),
    }
    this.#byFields.set(key, rules)
    return rules
  }
}

const coverOf = (value: WireValue | null | undefined): WireValue =>
  isObject(value) && value.stringValue != null ? { stringValue: unsearched } : {}

const measures = /usage|token|cost|model|count|latency|duration/i

/** The same paths with `**` in front, each once. */
const anywhere = (paths: PathPositions<PathRule>): PathPositions<PathRule> =>
  [...new Set(paths.map(({ rule }) => rule))].map((rule) => ({
    rule,
    steps: [{ type: 'any' }, ...rule.steps],
    next: 0,
  }))

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const objectsIn = <Of>(list: readonly Of[] | null | undefined): readonly Of[] => listOf(list).filter(isObject)

const idOf = (id: WireBytes | null | undefined): string | undefined =>
  id == null
    ? undefined
    : typeof id === 'string'
      ? /^[\w+/=-]{0,64}$/.test(id)
        ? id
        : 'invalid'
      : Buffer.from(id).toString('hex')

const enumOf = (input: number | string | null | undefined): number | string | undefined =>
  typeof input === 'number' || (typeof input === 'string' && /^\w{1,60}$/.test(input)) ? input : undefined

/** The digits of a 64-bit integer; `invalid` for anything else, so that it is rejected as it would be unmasked. */
function integerOf(input: Long | number | string | null | undefined): string | undefined {
  if (input == null) return undefined
  if (typeof input === 'number') return Number.isFinite(input) ? String(BigInt(Math.trunc(input))) : 'invalid'
  if (typeof input === 'string') return /^-?\d{1,20}$/.test(input) ? input : 'invalid'
  const { high, low, unsigned } = input
  if (typeof high !== 'number' || typeof low !== 'number') return 'invalid'
  return String((BigInt(unsigned ? high >>> 0 : high) << 32n) | BigInt(low >>> 0))
}
