/**
 * The original span, stored as `otel` in the log's metadata. A pointer replaces a long attribute that the log's input
 * or output repeats: `{"sameAs": "/input/0/parts/0/content"}` for the same text, `{"jsonOf": "/input"}` for JSON text
 * of that value.
 */
import { sharedJsonOf } from '../monitor/json-of.ts'
import { mapFields, parseJson, plainValue } from './json-value.ts'
import type { Attributes, ReceivedSpan } from './span.ts'
import type { SpanFlag } from './usage.ts'

/** Shorter texts are stored in full. */
const repeatedBytesMin = 256

const kindNames = ['unspecified', 'internal', 'server', 'client', 'producer', 'consumer']
const statusNames = ['unset', 'ok', 'error']

export interface StoredValues {
  readonly input: unknown
  readonly output: unknown
}

/** Enough names to recognize a span of another convention. */
const notUnderstoodMax = 50

/** The span as JSON, with flags for odd numbers and the names of the attributes that no convention understands. */
export function otelMetadata(
  span: ReceivedSpan,
  knownValues: StoredValues,
  flags: readonly SpanFlag[],
  notUnderstood: readonly string[],
): Record<string, unknown> {
  const { traceId, spanId, parentSpanId, startNs, endNs, status, scope, resource, events, links } = span
  const isNamed = scope.name !== '' || scope.version !== '' || !isEmpty(scope.attributes)
  // JSON leaves out fields that are undefined.
  return {
    traceId,
    spanId,
    parentSpanId: parentSpanId ?? undefined,
    name: span.name,
    kind: kindNames[span.kind] ?? span.kind,
    startTimeUnixNano: String(startNs),
    endTimeUnixNano: endNs === null ? undefined : String(endNs),
    status:
      status.code === 0 && status.message === ''
        ? undefined
        : { code: statusNames[status.code] ?? status.code, message: status.message },
    scope: isNamed
      ? { name: scope.name, version: scope.version, attributes: valuesIn(scope.attributes) }
      : undefined,
    resource: valuesIn(resource),
    attributes: isEmpty(span.attributes) ? undefined : withoutRepeats(span.attributes, knownValues),
    events:
      events.length === 0
        ? undefined
        : events.map(({ name, timeNs, attributes }) => ({
            name,
            timeUnixNano: String(timeNs),
            attributes: valuesIn(attributes),
          })),
    links:
      links.length === 0
        ? undefined
        : links.map(({ attributes, ...link }) => ({ ...link, attributes: valuesIn(attributes) })),
    flags: flags.length === 0 ? undefined : flags,
    notUnderstood: notUnderstood.length === 0 ? undefined : notUnderstood.slice(0, notUnderstoodMax),
  }
}

const isEmpty = (attributes: Attributes): boolean => {
  for (const _ in attributes) return false
  return true
}

const valuesIn = (attributes: Attributes): unknown =>
  isEmpty(attributes) ? undefined : plainValue(attributes)

function withoutRepeats(attributes: Attributes, knownValues: StoredValues): Fields {
  let pointers: Pointers | undefined
  return mapFields(attributes, (value) => {
    if (typeof value !== 'string' || value.length < repeatedBytesMin) return plainValue(value)
    pointers ??= pointersOf(knownValues)
    const same = pointers.texts.get(value)
    if (same !== undefined) return { sameAs: pathOf(same) }
    const whole = pointerOfJson(value, pointers) ?? wholeOf(value, pointers)
    return whole === undefined ? value : { jsonOf: whole }
  })
}

/** The pointer to a value, for a text that is the same JSON formatted differently. */
function wholeOf(text: string, { values }: Pick<Pointers, 'values'>): string | undefined {
  const start = startOf(text)
  // Comparing beginnings rules out most texts; parsing one costs as much as reading its span.
  if (!start.includes('\\') && !values.some(({ json }) => startOf(json) === start)) return undefined
  const parsed = parseJson(text)
  return parsed === undefined ? undefined : pointerOfJson(JSON.stringify(parsed), { values })
}

const pointerOfJson = (text: string, { values }: Pick<Pointers, 'values'>): string | undefined =>
  values.findLast(({ json }) => json === text)?.pointer

/** At least the first 24 characters, without whitespace, are equal in two JSON texts of one value. */
const startOf = (json: string): string => json.slice(0, 400).replaceAll(/\s/g, '').slice(0, 24)

interface Pointers {
  readonly texts: ReadonlyMap<string, Place>
  /** Pointers to the whole input and output, by their compact JSON. */
  readonly values: readonly { readonly json: string; readonly pointer: string }[]
}

/** A step into a value. Pointers are built only for texts that an attribute repeats. */
interface Place {
  readonly parent: Place | undefined
  readonly key: string | number
}

function pathOf({ parent, key }: Place): string {
  const parentPath = parent === undefined ? '' : pathOf(parent)
  return `${parentPath}/${typeof key === 'number' ? key : key.replaceAll('~', '~0').replaceAll('/', '~1')}`
}

function pointersOf({ input, output }: StoredValues): Pointers {
  const texts = new Map<string, Place>()
  const values: { json: string; pointer: string }[] = []
  for (const [key, value] of [
    ['input', input],
    ['output', output],
  ] as const) {
    addTexts(texts, value, undefined, key)
    if (typeof value === 'object' && value !== null)
      values.push({ json: sharedJsonOf(value), pointer: `/${key}` })
  }
  return { texts, values }
}

/** Adds the long texts in a value, each with its first place. */
function addTexts(
  texts: Map<string, Place>,
  value: unknown,
  parent: Place | undefined,
  key: string | number,
): void {
  if (typeof value === 'string') {
    if (value.length >= repeatedBytesMin && !texts.has(value)) texts.set(value, { parent, key })
    return
  }
  if (typeof value !== 'object' || value === null) return
  const place = { parent, key }
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) addTexts(texts, value[index], place, index)
  } else {
    for (const name of Object.keys(value)) addTexts(texts, (value as Fields)[name], place, name)
  }
}

type Fields = Readonly<Record<string, unknown>>
