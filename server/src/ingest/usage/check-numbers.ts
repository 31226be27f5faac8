import { isPossible, isPossibleNumber } from './totals.ts'

type Numbers = {
  readonly [Name in 'inputTokens' | 'outputTokens' | 'cost']?: number | null | undefined
}

/** Warns of numbers that no call can have; they are stored, but left out of sums. `path` precedes the name of each. */
export function checkNumbers({ inputTokens, outputTokens, cost }: Numbers, path: string): string[] {
  const numbers = { inputTokens: inputTokens ?? null, outputTokens: outputTokens ?? null, cost: cost ?? null }
  if (isPossible(numbers)) return []
  return Object.entries(numbers).flatMap(([name, number]) => {
    return number === null || isPossibleNumber(number)
      ? []
      : [`${path}${name} cannot be ${number}; it is stored as sent, and the log is left out of sums.`]
  })
}
