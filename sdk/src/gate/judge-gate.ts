/** Decides whether a candidate may replace a baseline, by rules on their comparison. Pure. */
import type { OutputOf, operations } from '@plumbline/contract'
import { type Comparator, type GateRule, readRule } from './rule.ts'

export type Comparison = OutputOf<typeof operations.experiments.compare>

export type Verdict = 'pass' | 'fail' | 'inconclusive'

export interface RuleVerdict {
  readonly rule: string
  readonly verdict: Verdict
  /** A sentence with the numbers. */
  readonly reason: string
}

export interface GateVerdict {
  /** `fail` if a rule fails, else `inconclusive` if one could not be decided. */
  readonly verdict: Verdict
  readonly rules: readonly RuleVerdict[]
}

/** A candidate that did not run every case of its baseline proves nothing, unless a rule allows it. */
const noMissingCases = readRule('missing <= 0')

type ComparisonParts = Pick<Comparison, 'measures' | 'baselineId' | 'regressionCount' | 'gaps' | 'isWhole'>
type Entry = Comparison['measures'][number]['experiments'][number]

/** `comparison` must have only the candidate and the baseline, since regressions count for all experiments in it. */
export function judgeGate(
  comparison: ComparisonParts,
  candidateId: string,
  rules: readonly GateRule[],
): GateVerdict {
  const hasMissingRule = rules.some((rule) => rule.type === 'count' && rule.count === 'missing')
  const verdicts: RuleVerdict[] = [...rules, ...(hasMissingRule ? [] : [noMissingCases])].map((rule) => ({
    rule: rule.text,
    ...judgeRule(rule, comparison, candidateId),
  }))
  if (!comparison.isWhole)
    verdicts.push({
      rule: 'all traces compared',
      ...inconclusive(
        'An experiment has more traces than a comparison holds: only the latest were compared.',
      ),
    })
  const has = (verdict: Verdict): boolean => verdicts.some((ruleVerdict) => ruleVerdict.verdict === verdict)
  return {
    verdict: has('fail') ? 'fail' : has('inconclusive') ? 'inconclusive' : 'pass',
    rules: verdicts,
  }
}

type RuleResult = Omit<RuleVerdict, 'rule'>

function judgeRule(rule: GateRule, comparison: ComparisonParts, candidateId: string): RuleResult {
  switch (rule.type) {
    case 'mean': {
      const entry = findEntry(comparison, rule.measure, candidateId)
      if (entry?.mean == null) return inconclusive(`No case of the candidate has ${rule.measure}.`)
      const sentence = `The mean of ${rule.measure} is ${formatNumber(entry.mean, rule.value)}.`
      return entry.unmeasured
        ? inconclusive(`${sentence} ${describeUnmeasured(entry.unmeasured, rule.measure)}`)
        : checkBound(rule, entry.mean, sentence)
    }
    case 'delta':
      return judgeDelta(rule, comparison, candidateId)
    case 'count': {
      const gap = comparison.gaps.find(({ id }) => id === candidateId)
      const count = rule.count === 'regressions' ? comparison.regressionCount : (gap?.[rule.count] ?? 0)
      if (rule.count === 'regressions' && count === 0 && !hasPairs(comparison, candidateId))
        return inconclusive('No case was run by both.')
      return checkBound(rule, count, describeCount[rule.count](count))
    }
    case 'significance':
      return judgeSignificance(rule, comparison, candidateId)
  }
}

const describeCount = {
  regressions: (count: number) =>
    `${count} ${count === 1 ? 'case is' : 'cases are'} worse than in the baseline.`,
  missing: (count: number) =>
    count === 0
      ? 'The candidate ran every case of the baseline.'
      : `The candidate did not run ${count} ${count === 1 ? 'case' : 'cases'} of the baseline.`,
  failing: (count: number) => `${count} ${count === 1 ? 'case fails' : 'cases fail'}.`,
}

function judgeDelta(
  rule: GateRule & { type: 'delta' },
  comparison: ComparisonParts,
  candidateId: string,
): RuleResult {
  const { measure, isShare } = rule
  const entry = findEntry(comparison, measure, candidateId)
  const { meanDelta, low, high, unmeasured = 0 } = entry ?? {}
  if (meanDelta == null) return inconclusive(`No case has ${measure} in both.`)
  const base = isShare ? entry?.baselineMean : 1
  // A share of 0 is defined only if there is no difference.
  if (base == null || (base === 0 && meanDelta !== 0))
    return inconclusive(`The baseline's ${measure} is 0, of which nothing is a share.`)
  const scale = (value: number): number => (base === 0 ? 0 : value / Math.abs(base))
  const formatDelta = (value: number): string =>
    isShare ? `${formatSigned(scale(value) * 100, rule.value * 100)} %` : formatSigned(value, rule.value)
  const range =
    low == null || high == null ? '' : `, 95 % interval ${formatDelta(low)} to ${formatDelta(high)}`
  const sentence = `${measure} differs by ${formatDelta(meanDelta)}${range}.`
  if (unmeasured > 0) return inconclusive(`${sentence} ${describeUnmeasured(unmeasured, measure)}`)
  const result = checkBound(rule, scale(meanDelta), sentence)
  const worst = rule.comparator.startsWith('>') ? low : high
  const isSure = worst == null || holds(rule.comparator, scale(worst), rule.value)
  return result.verdict === 'pass' && !isSure
    ? { ...result, reason: `${sentence} That it holds is not certain: the interval reaches beyond.` }
    : result
}

