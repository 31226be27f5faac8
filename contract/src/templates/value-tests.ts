import type { CallArguments, Runtime } from './call-arguments.ts'
import type { Value } from './jinja.ts'
import {
  compare,
  contains,
  describe,
  equals,
  isBoolean,
  isFields,
  isFloat,
  isInteger,
  isList,
  isMissing,
  isText,
  numberOf,
} from './values.ts'

type Test = (value: Value, call: CallArguments, runtime: Runtime) => boolean

const isUndefined = ({ type }: Value) => type === 'UndefinedValue'
const isIterable = (value: Value) => isList(value) || isFields(value) || isText(value) || isUndefined(value)
const remainder = (value: Value, call: CallArguments) => {
  const number = numberOf(value)
  const divisor = call.positional[0] ? numberOf(call.positional[0]) : 2
  if (number === undefined) throw new Error(`${describe(value)} is not divisible`)
  if (divisor === undefined || divisor === 0) throw new Error('`divisibleby` takes a number that is not 0')
  return number - divisor * Math.floor(number / divisor)
}
const other = (call: CallArguments): Value => {
  const [value] = call.positional
  if (!value) throw new Error('the test takes a value to compare with')
  return value
}
const isEqual: Test = (value, call, runtime) => equals(value, other(call), runtime)
const isUnequal: Test = (value, call, runtime) => !equals(value, other(call), runtime)
const isGreater: Test = (value, call, runtime) => compare(value, other(call), runtime) > 0
const isLess: Test = (value, call, runtime) => compare(value, other(call), runtime) < 0
const isAtLeast: Test = (value, call, runtime) => compare(value, other(call), runtime) >= 0
const isAtMost: Test = (value, call, runtime) => compare(value, other(call), runtime) <= 0

/** Jinja's tests, by the names that follow `is`. Null counts as missing, and is `none`. */
export const tests: ReadonlyMap<string, Test> = new Map<string, Test>([
  ['boolean', isBoolean],
  ['callable', ({ type }) => type === 'FunctionValue'],
  ['defined', (value) => !isUndefined(value)],
  ['undefined', isUndefined],
  // Nothing is escaped.
  ['escaped', () => false],
  ['none', isMissing],
  ['divisibleby', (value, call) => remainder(value, call) === 0],
  ['odd', (value, call) => remainder(value, call.rest(call.positional.length)) === 1],
  ['even', (value, call) => remainder(value, call.rest(call.positional.length)) === 0],
  ['false', (value) => isBoolean(value) && !value.value],
  ['true', (value) => isBoolean(value) && value.value === true],
  ['string', isText],
  ['number', (value) => numberOf(value) !== undefined],
  ['integer', isInteger],
  ['float', isFloat],
  ['iterable', isIterable],
  ['sequence', isIterable],
  ['mapping', isFields],
  [
    'lower',
    (value) => isText(value) && /\p{L}/u.test(value.value) && value.value === value.value.toLowerCase(),
  ],
  [
    'upper',
    (value) => isText(value) && /\p{L}/u.test(value.value) && value.value === value.value.toUpperCase(),
  ],
  ['sameas', (value, call) => value.type === other(call).type && value.value === other(call).value],
  ['in', (value, call, runtime) => contains(other(call), value, runtime)],
  ...['eq', 'equalto', '=='].map((name) => [name, isEqual] as const),
  ...['ne', '!='].map((name) => [name, isUnequal] as const),
  ...['gt', 'greaterthan', '>'].map((name) => [name, isGreater] as const),
  ...['lt', 'lessthan', '<'].map((name) => [name, isLess] as const),
  ...['ge', '>='].map((name) => [name, isAtLeast] as const),
  ...['le', '<='].map((name) => [name, isAtMost] as const),
])
