/** Masks a JSON value: its texts, keys and numbers, JSON inside its texts, and everything below the paths of rules. */
import { parseJsonText } from '@plumbline/storage/parse-json-text'
import { isTooDeep } from '../otlp/json-value.ts'
import type { FieldRules, PathRule, RuleSet, TextRule } from './compile-rules.ts'
import { dropped, maskText, type TextContext, unsearched } from './mask-text.ts'
import { enter, type PathPositions, ruleAt } from './path.ts'

/** The context of values of one field; `place` is where a value is, for the rehearsal. */
export interface ValueContext extends TextContext {
  readonly onPlace?: ((place: string) => void) | undefined
  /** How many levels of JSON texts the value is nested in. */
  readonly textsAround?: number
}

/** JSON inside JSON texts is read up to this many levels, each up to this depth: deeper values would overflow the stack. */
const textsAroundMax = 5
const nestingMax = 200

type Reach = PathPositions<PathRule>

/** The value with all matches replaced; the same value if nothing matches, and null if it was dropped. */
export function maskValue(value: unknown, rules: FieldRules, context: ValueContext, place = ''): unknown {
  return walk(value, rules, rules.paths, context, place)
}

/** As `maskValue`, for the value of a key below the position that the paths have reached. */
export function maskEntry(
  key: string,
  value: unknown,
  rules: FieldRules,
  context: ValueContext,
  place: string,
): unknown {
  return walkInto(key, value, rules, rules.paths, context, place)
}

/** As `maskValue`, for a text that must stay one: it is masked whole in place of being dropped. */
export function maskRequiredText(
  text: string,
  rules: FieldRules,
  context: ValueContext,
  place: string,
): string {
  const masked = walk(text, rules, rules.paths, context, place)
  return typeof masked === 'string' ? masked : '[dropped]'
}

function walk(
  value: unknown,
  rules: FieldRules,
  reach: Reach,
  context: ValueContext,
  place: string,
): unknown {
  const rule = ruleAt(reach)
  if (rule !== undefined) return coverValue(value, rule, context, place)
  switch (typeof value) {
    case 'string':
      return walkText(value, rules, reach, context, place)
    case 'number':
      return maskNumber(value, rules.texts, context, place)
    case 'object':
      if (value === null) return null
      return Array.isArray(value)
        ? walkList(value, rules, reach, context, place)
        : walkObject(value as Fields, rules, reach, context, place)
    default:
      return value
  }
}

type Fields = Readonly<Record<string, unknown>>

/** One step of the walk. After the deadline, a path may lead to any remaining value. */
function walkInto(
  key: string,
  value: unknown,
  rules: FieldRules,
  reach: Reach,
  context: ValueContext,
  place: string,
): unknown {
  if (reach.length === 0) return walk(value, rules, reach, context, place)
  if (context.deadline.isOver()) return typeof value === 'string' ? unsearched : null
  return walk(value, rules, enter(reach, key), context, place)
}

function walkText(
  text: string,
  rules: FieldRules,
  reach: Reach,
  context: ValueContext,
  place: string,
): unknown {
  if (text === '') return text
  const inner = parseContainer(text)
  if (inner !== undefined) {
    const { textsAround = 0 } = context
    if (textsAround === textsAroundMax || inner === unsearched) return unsearched
    const masked = walk(inner, rules, reach, { ...context, textsAround: textsAround + 1 }, place)
    return masked === inner ? text : JSON.stringify(masked)
  }
  context.onPlace?.(place)
  const masked = maskText(text, rules.texts, context)
  return masked === dropped ? null : masked
}

/** The object or array that a text contains as JSON, whose escapes would hide its values. */
function parseContainer(text: string): object | typeof unsearched | undefined {
  if (!/^\s*(?:\{[\s\S]*\}|\[[\s\S]*\])\s*$/.test(text)) return undefined
  try {
    // Safe: what begins with a brace or bracket is an object or array.
    const value = parseJsonText(text) as object
    return isTooDeep(value, nestingMax) ? unsearched : value
  } catch (error) {
    // JSON that is nested too deep for the parser's stack.
    return error instanceof RangeError ? unsearched : undefined
  }
}

