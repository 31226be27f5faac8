/** JSON of whatever an application hands over: it never throws, since recording must not disturb what it records. */

/** A value as JSON text. What JSON cannot say is put into words: big integers, errors, maps, bytes, circles. */
export function toJson(value: unknown): string {
  try {
    return JSON.stringify(value, replaceValue) ?? 'null'
  } catch {
    return JSON.stringify(copyForJson(value, [], { chars: 0 }))
  }
}

function replaceValue(this: unknown, key: string, value: unknown): unknown {
  // A Buffer has made itself a list of numbers by the time that its value comes here.
  const original = (this as Record<string, unknown>)[key]
  if (ArrayBuffer.isView(original)) return `[${original.byteLength} bytes]`
  return toJsonValue(value)
}

function toJsonValue(value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString()
  if (value instanceof Error) return { name: value.name, message: value.message }
  if (value instanceof Map) return Object.fromEntries(value)
  if (value instanceof Set) return [...value]
  return value
}

const depthMax = 64
/** In a net of objects that refer to each other the ways through it are without number. */
const charsMax = 1e7
/** What a value counts, beside its text: as its time is bounded too. */
const valueChars = 100

interface CopySize {
  chars: number
}

/** For what `JSON.stringify` refuses: circles, and properties that throw when they are read. */
function copyForJson(input: unknown, ancestors: readonly unknown[], size: CopySize): unknown {
  try {
    const value = toJsonValue(input)
    size.chars += valueChars + (typeof value === 'string' ? value.length : 0)
    if (size.chars > charsMax) return '[too large]'
    if (typeof value !== 'object' || value === null) return value
    if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`
    if (ancestors.includes(input)) return '[circular]'
    if (ancestors.length >= depthMax) return '[too deep]'
    const nextAncestors = [...ancestors, input]
    // Of dates and addresses their text; what others say of themselves may leave out what they hide.
    if ('toJSON' in value && typeof value.toJSON === 'function')
      return copyForJson(value.toJSON(), nextAncestors, size)
    if (Array.isArray(value)) return value.map((each) => copyForJson(each, nextAncestors, size))
    const fields = Object.keys(value).map((key) => [key, fieldOf(value, key, nextAncestors, size)])
    return Object.fromEntries(fields)
  } catch {
    return '[unreadable]'
  }
}

function fieldOf(value: object, key: string, ancestors: readonly unknown[], size: CopySize): unknown {
  try {
    return copyForJson((value as Record<string, unknown>)[key], ancestors, size)
  } catch {
    return '[unreadable]'
  }
}
