/** Summarizes the scores of an experiment. */
import { differenceOf } from '@plumbline/contract/difference'
import type { ExperimentPlan, RowResult, ScoreValue } from '../experiment.ts'

/** One score over all rows that have it. */
export interface ScoreSummary {
  /** Mean of numbers and booleans (true is 1); undefined if there are none. */
  readonly mean: number | undefined
  /** Number of rows judged. */
  readonly count: number
  /** Number of occurrences of each text, for text scores. */
  readonly texts: Readonly<Record<string, number>>
  readonly threshold: number | undefined
  readonly hasPassed: boolean
}

/** The experiment fails if any row failed, regardless of the scores, or if there are no rows. */
export function summarize<Scores extends string>(
  { evaluators, thresholds }: Pick<ExperimentPlan<Scores>, 'evaluators' | 'thresholds'>,
  rows: readonly RowResult<Scores>[],
): { scores: Record<Scores, ScoreSummary>; hasPassed: boolean } {
  // Safe: the keys of both objects are names of scores.
  const names = [...new Set(Object.keys({ ...evaluators, ...thresholds }))] as Scores[]
  const summaries = names.map((name): [Scores, ScoreSummary] => {
    const values = rows.map((row) => row.scores[name]).filter((value) => value !== undefined)
    return [name, summarizeScore(values, thresholds?.[name])]
  })
  const hasPassed =
    rows.length > 0 &&
    rows.every((row) => !('error' in row)) &&
    summaries.every(([, { hasPassed }]) => hasPassed)
  return { scores: Object.fromEntries(summaries) as Record<Scores, ScoreSummary>, hasPassed }
}

function summarizeScore(values: readonly ScoreValue[], threshold: number | undefined): ScoreSummary {
  const numbers = values.filter((value) => typeof value !== 'string').map(Number)
  const texts: Record<string, number> = {}
  for (const value of values) if (typeof value === 'string') texts[value] = (texts[value] ?? 0) + 1
  const mean =
    numbers.length === 0 ? undefined : numbers.reduce((sum, value) => sum + value, 0) / numbers.length
  // A missing mean, or NaN, does not reach the threshold.
  const hasPassed = threshold === undefined || (mean !== undefined && differenceOf(mean, threshold) >= 0)
  return { mean, count: values.length, texts, threshold, hasPassed }
}
