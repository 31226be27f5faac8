import { CallArguments, type Runtime } from './call-arguments.ts'
import { center, formatBraces } from './format-text.ts'
import type { Value } from './jinja.ts'
import { fieldFilters, listFilters } from './list-filters.ts'
import { capitalize, replace, strip } from './text-filters.ts'
import {
  charactersOf,
  createBoolean,
  createFields,
  createInteger,
  createList,
  createText,
  equals,
  type FieldKey,
  isFields,
  isList,
  isText,
  itemsOf,
  nothing,
  searchSize,
  toText,
} from './values.ts'

type Method<Own> = (own: Own, call: CallArguments, runtime: Runtime) => Value

const fillOf = (call: CallArguments) => call.text(1, 'fillchar') ?? ' '
const missingOf = (text: string, call: CallArguments, runtime: Runtime) => {
  const missing = Math.max(0, (call.integer(0, 'width') ?? 0) - charactersOf(text).length)
  runtime.allow(missing)
  return missing
}
const partOf = (call: CallArguments): string => {
  const text = call.text(0, 'text')
  if (text === undefined) throw new Error('the method takes a text')
  return text
}
/** The part to look for in a text. */
const sought = (text: string, call: CallArguments, runtime: Runtime): string => {
  const part = partOf(call)
  runtime.allow(searchSize(text, part))
  return part
}
/** `startswith` and `endswith`, with one or more candidates. */
const matchesAny = (call: CallArguments, runtime: Runtime, test: (part: string) => boolean) => {
  const [parts] = call.positional
  return createBoolean((isList(parts) ? itemsOf(parts, runtime).map(toText) : [partOf(call)]).some(test))
}
const textMethod =
  (write: (text: string, call: CallArguments, runtime: Runtime) => string): Method<string> =>
  (text, call, runtime) =>
    createText(write(text, call, runtime))
const listOf = (texts: readonly string[]) => createList(texts.map(createText))
/** The position of a part, in characters. */
const place = (text: string, index: number) =>
  createInteger(index < 0 ? -1 : charactersOf(text.slice(0, index)).length)
const isAll =
  (pattern: RegExp): Method<string> =>
  (text) =>
    createBoolean(text !== '' && pattern.test(text))

const split =
  (fromRight: boolean): Method<string> =>
  (text, call, runtime) => {
    const separator = call.text(0, 'sep')
    const limit = call.integer(1, 'maxsplit') ?? -1
    if (separator) sought(text, call, runtime)
    if (separator === '') throw new Error('a text is split at a separator that is not empty')
    const parts =
      separator === undefined
        ? text
            .trim()
            .split(/\s+/)
            .filter((part) => part !== '')
        : text.split(separator)
    runtime.charge(parts.length)
    if (limit < 0 || parts.length <= limit + 1) return listOf(parts)
    if (separator !== undefined)
      return listOf(
        fromRight
          ? [parts.slice(0, parts.length - limit).join(separator), ...parts.slice(parts.length - limit)]
          : [...parts.slice(0, limit), parts.slice(limit).join(separator)],
      )
    if (fromRight) throw new Error('`rsplit` with a limit takes a separator')
    let rest = text.trimStart()
    const head = parts.slice(0, limit)
    for (const part of head) rest = rest.slice(part.length).trimStart()
    return listOf([...head, rest])
  }

const partition =
  (fromRight: boolean): Method<string> =>
  (text, call, runtime) => {
    const separator = sought(text, call, runtime)
    const index = fromRight ? text.lastIndexOf(separator) : text.indexOf(separator)
    if (index < 0) return listOf(fromRight ? ['', '', text] : [text, '', ''])
    return listOf([text.slice(0, index), separator, text.slice(index + separator.length)])
  }

/** Python's `title`, in which a word begins after every character other than a letter. */
const pythonTitle = (text: string) => text.replace(/\p{L}+/gu, capitalize)

