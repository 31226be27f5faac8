import { Refusal } from './bounds.ts'
import { Environment } from './jinja.ts'

/** The globals of a template: those of Jinja, without the library's own, such as `strftime_now`. */
export function createEnvironment(): Environment {
  const environment = new Environment()
  for (const [name, value] of Object.entries(constants)) environment.set(name, value)
  environment.set('range', boundedRange)
  return environment
}

export const constants = {
  true: true,
  false: false,
  none: null,
  True: true,
  False: false,
  None: null,
} as const

const rangeMax = 100_000

function boundedRange(first: unknown, second?: unknown, third: unknown = 1): number[] {
  const [start, stop] = second === undefined ? [0, first] : [first, second]
  if (!Number.isInteger(start) || !Number.isInteger(stop) || !Number.isInteger(third) || third === 0) {
    throw new Refusal('range() takes one to three whole numbers, and a step that is not 0')
  }
  const step = Number(third)
  const length = Math.max(0, Math.ceil((Number(stop) - Number(start)) / step))
  if (length > rangeMax) throw new Refusal(`range() makes more than ${rangeMax} numbers`)
  return Array.from({ length }, (_, index) => Number(start) + index * step)
}
