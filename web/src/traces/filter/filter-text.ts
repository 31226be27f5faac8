/**
 * The filter as text: `type:generation cost>0.01 user:ada metadata.env:prod -model:gpt-4o "exact words"`. Words are
 * bare or quoted; a field has one of several values (`model:a,b`), none of them (`-model:a`), any (`user:*`), none at
 * all (`-user:*`), or a bound (`tokens>=10k`). `user:ada` also matches part of a name, `user=ada` only the id. Pure.
 */
import { type FilterField, findField, isFoundByName, nearestField } from './filter-fields.ts'
import { readNumber, writeNumber } from './filter-number.ts'

export type Operator = '>' | '>=' | '<' | '<=' | '='

export type Clause =
  | { readonly type: 'words'; readonly text: string }
  | {
      readonly type: 'values'
      readonly field: string
      readonly values: readonly string[]
      readonly isNot: boolean
      /** For a field that also matches by name: the values are ids, not parts of names. */
      readonly isId?: true
    }
  | { readonly type: 'bound'; readonly field: string; readonly operator: Operator; readonly value: number }
  | { readonly type: 'presence'; readonly field: string; readonly isThere: boolean }

export interface Problem {
  readonly message: string
  /** The closest valid text, offered as a replacement. */
  readonly suggestion?: string
}

/** A part of the text, with its clause or its problem. */
export interface Part {
  readonly start: number
  readonly end: number
  readonly text: string
  readonly result: Clause | Problem
}

export const isClause = (part: Clause | Problem): part is Clause => 'type' in part

/** The text in parts, in their order. */
export function readParts(text: string): readonly Part[] {
  const parts: Part[] = []
  // An unclosed quote extends to the end, since it is still being typed.
  for (const { 0: token, index } of text.matchAll(/(?:"(?:\\[\s\S]|[^"\\])*(?:"|\\?$)|[^\s"])+/g)) {
    parts.push({ start: index, end: index + token.length, text: token, result: readToken(token) })
  }
  return parts
}

/** The clauses of a text, without invalid ones. */
export const readFilter = (text: string): readonly Clause[] =>
  readParts(text)
    .map(({ result }) => result)
    .filter(isClause)

export const writeFilter = (clauses: readonly Clause[]): string => clauses.map(writeClause).join(' ')

/** Selects the traces with one of these values; users and customers match by id only, not by name. */
export const hasValues = (field: string, values: readonly string[]): Clause & { type: 'values' } => ({
  type: 'values',
  field,
  values,
  isNot: false,
  ...(isFoundByName(field) && { isId: true }),
})

/** One clause as text. */
export function writeClause(clause: Clause): string {
  switch (clause.type) {
    case 'words':
      return isBareWord(clause.text) ? clause.text : quoteText(clause.text)
    case 'values':
      return `${clause.isNot ? '-' : ''}${writeField(clause.field)}${clause.isId ? '=' : ':'}${clause.values.map(writeValue).join(',')}`
    case 'presence':
      return `${clause.isThere ? '' : '-'}${writeField(clause.field)}:*`
    case 'bound': {
      const kind = findField(clause.field)?.kind ?? 'count'
      return `${writeField(clause.field)}${clause.operator}${writeNumber(clause.value, kind)}`
    }
  }
}

/** A value, in quotes where it needs them. */
export const writeValue = (value: string): string =>
  /^[^\s",\\*<>=][^\s",\\]*$/.test(value) ? value : quoteText(value)

