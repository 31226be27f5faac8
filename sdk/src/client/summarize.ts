/** What the scores of an experiment come to. */
import { differenceOf } from '@plumbline/contract/difference'
import type { ExperimentPlan, RowResult, ScoreValue } from '../experiment.ts'

/** One score over all rows that have it. */
export interface ScoreSummary {
  /** Of numbers and booleans (true is 1); undefined when there are none. */
  readonly mean: number | undefined
  /** How many rows were judged. */
  readonly count: number
  /** How often each text occurs, for scores that are texts. */
  readonly texts: Readonly<Record<string, number>>
  readonly threshold: number | undefined
  readonly hasPassed: boolean
}

/** A row that failed is a failure of the experiment, whatever the other rows' scores are, and so is it to have no rows. */
export function summarize<Scores extends string>(
  { evaluators, thresholds }: Pick<ExperimentPlan<Scores>, 'evaluators' | 'thresholds'>,
  rows: readonly RowResult<Scores>[],
): { scores: Record<Scores, ScoreSummary>; hasPassed: boolean } {
  // Safe: objects that have the names of scores as keys.
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
  // Without a mean, or with one that is no number, nothing shows that the threshold was reached.
  const hasPassed = threshold === undefined || (mean !== undefined && differenceOf(mean, threshold) >= 0)
  return { mean, count: values.length, texts, threshold, hasPassed }
}