const textMethods: ReadonlyMap<string, Method<string>> = new Map<string, Method<string>>([
  ['upper', textMethod((text) => text.toUpperCase())],
  ['lower', textMethod((text) => text.toLowerCase())],
  ['casefold', textMethod((text) => text.toLowerCase())],
  ['title', textMethod(pythonTitle)],
  ['capitalize', textMethod(capitalize)],
  [
    'swapcase',
    textMethod((text) =>
      charactersOf(text)
        .map((each) => (each === each.toUpperCase() ? each.toLowerCase() : each.toUpperCase()))
        .join(''),
    ),
  ],
  ['strip', textMethod((text, call) => strip(text, call.text(0, 'chars'), 'both'))],
  ['lstrip', textMethod((text, call) => strip(text, call.text(0, 'chars'), 'left'))],
  ['rstrip', textMethod((text, call) => strip(text, call.text(0, 'chars'), 'right'))],
  [
    'replace',
    textMethod((text, call, runtime) => {
      const [old, replacement] = [call.text(0, 'old'), call.text(1, 'new')]
      if (old === undefined || replacement === undefined)
        throw new Error('`replace` takes what it replaces and what comes in its place')
      return replace(text, old, replacement, call.integer(2, 'count') ?? -1, runtime)
    }),
  ],
  ['split', split(false)],
  ['rsplit', split(true)],
  ['splitlines', (text) => listOf(text === '' ? [] : text.replace(/\r?\n$/, '').split(/\r?\n/))],
  ['partition', partition(false)],
  ['rpartition', partition(true)],
  [
    'join',
    (text, call, runtime) => {
      const join = listFilters.get('join')
      return join?.(call.positional[0] ?? nothing, new CallArguments([createText(text)]), runtime) ?? nothing
    },
  ],
  ['startswith', (text, call, runtime) => matchesAny(call, runtime, (part) => text.startsWith(part))],
  ['endswith', (text, call, runtime) => matchesAny(call, runtime, (part) => text.endsWith(part))],
  [
    'removeprefix',
    textMethod((text, call) => (text.startsWith(partOf(call)) ? text.slice(partOf(call).length) : text)),
  ],
  [
    'removesuffix',
    textMethod((text, call) => {
      const suffix = partOf(call)
      return suffix !== '' && text.endsWith(suffix) ? text.slice(0, -suffix.length) : text
    }),
  ],
  ['find', (text, call, runtime) => place(text, text.indexOf(sought(text, call, runtime)))],
  ['rfind', (text, call, runtime) => place(text, text.lastIndexOf(sought(text, call, runtime)))],
  [
    'index',
    (text, call, runtime) => {
      const index = text.indexOf(sought(text, call, runtime))
      if (index < 0) throw new Error('the text does not hold that part')
      return place(text, index)
    },
  ],
  [
    'count',
    (text, call, runtime) => {
      const part = sought(text, call, runtime)
      return createInteger(part === '' ? charactersOf(text).length + 1 : text.split(part).length - 1)
    },
  ],
  ['format', (text, call, runtime) => formatBraces(text, call.positional, call.keywords, runtime)],
  [
    'center',
    textMethod((text, call, runtime) => center(text, call.integer(0, 'width') ?? 0, fillOf(call), runtime)),
  ],
  ['ljust', textMethod((text, call, runtime) => text + fillOf(call).repeat(missingOf(text, call, runtime)))],
  ['rjust', textMethod((text, call, runtime) => fillOf(call).repeat(missingOf(text, call, runtime)) + text)],
  [
    'zfill',
    textMethod((text, call, runtime) => {
      const zeros = '0'.repeat(missingOf(text, call, runtime))
      return /^[-+]/.test(text) ? text[0] + zeros + text.slice(1) : zeros + text
    }),
  ],
  ['isdigit', isAll(/^\p{Nd}+$/u)],
  ['isnumeric', isAll(/^\p{N}+$/u)],
  ['isdecimal', isAll(/^\p{Nd}+$/u)],
  ['isalpha', isAll(/^\p{L}+$/u)],
  ['isalnum', isAll(/^[\p{L}\p{N}]+$/u)],
  ['isspace', isAll(/^\s+$/)],
  ['isupper', (text) => createBoolean(/\p{L}/u.test(text) && text === text.toUpperCase())],
  ['islower', (text) => createBoolean(/\p{L}/u.test(text) && text === text.toLowerCase())],
  ['istitle', (text) => createBoolean(/\p{L}/u.test(text) && text === pythonTitle(text))],
])

const listMethods: ReadonlyMap<string, Method<Value>> = new Map<string, Method<Value>>([
  [
    'index',
    (list, call, runtime) => {
      const index = itemsOf(list, runtime).findIndex((each) =>
        equals(each, call.positional[0] ?? nothing, runtime),
      )
      if (index < 0) throw new Error('the list does not hold that item')
      return createInteger(index)
    },
  ],
  [
    'count',
    (list, call, runtime) =>
      createInteger(
        itemsOf(list, runtime).filter((each) => equals(each, call.positional[0] ?? nothing, runtime)).length,
      ),
  ],
  ['copy', (list) => list],
])

const fieldMethods: ReadonlyMap<string, Method<Value>> = new Map<string, Method<Value>>([
  ...['items', 'keys', 'values', 'get'].map(
    (name) => [name, fieldFilters.get(name) as Method<Value>] as const,
  ),
  ['dictsort', fieldFilters.get('dictsort') as Method<Value>],
  ['copy', (fields) => createFields(fields.value as ReadonlyMap<FieldKey, Value>)],
])

export const isTextMethod = (name: string) => textMethods.has(name)

/** A non-mutating method of Python's strings, lists and dictionaries, bound to its value; undefined if there is none. */
export function findMethod(
  value: Value,
  name: string,
): ((call: CallArguments, runtime: Runtime) => Value) | undefined {
  if (isText(value)) {
    const method = textMethods.get(name)
    return method && ((call, runtime) => method(value.value, call, runtime))
  }
  const method = isList(value) ? listMethods.get(name) : isFields(value) ? fieldMethods.get(name) : undefined
  return method && ((call, runtime) => method(value, call, runtime))
}
