/** Values of attributes as JSON that can be stored, whatever was sent. */

/** Deeper values stay the text they came as: nothing that reads them recursively may run out of stack. */
const depthMax = 200

/** The JSON value of a text, if it is the text of an object or an array (or, when asked, of anything). */
export function parseJson(text: string, allow: 'structures' | 'anything' = 'structures'): unknown {
  if (allow === 'structures' && !/^\s*[[{]/.test(text)) return undefined
  try {
    const value: unknown = JSON.parse(text)
    return isTooDeep(value, depthMax) ? undefined : value
  } catch {
    return undefined
  }
}

/** A value as JSON has it: integers beyond double precision and numbers that are none become text. */
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
      return objectOf(
        Object.entries(value).map(([key, each]): [string, unknown] => [key, plainValue(each, depth + 1)]),
      )
    }
    default:
      return undefined
  }
}

/** An object of entries, in which `__proto__` is a key like any other. */
export function objectOf(entries: Iterable<readonly [string, unknown]>): Record<string, unknown> {
  return Object.fromEntries(entries)
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A field of an object of its own; undefined of anything else. */
export function field(value: unknown, key: string): unknown {
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined
}

/** A text that says something. */
export function textOrUndefined(value: unknown): string | undefined {
  if (typeof value === 'string') return value === '' ? undefined : value
  return typeof value === 'number' || typeof value === 'bigint' ? String(value) : undefined
}

/** A finite number, also one that an exporter made a text of. */
export function numberOrUndefined(value: unknown): number | undefined {
  if (typeof value === 'bigint') return Number(value)
  if (typeof value === 'string' && /^\s*[-+]?(\d|\.\d)/.test(value)) return numberOrUndefined(Number(value))
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}

/** True and false, also as text and as 1 and 0. */
export function booleanOrUndefined(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value
  if (value === 1 || value === '1' || (typeof value === 'string' && /^true$/i.test(value))) return true
  if (value === 0 || value === '0' || (typeof value === 'string' && /^false$/i.test(value))) return false
  return undefined
}

/** An object, given as such or as JSON text. */
export function recordOrUndefined(value: unknown): Readonly<Record<string, unknown>> | undefined {
  const read = typeof value === 'string' ? parseJson(value) : plainValue(value)
  return isObject(read) ? read : undefined
}

/** A structure given as JSON text becomes it; any other value stays. */
export function structured(value: unknown): unknown {
  return typeof value === 'string' ? (parseJson(value) ?? value) : plainValue(value)
}

function isTooDeep(value: unknown, left: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (left === 0) return true
  return Object.values(value).some((each) => isTooDeep(each, left - 1))
}