/**
 * If there are several scores, each p-value is corrected for the others (Holm), so that the rule does not fail only because
 * there are many. A rule that could not fail is inconclusive: the lowest p-value of n cases is 2 to the power of 1 - n.
 */
function judgeSignificance(
  { measure, value }: GateRule & { type: 'significance' },
  comparison: ComparisonParts,
  candidateId: string,
): RuleResult {
  const names =
    measure === undefined
      ? comparison.measures.map(({ name }) => name).filter((name) => name.startsWith('score.'))
      : [measure]
  const entries = names.flatMap((name) => {
    const entry = findEntry(comparison, name, candidateId)
    return entry?.pValue === undefined || !entry.pairs
      ? []
      : [{ ...entry, name, pValue: entry.pValue, pairs: entry.pairs }]
  })
  if (entries.length === 0)
    return inconclusive(
      measure === undefined ? 'No case has a score in both.' : `No case has ${measure} in both.`,
    )
  const ordered = entries.toSorted((first, second) => first.pValue - second.pValue)
  const firstKept = ordered.findIndex(({ pValue }, rank) => pValue * (entries.length - rank) >= value)
  const worse = ordered
    .slice(0, firstKept === -1 ? entries.length : firstKept)
    .filter((entry) => (entry.worse ?? 0) > (entry.better ?? 0))
  const describeEntry = (entry: (typeof entries)[number]): string =>
    `${entry.name} is better in ${entry.better ?? 0} and worse in ${entry.worse ?? 0} of ${entry.pairs} cases, p = ${formatNumber(entry.pValue, value)}`
  const family = entries.length === 1 ? '' : ` (corrected for ${entries.length} scores)`
  if (worse.length > 0) return { verdict: 'fail', reason: `${worse.map(describeEntry).join('; ')}${family}.` }
  const partial = entries.filter(({ unmeasured = 0 }) => unmeasured > 0)
  if (partial.length > 0)
    return inconclusive(
      `Cannot be decided. ${partial.map(({ unmeasured = 0, name }) => describeUnmeasured(unmeasured, name)).join(' ')}`,
    )
  const needed = Math.floor(1 + Math.log2(entries.length / value) + 1e-9) + 1
  const short = entries.filter(({ pairs }) => pairs < needed)
  if (short.length > 0) {
    const missing = Math.max(...short.map(({ pairs }) => needed - pairs))
    return inconclusive(
      `Cannot be decided: needs at least ${missing} more ${missing === 1 ? 'case' : 'cases'}. ${short.map(describeEntry).join('; ')}${family}; with fewer than ${needed} cases no p-value can be below ${formatNumber(value, value)}.`,
    )
  }
  return {
    verdict: 'pass',
    reason: `Nothing is worse beyond chance: ${entries.map(describeEntry).join('; ')}${family}.`,
  }
}

/** The remaining cases may be the better ones: nothing is known about those that failed. */
const describeUnmeasured = (count: number, measure: string): string =>
  `In ${count} more ${count === 1 ? 'case' : 'cases'} that both ran, only the baseline has ${measure}.`

/** Whether both ran any case: such a case is a pair in at least one measure, since every ended trace has a duration. */
const hasPairs = ({ measures }: ComparisonParts, candidateId: string): boolean =>
  measures.some(({ experiments }) => experiments.some(({ id, pairs }) => id === candidateId && pairs))

const findEntry = ({ measures }: ComparisonParts, measure: string, id: string): Entry | undefined =>
  measures.find(({ name }) => name === measure)?.experiments.find((entry) => entry.id === id)

const inconclusive = (reason: string): RuleResult => ({ verdict: 'inconclusive', reason })

const checkBound = ({ comparator, value }: GateRule, actual: number, reason: string): RuleResult => ({
  verdict: holds(comparator, actual, value) ? 'pass' : 'fail',
  reason,
})

/** A relative difference of a billionth is rounding, not a difference of the candidate. */
const tolerance = 1e-9

/** Positive if a value exceeds a limit, negative if it falls short of it. */
function compare(actual: number, limit: number): number {
  const slack = tolerance * Math.max(1, Math.abs(limit))
  return Math.abs(actual - limit) <= slack ? 0 : actual - limit
}

function holds(comparator: Comparator, actual: number, value: number): boolean {
  const side = compare(actual, value)
  switch (comparator) {
    case '>=':
      return side >= 0
    case '<=':
      return side <= 0
    case '>':
      return side > 0
    case '<':
      return side < 0
  }
}

/** Three digits, or more if rounding would cross the limit: 0.7996 must not be printed as the required 0.8. */
function formatNumber(value: number, limit: number): string {
  const side = Math.sign(compare(value, limit))
  for (let digits = 3; digits < 17; digits++) {
    const rounded = Number(value.toPrecision(digits))
    if (Math.sign(compare(rounded, limit)) === side) return String(rounded)
  }
  return String(value)
}

const formatSigned = (value: number, limit: number): string =>
  value > 0 ? `+${formatNumber(value, limit)}` : formatNumber(value, limit)
