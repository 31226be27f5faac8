import { classes, type Value } from './jinja.ts'

/** The limits of a rendering. Both methods throw once they are exceeded. */
export interface Limits {
  /** Charges for steps. */
  charge(work: number): void
  /** Charges for creating or searching a text of this length. */
  allow(chars: number): void
}

export const outputCharsMax = 2 ** 23

export const createText = (text: string): Value => new classes.text(text)
export const createBoolean = (value: boolean): Value => new classes.boolean(value)
/** Whole numbers have no -0. */
export const createInteger = (value: number): Value => new classes.integer(value + 0)
export const createFloat = (value: number): Value => new classes.float(value)
export const createList = (items: readonly Value[]): Value => new classes.list(items)
export const createFields = (fields: ReadonlyMap<unknown, Value>): Value => new classes.fields(fields)
export const nothing: Value = new classes.nothing(undefined)

/** The keys of a literal may be numbers. */
export type FieldKey = string | number | boolean

export function isText(value: Value | undefined): value is Value & { readonly value: string } {
  return value?.type === 'StringValue'
}

export function isList(value: Value | undefined): value is Value & { readonly value: readonly Value[] } {
  return Array.isArray(value?.value)
}

export function isFields(
  value: Value | undefined,
): value is Value & { readonly value: ReadonlyMap<FieldKey, Value> } {
  return value?.value instanceof Map
}

export const isInteger = ({ type }: Value) => type === 'IntegerValue'
export const isFloat = ({ type }: Value) => type === 'FloatValue'
export const isBoolean = ({ type }: Value) => type === 'BooleanValue'
export const isMissing = ({ type }: Value) => type === 'UndefinedValue' || type === 'NullValue'
export const isContainer = (value: Value) => isList(value) || isFields(value)

/** The value as a number; booleans count too. */
export function numberOf(value: Value | undefined): number | undefined {
  return value && (isInteger(value) || isFloat(value) || isBoolean(value)) ? Number(value.value) : undefined
}

/** A whole number, or undefined. */
export function integerOf(value: Value | undefined): number | undefined {
  return value && (isInteger(value) || isBoolean(value)) ? Number(value.value) : undefined
}

export function isTruthy(value: Value): boolean {
  if (isList(value)) return value.value.length > 0
  if (isFields(value)) return value.value.size > 0
  return Boolean(value.value)
}

export function lengthOf(value: Value | undefined): number {
  if (value === undefined) return 0
  if (value.value instanceof Map) return value.value.size
  return Array.isArray(value.value) || typeof value.value === 'string' ? value.value.length : 1
}

/** The characters of a text, as Python counts them. */
export function charactersOf(text: string): readonly string[] {
  return [...text]
}

export function characterCount(text: string): number {
  return /[\ud800-\udfff]/.test(text) ? charactersOf(text).length : text.length
}

/** The items that a loop iterates over: those of a list, the keys of fields, the characters of a text; none if missing. */
export function itemsOf(value: Value, limits: Limits): readonly Value[] {
  if (isList(value)) return value.value
  limits.charge(lengthOf(value))
  if (isFields(value)) return [...value.value.keys()].map(createKey)
  if (isText(value)) return charactersOf(value.value).map(createText)
  if (value.type === 'UndefinedValue') return []
  throw new Error(`${describe(value)} is no list`)
}

export const createKey = (key: FieldKey): Value =>
  typeof key === 'string'
    ? createText(key)
    : typeof key === 'number'
      ? createInteger(key)
      : createBoolean(key)

/** A value as output: texts unchanged, missing values as empty text, the rest as JSON. */
export function toText(value: Value): string {
  if (isText(value)) return value.value
  if (isMissing(value)) return ''
  if (value.type === 'FunctionValue')
    throw new Error('a method or macro is written out, and not called: it lacks `()`')
  return isContainer(value) ? toJson(value) : scalarText(value)
}

