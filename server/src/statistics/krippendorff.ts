import type { Category } from './kappa.ts'

/** How much two categories differ: 0 for the same. */
export type Difference = (one: Category, other: Category) => number

/** Any two categories differ alike. */
export const nominalDifference: Difference = (one, other) => (one === other ? 0 : 1)
/** Of numbers: the square of what lies between them. */
export const intervalDifference: Difference = (one, other) => (Number(one) - Number(other)) ** 2

/**
 * Krippendorff's alpha (Computing Krippendorff's Alpha-Reliability, 2011) of what any number of raters said of things,
 * of which each need not rate all: 1 for full agreement, 0 for what chance would make. A thing that one alone has rated
 * tells nothing. Undefined where nothing is rated twice, or all say the same of everything.
 */
export function krippendorffsAlpha(
  units: readonly (readonly Category[])[],
  difference: Difference = nominalDifference,
): number | undefined {
  const pairable = units.filter((values) => values.length > 1)
  const totals = new Map<Category, number>()
  let count = 0
  let found = 0
  for (const values of pairable) {
    const counts = new Map<Category, number>()
    for (const value of values) {
      counts.set(value, (counts.get(value) ?? 0) + 1)
      totals.set(value, (totals.get(value) ?? 0) + 1)
      count += 1
    }
    let within = 0
    for (const [one, ones] of counts)
      for (const [other, others] of counts) within += ones * others * difference(one, other)
    found += within / (values.length - 1)
  }
  let byChance = 0
  for (const [one, ones] of totals)
    for (const [other, others] of totals) byChance += ones * others * difference(one, other)
  return byChance === 0 ? undefined : 1 - ((count - 1) * found) / byChance
}
