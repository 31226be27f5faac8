/** Compares each measure of the experiments with that of the baseline, and tells differences from chance. */
import type { MeasureComparison } from '@plumbline/contract'
import { differenceOf } from '@plumbline/contract/difference'
import {
  detectableDifference,
  holm,
  intervalOfMean,
  intervalOfProportions,
  mean,
  pairsNeeded,
  signFlipTest,
  significanceLevel,
  signTest,
} from '../../statistics/paired.ts'
import { type Cell, isLowerBetter, type Plan, scorePrefix } from './comparison.ts'

type Verdict = NonNullable<MeasureComparison['experiments'][number]['verdict']>
type Cases = readonly (readonly Cell[])[]

/** One experiment compared with the baseline in one measure. */
interface Difference {
  readonly deltas: readonly number[]
  /** The baseline's mean over the same cases. */
  readonly baselineMean: number
  readonly unmeasured: number
  readonly isProportion: boolean
  readonly pValue: number
}

/**
 * Pairs are cases: repetitions count as their mean, so that they do not inflate the number of cases. All measures of all
 * experiments are one family of tests: at most 5 % of comparisons have a verdict that is wrong by chance, not 5 % of verdicts.
 */
export function compareMeasures(names: readonly string[], cases: Cases, plan: Plan): MeasureComparison[] {
  const candidates = plan.ids.filter((id) => id !== plan.baselineId)
  const differences = new Map(
    names.flatMap((name) =>
      candidates.flatMap((id) => {
        const difference = compareWithBaseline(name, plan.ids.indexOf(id), cases, plan)
        return difference === undefined ? [] : [[keyOf(name, id), difference] as const]
      }),
    ),
  )
  const corrected = holm([...differences.values()].map(({ pValue }) => pValue))
  const correctedByKey = new Map([...differences.keys()].map((key, index) => [key, corrected[index]!]))
  return names.map((name) => {
    const lowerIsBetter = isLowerBetter(name, plan.lowerIsBetter)
    return {
      name,
      lowerIsBetter,
      experiments: plan.ids.map((id, index) => {
        const values = cases.flatMap((cells) => cells[index]?.values[name] ?? [])
        const summary = { id, count: values.length, mean: mean(values) ?? null }
        if (id === plan.baselineId) return summary
        const difference = differences.get(keyOf(name, id))
        if (difference === undefined) return { ...summary, ...withoutPairs }
        const correctedP = correctedByKey.get(keyOf(name, id))!
        return { ...summary, ...describeDifference(difference, correctedP, differences.size, lowerIsBetter) }
      }),
    }
  })
}

const keyOf = (name: string, id: string): string => `${id} ${name}`

const withoutPairs = {
  pairs: 0,
  baselineMean: null,
  meanDelta: null,
  low: null,
  high: null,
  better: 0,
  worse: 0,
  pValue: 1,
}

/** Undefined if no case has the measure in both. */
function compareWithBaseline(
  name: string,
  index: number,
  cases: Cases,
  { ids, baselineId }: Plan,
): Difference | undefined {
  const baselineIndex = ids.indexOf(baselineId)
  const pairs = cases.flatMap((cells) => {
    const [value, baseline] = [cells[index]?.values[name], cells[baselineIndex]?.values[name]]
    return value === undefined || baseline === undefined ? [] : [{ value, baseline }]
  })
  const baselineMean = mean(pairs.map(({ baseline }) => baseline))
  if (baselineMean === undefined) return undefined
  const unmeasured = cases.filter(
    (cells) =>
      cells[baselineIndex]?.values[name] !== undefined &&
      cells[index]!.traceIds.length > 0 &&
      cells[index]!.values[name] === undefined,
  ).length
  const deltas = pairs.map(({ value, baseline }) => differenceOf(value, baseline))
  const isProportion =
    name.startsWith(scorePrefix) &&
    pairs.every(({ value, baseline }) => isBinary(value) && isBinary(baseline))
  return { deltas, baselineMean, unmeasured, isProportion, pValue: signFlipTest(deltas) }
}

const isBinary = (value: number): boolean => value === 0 || value === 1

function describeDifference(
  { deltas, baselineMean, unmeasured, isProportion, pValue: pMean }: Difference,
  pCorrected: number,
  tests: number,
  lowerIsBetter: boolean,
) {
  const { positive, negative, pValue } = signTest(deltas)
  const interval = isProportion ? intervalOfProportions(deltas) : intervalOfMean(deltas)
  const meanDelta = mean(deltas) ?? 0
  const needed = pairsNeeded(tests)
  const verdict = verdictOf(meanDelta, { pairs: deltas.length, needed, pCorrected, lowerIsBetter })
  return {
    pairs: deltas.length,
    unmeasured,
    baselineMean,
    meanDelta,
    low: interval?.low ?? null,
    high: interval?.high ?? null,
    better: lowerIsBetter ? negative : positive,
    worse: lowerIsBetter ? positive : negative,
    pValue,
    pMean,
    pCorrected,
    verdict,
    ...(verdict === 'too_few' && { casesNeeded: needed - deltas.length }),
    detectable: detectableDifference(deltas, tests) ?? null,
  }
}

function verdictOf(
  meanDelta: number,
  context: { pairs: number; needed: number; pCorrected: number; lowerIsBetter: boolean },
): Verdict {
  if (context.pairs < context.needed) return 'too_few'
  if (context.pCorrected >= significanceLevel || meanDelta === 0) return 'unclear'
  return meanDelta < 0 === context.lowerIsBetter ? 'better' : 'worse'
}