const scalarText = (value: Value): string =>
  isFloat(value) || isInteger(value) ? numberText(Number(value.value), isFloat(value)) : String(value)

/** A number as Python prints it: from 1e16 on, and below 0.0001, a float has an exponent of two digits or more. */
export function numberText(number: number, isFloatingPoint: boolean): string {
  if (!Number.isFinite(number)) return String(number)
  if (!isFloatingPoint) return Math.abs(number) < 1e21 ? String(number) : String(BigInt(number))
  const [digits = '', exponent = ''] = number.toExponential().split('e')
  if (number !== 0 && (Number(exponent) < -4 || Number(exponent) >= 16))
    return `${digits}e${exponent.replace(/^([-+])(\d)$/, '$10$2')}`
  return Number.isInteger(number) ? number.toFixed(1) : String(number)
}

export interface JsonOptions {
  readonly indent?: number
  readonly isAscii?: boolean
  readonly hasSortedKeys?: boolean
  readonly separators?: readonly [string, string]
}

/** JSON as from Python's `json.dumps`, with non-ASCII characters unescaped. */
export function toJson(value: Value, options: JsonOptions = {}, depth = 1): string {
  const { indent, separators = [indent === undefined ? ', ' : ',', ': '] } = options
  if (!isContainer(value)) return scalarJson(value, options)
  const padding = indent === undefined ? '' : `\n${' '.repeat(indent * depth)}`
  const parts = isList(value)
    ? value.value.map((each) => toJson(each, options, depth + 1))
    : fieldsOf(value, options).map(
        ([key, each]) =>
          `${scalarJson(createText(String(key)), options)}${separators[1]}${toJson(each, options, depth + 1)}`,
      )
  const [open, close] = isList(value) ? '[]' : '{}'
  if (parts.length === 0) return `${open}${close}`
  const end = indent === undefined ? '' : `\n${' '.repeat(indent * (depth - 1))}`
  return `${open}${padding}${parts.join(`${separators[0]}${padding}`)}${end}${close}`
}

function fieldsOf(value: Value, { hasSortedKeys }: JsonOptions): [FieldKey, Value][] {
  const entries = [...(value.value as ReadonlyMap<FieldKey, Value>)]
  return hasSortedKeys ? entries.toSorted(([a], [b]) => (a < b ? -1 : 1)) : entries
}