function walkList(
  list: readonly unknown[],
  rules: FieldRules,
  reach: Reach,
  context: ValueContext,
  place: string,
): readonly unknown[] {
  let masked: unknown[] | undefined
  for (let index = 0; index < list.length; index++) {
    const inner = list[index]
    const innerPlace = context.onPlace === undefined ? '' : `${place}[${index}]`
    const each = walkInto(String(index), inner, rules, reach, context, innerPlace)
    if (each === inner && masked === undefined) continue
    masked ??= list.slice(0, index)
    masked.push(each)
  }
  return masked ?? list
}

function walkObject(
  fields: Fields,
  rules: FieldRules,
  reach: Reach,
  context: ValueContext,
  place: string,
): Fields {
  let isChanged = false
  const entries: [string, unknown][] = []
  const maskedKeys = new MaskedKeys(fields)
  for (const [key, inner] of Object.entries(fields)) {
    const innerPlace = context.onPlace === undefined ? '' : `${place}.${key}`
    const each = walkInto(key, inner, rules, reach, context, innerPlace)
    context.onPlace?.(innerPlace)
    const name = maskedKeys.add(key, maskKey(key, rules.texts, context))
    if (each !== inner || name !== key) isChanged = true
    entries.push([name, each])
  }
  return isChanged ? Object.fromEntries(entries) : fields
}

/** Masks a key, since keys can hold values too, such as counts by e-mail address. A key is never dropped. */
export function maskKey(key: string, rules: readonly TextRule[], context: TextContext): string {
  const masked = maskText(key, rules, context)
  return masked === dropped ? '[dropped]' : masked
}

/** The masked keys of an object: two keys that are masked to the same text stay two. */
export class MaskedKeys {
  readonly #fields: Fields
  readonly #usedKeys = new Set<string>()
  /** The next number for each name, since thousands of keys may be masked to the same text. */
  readonly #nextNumbers = new Map<string, number>()

  constructor(fields: Fields = {}) {
    this.#fields = fields
  }

  /** The final name of a key that a rule replaced with `name`. */
  add(key: string, name: string): string {
    const unusedName = name === key ? key : this.#number(name)
    this.#usedKeys.add(unusedName)
    return unusedName
  }

  #number(name: string): string {
    let number = this.#nextNumbers.get(name) ?? 1
    const candidate = () => (number === 1 ? name : `${name} ${number}`)
    while (this.#usedKeys.has(candidate()) || Object.hasOwn(this.#fields, candidate())) number++
    this.#nextNumbers.set(name, number + 1)
    return candidate()
  }
}

/** A number stays a number or becomes null, since its readers expect no text. */
export function maskNumber(
  value: number,
  rules: readonly TextRule[],
  context: ValueContext,
  place: string,
): number | null {
  if (!Number.isInteger(value)) return value
  const text = String(value)
  for (const rule of rules) {
    if (!rule.readsNumbers) continue
    if (context.deadline.isOver()) return null
    const hits = rule.find(text)
    if (hits.length === 0) continue
    const masked = rule.action === 'hash' ? context.rules.hashNumber(rule, value) : null
    context.onPlace?.(place)
    const after = String(masked)
    context.onChange?.({ rule, before: text, after, hits, first: { start: 0, end: after.length } })
    return masked
  }
  return value
}

/** Masks everything below a path: containers keep their shape, unless the rule drops them. */
function coverValue(value: unknown, rule: PathRule, context: ValueContext, place: string): unknown {
  if (value === null || value === undefined || value === '') return value
  if (typeof value === 'object' && rule.action !== 'drop') {
    if (Array.isArray(value))
      return value.map((each, index) => coverValue(each, rule, context, `${place}[${index}]`))
    return Object.fromEntries(
      Object.entries(value).map(([key, each]) => [key, coverValue(each, rule, context, `${place}.${key}`)]),
    )
  }
  const masked = coverLeaf(value, rule, context.rules)
  if (context.onChange !== undefined) {
    const [before, after] = [textOf(value), textOf(masked)]
    context.onPlace?.(place)
    const hits = [{ start: 0, end: before.length }]
    context.onChange({ rule, before, after, hits, first: { start: 0, end: after.length } })
  }
  return masked
}

function coverLeaf(value: unknown, rule: PathRule, rules: RuleSet): unknown {
  if (rule.action === 'drop') return null
  if (typeof value === 'string') return rule.action === 'hash' ? rules.hash(rule, value) : rule.text
  return typeof value === 'number' && rule.action === 'hash' ? rules.hashNumber(rule, value) : null
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))