/** A field, whose second part is in quotes where it needs them. */
export function writeField(field: string): string {
  const [prefix = ''] = /^(?:metadata|score)\./.exec(field) ?? []
  const key = field.slice(prefix.length)
  return prefix === '' || /^[^\s":<>=\\]+$/.test(key) ? field : prefix + quoteText(key)
}

const isBareWord = (text: string): boolean => /^[^\s":<>=\\-][^\s":<>=\\]*$/.test(text)

const quoteText = (text: string): string => `"${text.replace(/["\\]/g, '\\$&')}"`
const unquote = (text: string): string =>
  text.startsWith('"') ? text.replace(/^"|"$/g, '').replace(/\\([\s\S])/g, '$1') : text

const quote = '"(?:\\\\[\\s\\S]|[^"\\\\])*"'
const fieldToken = new RegExp(
  `^(-?)([a-z]\\w*(?:\\.(?:${quote}|[^\\s":<>=\\\\]+))?)(:?(?:>=|<=|>|<|=)|:)([\\s\\S]*)$`,
  'i',
)

function readToken(token: string): Clause | Problem {
  const [, minus, fieldName, operator, value = ''] = fieldToken.exec(token) ?? []
  if (fieldName === undefined || operator === undefined) return readWords(token)
  const dot = fieldName.indexOf('.')
  const name = dot === -1 ? fieldName : fieldName.slice(0, dot + 1) + unquote(fieldName.slice(dot + 1))
  const field = findField(name)
  if (field === undefined) return unknownField(name, token)
  const isNot = minus === '-'
  if (/^,*$/.test(value)) return { message: `${field.name} needs a value: ${exampleOf(field)}` }
  if (value === '*' && operator === ':' && field.kind !== 'flag')
    return { type: 'presence', field: field.name, isThere: !isNot }
  if (field.kind === 'flag') return readFlag(field, value, isNot)
  const sign = operator === ':' ? ':' : (operator.replace(':', '') as Operator)
  if (field.kind === 'text' || (field.kind === 'score' && (sign === ':' || sign === '='))) {
    if (sign !== ':' && sign !== '=')
      return { message: `${field.name} does not support < or >: ${exampleOf(field)}` }
    const isId = sign === '=' && !isNot && isFoundByName(field.name)
    return { type: 'values', field: field.name, values: readValues(value), isNot, ...(isId && { isId }) }
  }
  const number = readNumber(unquote(value), field.kind)
  if (number === undefined) return { message: `"${value}" is not a number: ${exampleOf(field)}` }
  if (isNot) return oppositeOf(field.name, sign, value)
  return { type: 'bound', field: field.name, operator: sign === ':' ? '=' : sign, value: number }
}

const opposites: Partial<Record<string, Operator>> = { '<': '>=', '<=': '>', '>': '<=', '>=': '<' }

function oppositeOf(name: string, sign: string, value: string): Problem {
  const opposite = opposites[sign]
  if (opposite === undefined) return { message: `Use ${name}<${value} or ${name}>${value} instead.` }
  const suggestion = name + opposite + value
  return { message: `Use the opposite comparison instead: ${suggestion}`, suggestion }
}

function readWords(token: string): Clause | Problem {
  const text = unquote(token).trim()
  return text === '' ? { message: 'The quotes are empty.' } : { type: 'words', text }
}

function readFlag({ name }: FilterField, value: string, isNot: boolean): Clause | Problem {
  const lowerValue = value.toLowerCase()
  if (lowerValue !== 'true' && lowerValue !== 'false') return { message: `${name} must be true or false.` }
  const isTrue = (lowerValue === 'true') !== isNot
  return { type: 'values', field: name, values: [String(isTrue)], isNot: false }
}

/** `a,b,"c, d"` */
function readValues(text: string): readonly string[] {
  const values = [...text.matchAll(/"(?:\\[\s\S]|[^"\\])*(?:"|\\?$)|[^,"]+/g)].map(([value]) =>
    unquote(value),
  )
  return [...new Set(values)]
}

function unknownField(name: string, token: string): Problem {
  const nearest = nearestField(name)
  if (nearest === undefined) {
    const hint = /^\w+$/.test(name) ? ` For metadata, use metadata.${name}.` : ''
    return {
      message: `There is no field "${name}".${hint} To search for text, put it in quotes.`,
      suggestion: quoteText(unquote(token)),
    }
  }
  return {
    message: `There is no field "${name}". Did you mean ${nearest}?`,
    suggestion: token.replace(name, nearest),
  }
}

const examples: Readonly<Record<FilterField['kind'], (name: string) => string>> = {
  text: (name) => `${name}:VALUE`,
  flag: (name) => `${name}:true`,
  money: (name) => `${name}>0.01`,
  duration: (name) => `${name}>2s`,
  count: (name) => `${name}>10`,
  score: (name) => `${name}<0.5`,
}
const exampleOf = ({ name, kind }: FilterField): string => examples[kind](writeField(name))
