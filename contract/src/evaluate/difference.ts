/** Differences of numbers, shared by the service and the client. Pure. */

/** A relative difference of a billionth is rounding: 0.1 + 0.2 + 0.3 is not 0.3 + 0.2 + 0.1. */
const tolerance = 1e-9

/** A value minus a reference; 0 if they differ only by rounding. */
export function differenceOf(value: number, reference: number): number {
  const difference = value - reference
  const size = Math.max(Math.abs(value), Math.abs(reference))
  return Math.abs(difference) <= tolerance * size ? 0 : difference
}
