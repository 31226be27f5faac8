/** Converts any attribute value to JSON that can be stored. */
import { parseJsonText } from '@plumbline/storage/parse-json-text'

/** Deeper values stay text, so that recursive readers never overflow the stack. */
const depthMax = 200

/** Parses JSON text of an object or an array, or of any value if `anything` is allowed; undefined for other text. */
export function parseJson(text: string, allow: 'structures' | 'anything' = 'structures'): unknown {
  if (allow === 'structures' && !/^\s*[[{]/.test(text)) return undefined
  try {
    const value: unknown = parseJsonText(text)
    return isTooDeep(value, depthMax) ? undefined : value
  } catch {
    return undefined
  }
}

/** A value as JSON; integers beyond double precision, NaN and infinities become text. */
export function plainValue(value: unknown, depth = 0): unknown {
  switch (typeof value) {
    case 'bigint':
      return Number.isSafeInteger(Number(value)) ? Number(value) : String(value)
    case 'number':
      return Number.isFinite(value) ? value : String(value)
    case 'string':
    case 'boolean':
      return value
    case 'object': {
      if (value === null) return null
      if (depth > depthMax) return '[nested too deep]'
      if (Array.isArray(value)) return value.map((each) => plainValue(each, depth + 1))
      return mapFields(value, (each) => plainValue(each, depth + 1))
    }
    default:
      return undefined
  }
}

/** A copy of the object with each value replaced; the same object if no value changes. */
export function mapFields(fields: object, replace: (value: unknown) => unknown): Fields {
  let replaced: Record<string, unknown> | undefined
  for (const [key, value] of Object.entries(fields)) {
    const replacement: unknown = replace(value)
    if (replacement === value) continue
    // The copy already has the keys in order.
    replaced ??= { ...fields }
    replaced[key] = replacement
  }
  return replaced ?? (fields as Fields)
}

type Fields = Readonly<Record<string, unknown>>

/** An object from entries, where `__proto__` is an ordinary key. */
export function objectOf(entries: Iterable<readonly [string, unknown]>): Record<string, unknown> {
  return Object.fromEntries(entries)
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** An own field of an object; undefined for any other value. */
export function field(value: unknown, key: string): unknown {
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined
}

/** A non-empty text; numbers become text. */
export function textOrUndefined(value: unknown): string | undefined {
  if (typeof value === 'string') return value === '' ? undefined : value
  return typeof value === 'number' || typeof value === 'bigint' ? String(value) : undefined
}

/** A finite number, also when an exporter sent it as text. */
export function numberOrUndefined(value: unknown): number | undefined {
  if (typeof value === 'bigint') return Number(value)
  if (typeof value === 'string' && /^\s*[-+]?(\d|\.\d)/.test(value)) return numberOrUndefined(Number(value))
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}

/** A boolean, also when sent as text or as 1 and 0. */
export function booleanOrUndefined(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value
  if (value === 1 || value === '1' || (typeof value === 'string' && /^true$/i.test(value))) return true
  if (value === 0 || value === '0' || (typeof value === 'string' && /^false$/i.test(value))) return false
  return undefined
}

/** An object, or the JSON text of one. */
export function recordOrUndefined(value: unknown): Readonly<Record<string, unknown>> | undefined {
  const read = typeof value === 'string' ? parseJson(value) : plainValue(value)
  return isObject(read) ? read : undefined
}

/** Parses JSON text of an object or an array; returns any other value unchanged. */
export function parseStructure(value: unknown): unknown {
  return typeof value === 'string' ? (parseJson(value) ?? value) : plainValue(value)
}

/** Whether arrays and objects of a value nest deeper than `first` levels. */
export function isTooDeep(value: unknown, first: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (first === 0) return true
  if (Array.isArray(value)) return value.some((each) => isTooDeep(each, first - 1))
  // No list of values is built, since most hold nothing nested. Parsed JSON has no inherited keys.
  for (const key in value) if (isTooDeep(value[key as keyof typeof value], first - 1)) return true
  return false
}
