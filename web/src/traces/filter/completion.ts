/** The completions at the caret, and their effects. Pure. */
import { filterFields, findField, isFoundByName, namedFields } from './filter-fields.ts'
import { readParts, writeField, writeValue } from './filter-text.ts'

export type Completing =
  | { readonly kind: 'field'; readonly prefix: string; readonly start: number; readonly end: number }
  /** The second part of `metadata.` or `score.`. */
  | {
      readonly kind: 'key'
      readonly source: 'metadata' | 'score'
      readonly prefix: string
      readonly start: number
      readonly end: number
    }
  | {
      readonly kind: 'value'
      readonly field: string
      readonly prefix: string
      readonly start: number
      readonly end: number
      /**
       * The operator set before the first selected value, replacing the typed one: the value is an id and must not
       * match names.
       */
      readonly sign?: '='
      /** The filter without the clause being typed, whose matches provide the values. */
      readonly rest: string
    }

export function completingAt(text: string, caret: number): Completing | undefined {
  const part = readParts(text).find(({ start, end }) => start <= caret && caret <= end)
  if (part === undefined) return { kind: 'field', prefix: '', start: caret, end: caret }
  const prefix = text.slice(part.start, caret)
  const [, minus = '', name, list = ''] =
    /^(-?)([a-z]\w*(?:\.(?:"(?:\\[\s\S]|[^"\\])*"|[^\s":<>=]+))?)[:=]([\s\S]*)$/i.exec(prefix) ?? []
  const { end } = part
  if (name !== undefined) {
    const field = findField(
      name.replace(/"((?:\\[\s\S]|[^"\\])*)"$/, (_, key: string) => key.replace(/\\([\s\S])/g, '$1')),
    )
    if (field === undefined || (field.kind !== 'text' && field.kind !== 'flag')) return undefined
    const before = list.lastIndexOf(',') + 1
    const prefix = list.slice(before).replace(/^"/, '')
    const isId = minus === '' && before === 0 && isFoundByName(field.name)
    const start = part.start + minus.length + name.length + (isId ? 0 : 1 + before)
    return {
      kind: 'value',
      field: field.name,
      prefix,
      start,
      end,
      ...(isId && { sign: '=' }),
      rest: text.slice(0, part.start) + text.slice(end),
    }
  }
  const [, sign = '', word] = /^(-?)([a-z]?[\w.-]*)$/i.exec(prefix) ?? []
  if (word === undefined) return undefined
  const start = part.start + sign.length
  const prefixField = namedFields.find(({ prefix }) => word.toLowerCase().startsWith(prefix))
  if (prefixField !== undefined) {
    const source = prefixField.prefix === 'score.' ? 'score' : 'metadata'
    return { kind: 'key', source, prefix: word.slice(prefixField.prefix.length), start, end }
  }
  return { kind: 'field', prefix: word, start, end }
}

export interface Option {
  /** The displayed text. */
  readonly label: string
  /** The replacement for the typed text. */
  readonly insert: string
  readonly hint?: string
  readonly count?: number
}

/** The fields that start with the typed text, then those that contain it. */
export function fieldOptions(prefix: string): readonly Option[] {
  const lowerPrefix = prefix.toLowerCase()
  const all = [
    ...filterFields.map(({ name, kind, hint }) => ({
      label: name,
      insert: name + (kind === 'text' || kind === 'flag' ? ':' : '>'),
      hint,
    })),
    ...namedFields.map(({ prefix: label, hint }) => ({ label, insert: label, hint })),
  ]
  const begins = all.filter(({ label }) => label.toLowerCase().startsWith(lowerPrefix))
  const holds = all.filter(({ label }) => label.toLowerCase().indexOf(lowerPrefix) > 0)
  return [...begins, ...holds]
}

interface ValueCount {
  readonly value: string
  /** Its name. */
  readonly label?: string
  readonly count: number
}

export const keyOptions = (source: 'metadata' | 'score', keys: readonly ValueCount[]): readonly Option[] =>
  keys.map(({ value, count }) => ({
    label: `${source}.${value}`,
    insert: writeField(`${source}.${value}`) + (source === 'metadata' ? ':' : '<'),
    count,
  }))

export const valueOptions = (values: readonly ValueCount[]): readonly Option[] =>
  values.map(({ value, label, count }) => ({
    label: label ?? value,
    ...(label !== undefined && { hint: value }),
    insert: `${writeValue(value)} `,
    count,
  }))

/** The text with an option applied, and the new caret position. */
export function complete(
  text: string,
  completion: Completing,
  option: Option,
): { readonly text: string; readonly caret: number } {
  const { start, end } = completion
  const sign = completion.kind === 'value' ? (completion.sign ?? '') : ''
  const insert = sign + option.insert
  const after = text.slice(end)
  // An existing space is not duplicated.
  const put = insert.endsWith(' ') && after.startsWith(' ') ? insert.slice(0, -1) : insert
  const caret = start + put.length + (put === insert ? 0 : 1)
  return { text: text.slice(0, start) + put + after, caret }
}
