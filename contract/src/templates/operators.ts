/** Operators, as in Python. */

import { nameErrors } from './bounds.ts'
import type { Runtime } from './call-arguments.ts'
import { formatPercent } from './format-text.ts'
import { type Node, operatorOf, type Value } from './jinja.ts'
import type { Token } from './tokenize.ts'
import {
  compare,
  contains,
  createFloat,
  createInteger,
  createList,
  createText,
  describe,
  equals,
  integerOf,
  isFields,
  isFloat,
  isList,
  isText,
  itemsOf,
  type Limits,
  numberOf,
  toText,
} from './values.ts'

export const comparisons = new Set(['==', '!=', '<', '>', '<=', '>=', 'in', 'not in'])

/** Whether the left side of a comparison is another comparison without parentheses. */
export function isChain(node: Node): boolean {
  const left = node.left as Node
  return left.type === 'BinaryExpression' && comparisons.has(operatorOf(left)) && !isBracketed(left, node)
}

function isBracketed(inner: Node, outer: Node): boolean {
  return (inner.operator as Partial<Token>).group !== (outer.operator as Partial<Token>).group
}

export function sliceOf<T>(
  items: readonly T[],
  start: number | undefined,
  stop: number | undefined,
  step: number,
): T[] {
  const { length } = items
  const clamp = (index: number | undefined, otherwise: number, [low, high]: readonly [number, number]) =>
    index === undefined ? otherwise : Math.max(low, Math.min(high, index < 0 ? index + length : index))
  const slice: T[] = []
  if (step > 0) {
    const end = clamp(stop, length, [0, length])
    for (let index = clamp(start, 0, [0, length]); index < end; index += step) slice.push(items[index] as T)
  } else {
    const end = clamp(stop, -1, [-1, length - 1])
    for (let index = clamp(start, length - 1, [-1, length - 1]); index > end; index += step)
      slice.push(items[index] as T)
  }
  return slice
}

/** Arithmetic as in Python, except that `+` joins a text and a number. */
export function calculate(operator: string, a: Value, b: Value, runtime: Runtime): Value {
  if (operator === '%' && isText(a))
    return isFields(b)
      ? formatPercent(a.value, [], b.value as ReadonlyMap<string, Value>, runtime)
      : formatPercent(a.value, b.type === 'TupleValue' ? itemsOf(b, runtime) : [b], new Map(), runtime)
  const [x, y] = [numberOf(a), numberOf(b)]
  if (x !== undefined && y !== undefined) return calculateNumbers(operator, x, y, isFloat(a) || isFloat(b))
  if (operator === '+') {
    if (isList(a) && isList(b)) {
      runtime.charge(a.value.length + b.value.length)
      return createList([...a.value, ...b.value])
    }
    const isJoined = (isText(a) && b.value !== undefined) || (isText(b) && a.value !== undefined)
    if (isJoined) return createText(toText(a) + toText(b))
  }
  if (operator === '*') {
    const [value, times] = integerOf(a) === undefined ? [a, integerOf(b)] : [b, integerOf(a)]
    if (isText(value) && times !== undefined) {
      runtime.allow(value.value.length * Math.max(0, times))
      return createText(value.value.repeat(Math.max(0, times)))
    }
  }
  throw new Error(`it does not take ${describe(a)} and ${describe(b)}`)
}

function calculateNumbers(operator: string, a: number, b: number, isFloat: boolean): Value {
  const create = isFloat ? createFloat : createInteger
  if (b === 0 && ['/', '//', '%'].includes(operator)) throw new Error('it divides by 0')
  switch (operator) {
    case '+':
      return create(a + b)
    case '-':
      return create(a - b)
    case '*':
      return create(a * b)
    case '/':
      return createFloat(a / b)
    case '//':
      return create(Math.floor(a / b))
    case '%':
      return create(a - b * Math.floor(a / b))
    case '**': {
      const power = a ** b
      if (!Number.isFinite(power)) throw new Error('the power is no number, or too large a one')
      return isFloat || b < 0 ? createFloat(power) : createInteger(power)
    }
    default:
      throw new Error('there is no such operator')
  }
}

/** Whether a comparison holds, `in` included. */
export function holds(operator: string, a: Value, b: Value, limits: Limits): boolean {
  switch (operator) {
    case '==':
      return equals(a, b, limits)
    case '!=':
      return !equals(a, b, limits)
    case 'in':
      return contains(b, a, limits)
    case 'not in':
      return !contains(b, a, limits)
    default: {
      const order = nameErrors(`\`${operator}\``, () => compare(a, b, limits))
      return operator === '<'
        ? order < 0
        : operator === '>'
          ? order > 0
          : operator === '<='
            ? order <= 0
            : order >= 0
    }
  }
}
