import type { CallArguments, Runtime } from './call-arguments.ts'
import { center, formatPercent, toFixed } from './format-text.ts'
import { type Filter, fieldFilters, listFilters } from './list-filters.ts'
import {
  characterCount,
  charactersOf,
  createBoolean,
  createFloat,
  createInteger,
  createText,
  describe,
  isFields,
  isInteger,
  isList,
  isText,
  isTruthy,
  numberOf,
  searchSize,
  textSize,
  toJson,
  toText,
} from './values.ts'

/** A filter from text to text; other values are converted to text first. */
const ofText =
  (write: (text: string, call: CallArguments, runtime: Runtime) => string): Filter =>
  (value, call, runtime) => {
    runtime.allow(textSize(value))
    return createText(write(toText(value), call, runtime))
  }

export const capitalize = (text: string) => {
  const [first = '', ...rest] = charactersOf(text)
  return first.toUpperCase() + rest.join('').toLowerCase()
}

/** Jinja's `title`, in which no word begins after an apostrophe. */
const title = (text: string) =>
  text
    .split(/([-\s({[<]+)/)
    .map((word) => capitalize(word))
    .join('')

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&#34;',
  "'": '&#39;',
}
const escapeHtml = (text: string, _call: CallArguments, runtime: Runtime) => {
  runtime.allow(text.length * 5)
  return text.replace(/[&<>"']/g, (character) => escapes[character] as string)
}

/** Removes the characters from the ends of a text; white space by default. */
export function strip(
  text: string,
  characters: string | undefined,
  sides: 'both' | 'left' | 'right',
): string {
  if (characters === undefined)
    return sides === 'both' ? text.trim() : sides === 'left' ? text.trimStart() : text.trimEnd()
  const left = new Set(characters)
  const all = charactersOf(text)
  let [start, end] = [0, all.length]
  if (sides !== 'right') while (start < end && left.has(all[start] as string)) start++
  if (sides !== 'left') while (end > start && left.has(all[end - 1] as string)) end--
  return all.slice(start, end).join('')
}

/** Python's `replace`: up to `count` occurrences; an empty text occurs between all characters. */
export function replace(
  text: string,
  old: string,
  replacement: string,
  count: number,
  runtime: Runtime,
): string {
  const limit = count < 0 ? Number.POSITIVE_INFINITY : count
  const places = Math.min(limit, old === '' ? text.length + 1 : text.length / old.length)
  runtime.allow(searchSize(text, old))
  if (text.length + places * replacement.length > 2 ** 20) {
    const placeCount =
      old === '' ? text.length + 1 : text.split(old, limit + 1 > 2 ** 31 ? undefined : limit + 1).length - 1
    runtime.allow(text.length + Math.min(limit, placeCount) * replacement.length)
  }
  if (limit === Number.POSITIVE_INFINITY && old !== '') return text.replaceAll(old, () => replacement)
  const parts = old === '' ? ['', ...charactersOf(text), ''] : text.split(old)
  const head = parts.slice(0, limit + 1)
  const tail = parts.slice(limit + 1)
  return [head.join(replacement), ...tail].join(old)
}

const truncate = (text: string, call: CallArguments) => {
  const length = call.integer(0, 'length') ?? 255
  const end = call.text(2, 'end') ?? '...'
  const leeway = call.integer(3, 'leeway') ?? 5
  const characters = charactersOf(text)
  const keptLength = length - characterCount(end)
  if (keptLength < 0) throw new Error('`truncate` leaves no room for its end')
  if (characters.length <= length + leeway) return text
  const part = characters.slice(0, keptLength).join('')
  if (call.flag(1, 'killwords')) return part + end
  const blank = part.lastIndexOf(' ')
  return (blank < 0 ? part : part.slice(0, blank)) + end
}

const indent = (text: string, call: CallArguments, runtime: Runtime) => {
  const width = call.get(0, 'width') ?? createInteger(4)
  const isBlankIndented = call.flag(2, 'blank')
  if (!isText(width)) runtime.allow(Math.abs(numberOf(width) ?? 0))
  const padding = isText(width) ? width.value : ' '.repeat(call.integer(0, 'width') ?? 4)
  const [first = '', ...rest] = text.split('\n')
  runtime.allow(text.length + (rest.length + 1) * padding.length)
  const lines = [first, ...rest.map((line) => (line === '' && !isBlankIndented ? line : padding + line))]
  return (call.flag(1, 'first') ? padding : '') + lines.join('\n')
}

const urlEncode: Filter = (value, _call, runtime) => {
  runtime.allow(textSize(value) * 3)
  const quote = (text: string) =>
    encodeURIComponent(text.toWellFormed()).replace(
      /[!'()*]/g,
      (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
    )
  if (isFields(value))
    return createText(
      [...value.value]
        .map(([key, each]) => `${plus(quote(String(key)))}=${plus(quote(toText(each)))}`)
        .join('&'),
    )
  return createText(quote(toText(value)).replaceAll('%2F', '/'))
}
const plus = (urlText: string) => urlText.replaceAll('%20', '+')

const integerText = /^\s*[-+]?\d+(?:_\d+)*\s*$/
const floatText = /^\s*[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?\s*$/

const int: Filter = (value, call) => {
  const otherwise = call.get(0, 'default') ?? createInteger(0)
  const number = numberOf(value)
  if (number !== undefined) return createInteger(Math.trunc(number))
  if (!isText(value)) return otherwise
  const base = call.integer(1, 'base') ?? 10
  if (base !== 10) {
    const digits = value.value.trim().replace(/^0[xob]/i, '')
    const parsed = Number.parseInt(digits, base)
    return Number.isNaN(parsed) || parsed.toString(base) !== digits.toLowerCase().replace(/^0+(?=.)/, '')
      ? otherwise
      : createInteger(parsed)
  }
  if (integerText.test(value.value)) return createInteger(Number(value.value.replaceAll('_', '')))
  return floatText.test(value.value) ? createInteger(Math.trunc(Number(value.value))) : otherwise
}

const float: Filter = (value, call) => {
  const number =
    numberOf(value) ?? (isText(value) && floatText.test(value.value) ? Number(value.value) : undefined)
  return number === undefined ? (call.get(0, 'default') ?? createFloat(0)) : createFloat(number)
}

const round: Filter = (value, call) => {
  const number = numberOf(value)
  const precision = call.integer(0, 'precision') ?? 0
  const method = call.text(1, 'method') ?? 'common'
  if (number === undefined) throw new Error(`${describe(value)} cannot be rounded`)
  if (Math.abs(precision) > 100) throw new Error('`round` takes a precision of at most 100')
  if (method === 'ceil' || method === 'floor')
    return createFloat(Math[method](number * 10 ** precision) / 10 ** precision)
  if (method !== 'common') throw new Error('`method` is `common`, `ceil` or `floor`')
  const rounded =
    precision >= 0
      ? Number(toFixed(number, precision))
      : Number(toFixed(number / 10 ** -precision, 0)) * 10 ** -precision
  return isInteger(value) ? createInteger(rounded) : createFloat(rounded)
}

const abs: Filter = (value) => {
  const number = numberOf(value)
  if (number === undefined) throw new Error(`${describe(value)} has no absolute value`)
  return isInteger(value) ? createInteger(Math.abs(number)) : createFloat(Math.abs(number))
}

const length: Filter = (value, _call, runtime) => {
  if (isText(value)) {
    runtime.charge(value.value.length / 32)
    return createInteger(characterCount(value.value))
  }
  if (isList(value)) return createInteger(value.value.length)
  if (isFields(value)) return createInteger(value.value.size)
  throw new Error(`${describe(value)} has no length`)
}

const orDefault: Filter = (value, call) => {
  const isAbsent = value.type === 'UndefinedValue' || (call.flag(1, 'boolean') && !isTruthy(value))
  return isAbsent ? (call.get(0, 'default_value') ?? createText('')) : value
}

const tojson: Filter = (value, call) => {
  const indent = call.integer(0, 'indent')
  const separators = call.get(2, 'separators')
  const [item, key] = isList(separators) ? separators.value.map(toText) : []
  return createText(
    toJson(value, {
      ...(indent === undefined ? {} : { indent }),
      isAscii: call.keywords.has('ensure_ascii') && call.flag(99, 'ensure_ascii'),
      hasSortedKeys: call.flag(99, 'sort_keys'),
      ...(item === undefined || key === undefined ? {} : { separators: [item, key] as const }),
    }),
  )
}

const format: Filter = (value, call, runtime) =>
  formatPercent(toText(value), call.positional, call.keywords, runtime)

const stripTags = (text: string) =>
  text
    .replace(/<!--.*?-->|<[^<>]*>/gs, '')
    .split(/\s+/)
    .filter((word) => word !== '')
    .join(' ')

/** Jinja's filters, except `attr`, `filesizeformat`, `pprint`, `random`, `urlize`, `wordwrap` and `xmlattr`. */
export const filters: ReadonlyMap<string, Filter> = new Map<string, Filter>([
  ...listFilters,
  ...fieldFilters,
  ['upper', ofText((text) => text.toUpperCase())],
  ['lower', ofText((text) => text.toLowerCase())],
  ['title', ofText(title)],
  ['capitalize', ofText(capitalize)],
  ['trim', ofText((text, call) => strip(text, call.text(0, 'chars'), 'both'))],
  ['truncate', ofText(truncate)],
  ['indent', ofText(indent)],
  ['center', ofText((text, call, runtime) => center(text, call.integer(0, 'width') ?? 80, ' ', runtime))],
  [
    'replace',
    ofText((text, call, runtime) => {
      const [old, replacement] = [call.get(0, 'old'), call.get(1, 'new')]
      if (!old || !replacement)
        throw new Error('`replace` takes what it replaces and what comes in its place')
      return replace(text, toText(old), toText(replacement), call.integer(2, 'count') ?? -1, runtime)
    }),
  ],
  ['string', ofText((text) => text)],
  ['safe', (value) => value],
  ...['e', 'escape', 'forceescape'].map((name) => [name, ofText(escapeHtml)] as const),
  ['striptags', ofText(stripTags)],
  ['urlencode', urlEncode],
  ['wordcount', (value) => createInteger(toText(value).match(/[\p{L}\p{N}_]+/gu)?.length ?? 0)],
  ['format', format],
  ['int', int],
  ['float', float],
  ['round', round],
  ['abs', abs],
  ['bool', (value) => createBoolean(isTruthy(value))],
  ...['length', 'count'].map((name) => [name, length] as const),
  ...['default', 'd'].map((name) => [name, orDefault] as const),
  ['tojson', tojson],
])
