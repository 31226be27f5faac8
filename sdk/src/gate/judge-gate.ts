/** Whether a candidate may take the place of a baseline: rules over their comparison. Pure. */
import type { OutputOf, operations } from '@plumbline/contract'
import { type Comparator, type GateRule, readRule } from './rule.ts'

export type Comparison = OutputOf<typeof operations.experiments.compare>

export type Verdict = 'pass' | 'fail' | 'inconclusive'

export interface RuleVerdict {
  readonly rule: string
  readonly verdict: Verdict
  /** In a sentence, with the numbers. */
  readonly reason: string
}

export interface GateVerdict {
  /** `fail` if a rule fails, else `inconclusive` if one could not be decided. */
  readonly verdict: Verdict
  readonly rules: readonly RuleVerdict[]
}

/** A candidate that did not run every case of its baseline proves nothing, unless a rule allows for it. */
const always = readRule('missing <= 0')

type Compared = Pick<Comparison, 'measures' | 'baselineId' | 'regressionCount' | 'gaps' | 'isWhole'>
type Entry = Comparison['measures'][number]['experiments'][number]

/** `comparison` has the candidate and the baseline, and no other: regressions count for all that it has. */
export function judgeGate(
  comparison: Compared,
  candidateId: string,
  rules: readonly GateRule[],
): GateVerdict {
  const stated = rules.some((rule) => rule.type === 'count' && rule.count === 'missing')
  const verdicts = [...rules, ...(stated ? [] : [always])].map((rule) => ({
    rule: rule.text,
    ...judgeRule(rule, comparison, candidateId),
  }))
  const has = (verdict: Verdict): boolean => verdicts.some((of) => of.verdict === verdict)
  return {
    verdict: has('fail') ? 'fail' : has('inconclusive') ? 'inconclusive' : 'pass',
    rules: verdicts,
  }
}

type Judged = Omit<RuleVerdict, 'rule'>

function judgeRule(rule: GateRule, comparison: Compared, candidateId: string): Judged {
  switch (rule.type) {
    case 'mean': {
      const mean = entryOf(comparison, rule.measure, candidateId)?.mean
      return mean == null
        ? unknown(`No case of the candidate has ${rule.measure}.`)
        : held(rule, mean, `The mean of ${rule.measure} is ${numberOf(mean)}.`)
    }
    case 'delta':
      return judgeDelta(rule, comparison, candidateId)
    case 'count': {
      const gap = comparison.gaps.find(({ id }) => id === candidateId)
      const count = rule.count === 'regressions' ? comparison.regressionCount : (gap?.[rule.count] ?? 0)
      return held(rule, count, inWords[rule.count](count))
    }
    case 'significance':
      return judgeSignificance(rule, comparison, candidateId)
  }
}

const inWords = {
  regressions: (count: number) =>
    `${count} ${count === 1 ? 'case is' : 'cases are'} worse than in the baseline.`,
  missing: (count: number) =>
    count === 0
      ? 'The candidate ran every case of the baseline.'
      : `The candidate did not run ${count} ${count === 1 ? 'case' : 'cases'} of the baseline.`,
  failing: (count: number) => `${count} ${count === 1 ? 'case fails' : 'cases fail'}.`,
}

function judgeDelta(rule: GateRule & { type: 'delta' }, comparison: Compared, candidateId: string): Judged {
  const { measure, isShare } = rule
  const entry = entryOf(comparison, measure, candidateId)
  const { meanDelta, low, high } = entry ?? {}
  if (meanDelta == null) return unknown(`No case has ${measure} in both.`)
  const base = isShare ? entryOf(comparison, measure, comparison.baselineId)?.mean : 1
  // A share of nothing is known only where nothing was added.
  if (base == null || (base === 0 && meanDelta !== 0))
    return unknown(`The baseline's ${measure} is 0, of which nothing is a share.`)
  const scaled = (value: number): number => (base === 0 ? 0 : value / Math.abs(base))
  const inUnits = (value: number): string => (isShare ? `${signed(scaled(value) * 100)} %` : signed(value))
  const range = low == null || high == null ? '' : `, 95 % interval ${inUnits(low)} to ${inUnits(high)}`
  const sentence = `${measure} differs by ${inUnits(meanDelta)}${range}.`
  const judged = held(rule, scaled(meanDelta), sentence)
  const worst = rule.comparator.startsWith('>') ? low : high
  const isSure = worst == null || holds(rule.comparator, scaled(worst), rule.value)
  return judged.verdict === 'pass' && !isSure
    ? { ...judged, reason: `${sentence} That it holds is not certain: the interval reaches beyond.` }
    : judged
}

/** Of several scores, each is held to its share of the chance (Bonferroni), so that many do not make one fail. */
function judgeSignificance(
  { measure, value }: GateRule & { type: 'significance' },
  comparison: Compared,
  candidateId: string,
): Judged {
  const names =
    measure === undefined
      ? comparison.measures.map(({ name }) => name).filter((name) => name.startsWith('score.'))
      : [measure]
  const found = names.flatMap((name) => {
    const entry = entryOf(comparison, name, candidateId)
    return entry?.pValue === undefined || !entry.pairs ? [] : [{ name, ...entry, pValue: entry.pValue }]
  })
  if (found.length === 0)
    return unknown(measure === undefined ? 'No case has a score in both.' : `No case has ${measure} in both.`)
  const limit = value / found.length
  const worse = found.filter(({ better = 0, worse: of = 0, pValue }) => of > better && pValue < limit)
  const told = (of: (typeof found)[number]): string =>
    `${of.name} is better in ${of.better ?? 0} and worse in ${of.worse ?? 0} of ${of.pairs} cases, p = ${numberOf(of.pValue)}`
  const shared =
    found.length === 1 ? '' : ` (each is held to ${numberOf(limit)}, since there are ${found.length})`
  return worse.length > 0
    ? { verdict: 'fail', reason: `${worse.map(told).join('; ')}${shared}.` }
    : { verdict: 'pass', reason: `Nothing is worse beyond chance: ${found.map(told).join('; ')}${shared}.` }
}

const entryOf = ({ measures }: Compared, measure: string, id: string): Entry | undefined =>
  measures.find(({ name }) => name === measure)?.experiments.find((entry) => entry.id === id)

const unknown = (reason: string): Judged => ({ verdict: 'inconclusive', reason })

const held = ({ comparator, value }: GateRule, actual: number, reason: string): Judged => ({
  verdict: holds(comparator, actual, value) ? 'pass' : 'fail',
  reason,
})

/** A difference of a billionth is that of floating point, not of the candidate. */
const tolerance = 1e-9

function holds(comparator: Comparator, actual: number, value: number): boolean {
  const slack = tolerance * Math.max(1, Math.abs(value))
  switch (comparator) {
    case '>=':
      return actual >= value - slack
    case '<=':
      return actual <= value + slack
    case '>':
      return actual > value + slack
    case '<':
      return actual < value - slack
  }
}

const numberOf = (value: number): string => String(Number(value.toPrecision(3)))
const signed = (value: number): string => (value > 0 ? `+${numberOf(value)}` : numberOf(value))
