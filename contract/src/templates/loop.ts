import { type CallArguments, createCallable } from './call-arguments.ts'
import type { Value } from './jinja.ts'
import { createBoolean, createFields, createInteger, equals, type Limits, nothing } from './values.ts'

/** The variable `loop` in one iteration; all iterations share `memory`. */
export function createLoop(
  items: readonly Value[],
  index: number,
  memory: { lastValues?: readonly Value[] },
  limits: Limits,
): Value {
  const { length } = items
  const cycle = ({ positional }: CallArguments) => {
    if (positional.length === 0) throw new Error('`loop.cycle` takes the values to go through')
    return positional[index % positional.length] as Value
  }
  const hasChanged = ({ positional }: CallArguments) => {
    const { lastValues } = memory
    memory.lastValues = positional
    const isSame =
      lastValues?.length === positional.length &&
      lastValues.every((each, place) => equals(each, positional[place] as Value, limits))
    return createBoolean(!isSame)
  }
  return createFields(
    new Map([
      ['index', createInteger(index + 1)],
      ['index0', createInteger(index)],
      ['revindex', createInteger(length - index)],
      ['revindex0', createInteger(length - index - 1)],
      ['first', createBoolean(index === 0)],
      ['last', createBoolean(index === length - 1)],
      ['length', createInteger(length)],
      ['previtem', items[index - 1] ?? nothing],
      ['nextitem', items[index + 1] ?? nothing],
      ['depth', createInteger(1)],
      ['depth0', createInteger(0)],
      ['cycle', createCallable(cycle)],
      ['changed', createCallable(hasChanged)],
    ]),
  )
}

/** A `break` or `continue`; it carries the text that the loop body has written so far. */
export class LoopControl extends Error {
  readonly isBreak: boolean
  text = ''

  constructor(isBreak: boolean) {
    super('')
    this.isBreak = isBreak
  }
}
