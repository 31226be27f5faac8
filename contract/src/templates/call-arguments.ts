import { classes, type Value } from './jinja.ts'
import { describe, integerOf, isMissing, isText, isTruthy, type Limits, nothing } from './values.ts'

/** The arguments of a filter, a test or a method. */
export class CallArguments {
  readonly positional: readonly Value[]
  readonly keywords: ReadonlyMap<string, Value>

  constructor(positional: readonly Value[] = [], keywords: ReadonlyMap<string, Value> = new Map()) {
    this.positional = positional
    this.keywords = keywords
  }

  /** The argument at a position or with a name. */
  get(index: number, name: string): Value | undefined {
    return this.positional[index] ?? this.keywords.get(name)
  }

  text(index: number, name: string): string | undefined {
    const value = this.get(index, name)
    if (value === undefined || isMissing(value)) return undefined
    if (isText(value)) return value.value
    throw new Error(`\`${name}\` is ${describe(value)}, and not a text`)
  }

  integer(index: number, name: string): number | undefined {
    const value = this.get(index, name)
    if (value === undefined || isMissing(value)) return undefined
    const number = integerOf(value)
    if (number === undefined) throw new Error(`\`${name}\` is ${describe(value)}, and not a whole number`)
    return number
  }

  flag(index: number, name: string): boolean {
    const value = this.get(index, name)
    return value !== undefined && isTruthy(value)
  }

  /** The arguments after the first `count`. */
  rest(count: number): CallArguments {
    return new CallArguments(this.positional.slice(count), this.keywords)
  }
}

/** The part of the rendering that filters can use. */
export interface Runtime extends Limits {
  applyFilter(name: string, value: Value, call: CallArguments): Value
  applyTest(name: string, value: Value, call: CallArguments): boolean
}

/** Methods, which accept their arguments like filters. */
const callables = new WeakMap<Value, (call: CallArguments) => Value>()

export function createCallable(call: (call: CallArguments) => Value): Value {
  const value = new classes.callable(() => nothing)
  callables.set(value, call)
  return value
}

/** The function passed to `createCallable`; undefined for macros and library functions. */
export const methodOf = (value: Value) => callables.get(value)
