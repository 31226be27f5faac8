/** Differences of numbers, the same to the service and to the client. Pure. */

/** A difference of a billionth is that of floating point: 0.1 + 0.2 + 0.3 is not 0.3 + 0.2 + 0.1. */
const tolerance = 1e-9

/** How much greater a value is than a reference; 0 where only rounding tells them apart. */
export function differenceOf(value: number, reference: number): number {
  const difference = value - reference
  const size = Math.max(Math.abs(value), Math.abs(reference))
  return Math.abs(difference) <= tolerance * size ? 0 : difference
}