function scalarJson(value: Value, { isAscii = false }: JsonOptions): string {
  if (isMissing(value)) return 'null'
  if (isFloat(value) || isInteger(value)) return scalarText(value)
  if (!isText(value)) {
    if (value.type === 'FunctionValue') throw new Error('a method or macro is no JSON')
    return JSON.stringify(value.value)
  }
  const json = JSON.stringify(value.value)
  if (!isAscii) return json
  return json.replace(/[\x7f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** Names the type of a value in messages. */
export function describe(value: Value | undefined): string {
  if (value === undefined || isMissing(value)) return 'a missing value'
  if (isText(value)) return 'a text'
  if (isList(value)) return 'a list'
  if (isFields(value)) return 'an object'
  return isBoolean(value) ? 'a boolean' : value.type === 'FunctionValue' ? 'a method or macro' : 'a number'
}

/** The operator `==`; a missing variable equals `none`, since null counts as missing. */
export function equals(a: Value, b: Value, limits: Limits): boolean {
  limits.charge(1)
  const [first, second] = [numberOf(a), numberOf(b)]
  if (first !== undefined && second !== undefined) return first === second
  if (isMissing(a) || isMissing(b)) return isMissing(a) && isMissing(b)
  if (isList(a) && isList(b)) {
    const others = b.value
    return (
      a.value.length === others.length &&
      a.value.every((each, index) => equals(each, others[index] as Value, limits))
    )
  }
  if (isFields(a) && isFields(b)) {
    const others = b.value
    return (
      a.value.size === others.size &&
      [...a.value].every(([key, each]) => {
        const other = others.get(key)
        return other !== undefined && equals(each, other, limits)
      })
    )
  }
  if (isText(a) && lengthOf(a) === lengthOf(b)) limits.charge(a.value.length / 32)
  return a.type === b.type && a.value === b.value
}

/** A negative number, 0 or a positive number, for `<` and sorting; throws if the values have no order. */
export function compare(a: Value, b: Value, limits: Limits): number {
  limits.charge(1)
  const [first, second] = [numberOf(a), numberOf(b)]
  if (first !== undefined && second !== undefined) return first - second
  if (isText(a) && isText(b)) {
    limits.charge(Math.min(a.value.length, b.value.length) / 32)
    return a.value < b.value ? -1 : a.value > b.value ? 1 : 0
  }
  if (isList(a) && isList(b)) {
    const others = b.value
    for (const [index, each] of a.value.entries()) {
      const other = others[index]
      if (!other) return 1
      if (!equals(each, other, limits)) return compare(each, other, limits)
    }
    return a.value.length - others.length
  }
  throw new Error(`${describe(a)} and ${describe(b)} have no order`)
}

/** Whether `container` holds an item, a field with this name, or this text. */
export function contains(container: Value, item: Value, limits: Limits): boolean {
  if (isText(container)) {
    if (isText(item)) {
      limits.allow(searchSize(container.value, item.value))
      return container.value.includes(item.value)
    }
    throw new Error(`a text is searched for ${describe(item)}`)
  }
  if (isFields(container)) return isMissing(item) ? false : container.value.has(item.value as FieldKey)
  if (container.type === 'UndefinedValue') return false
  return itemsOf(container, limits).some((each) => equals(each, item, limits))
}

/** The cost of a search: in the worst case the product of both lengths, divided by what the engine saves. */
export function searchSize(text: string, part: string): number {
  return (text.length * part.length) / 256
}

/** The value at a path such as `user.name` or `tags.0`. */
export function attributeOf(value: Value, path: string): Value {
  let part: Value | undefined = value
  for (const name of path.split('.')) {
    if (isFields(part)) part = part.value.get(name)
    else if (isList(part)) part = /^\d+$/.test(name) ? part.value[Number(name)] : groupPart(part, name)
    else return nothing
  }
  return part ?? nothing
}

/** Groups of `groupby`: pairs whose parts also have names. */
const groups = new WeakSet<Value>()

export function createGroup(grouper: Value, list: readonly Value[]): Value {
  const group = createList([grouper, createList(list)])
  groups.add(group)
  return group
}

export function groupPart(
  value: Value & { readonly value: readonly Value[] },
  name: string,
): Value | undefined {
  if (!groups.has(value)) return undefined
  return name === 'grouper' ? value.value[0] : name === 'list' ? value.value[1] : undefined
}

const indentMax = 16

/** The length of a value as text, including indentation, counted only up to the output limit. */
export function textSize(value: Value | undefined): number {
  if (value === undefined) return 0
  if (!isContainer(value)) return typeof value.value === 'string' ? value.value.length : 16
  let size = 0
  const open: [Value, number][] = [[value, 1]]
  for (let next = open.pop(); next && size <= outputCharsMax; next = open.pop()) {
    const [{ value: inner }, depth] = next
    size += indentMax * depth + (typeof inner === 'string' ? inner.length : 0)
    if (inner instanceof Map) {
      for (const [key, each] of inner as ReadonlyMap<FieldKey, Value>) {
        size += String(key).length
        open.push([each, depth + 1])
      }
    } else if (Array.isArray(inner)) {
      for (const each of inner as Value[]) open.push([each, depth + 1])
    }
    // A list that contains one list many times is small in memory but huge as text.
    if (open.length > outputCharsMax / indentMax) return outputCharsMax + 1
  }
  return size
}

export { indentMax }
