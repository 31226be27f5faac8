/** The summary printed at the end of an experiment: one line per score, and the first failures. */
import type { ExperimentPlan, RowResult } from '../experiment.ts'
import type { ScoreSummary } from './summarize.ts'

interface ExperimentResult {
  readonly plan: Pick<ExperimentPlan, 'name'>
  readonly results: readonly RowResult[]
  readonly scores: Readonly<Record<string, ScoreSummary>>
  readonly durationMs: number
  readonly unstored: number
  readonly hasPassed: boolean
}

const failuresShown = 5

export function formatTable({
  plan,
  results,
  scores,
  durationMs,
  unstored,
  hasPassed,
}: ExperimentResult): string {
  const failed = results.flatMap((row, index) => ('error' in row ? [{ index, error: row.error }] : []))
  const lines = [
    `${plan.name}: ${results.length} rows, ${failed.length} failed, ${(durationMs / 1000).toFixed(1)} s`,
    ...alignColumns([
      ['score', 'result', 'at least', 'rows', ''],
      ...Object.entries(scores).map(([name, score]) => [
        name,
        formatResult(score),
        score.threshold === undefined ? '' : formatNumber(score.threshold),
        String(score.count),
        score.threshold === undefined ? '' : score.hasPassed ? 'passed' : 'failed',
      ]),
    ]),
    ...failed
      .slice(0, failuresShown)
      .map(({ index, error }) => `row ${index}: ${error instanceof Error ? error.message : String(error)}`),
    ...(failed.length > failuresShown ? [`and ${failed.length - failuresShown} more rows that failed`] : []),
    ...(unstored === 0
      ? []
      : [`${unstored} traces or scores are not stored: the service did not take them.`]),
    outcomeOf(hasPassed, results),
  ]
  return `${lines.join('\n')}\n`
}

function outcomeOf(hasPassed: boolean, results: readonly RowResult[]): string {
  if (hasPassed) return 'The experiment has passed.'
  return results.length === 0 ? 'The experiment has failed: it has no rows.' : 'The experiment has failed.'
}

function formatResult({ mean, texts }: ScoreSummary): string {
  const sortedTexts = Object.entries(texts).sort(([, a], [, b]) => b - a)
  return [
    ...(mean === undefined ? [] : [formatNumber(mean)]),
    ...sortedTexts.map(([text, count]) => `${text} ${count}`),
  ].join(', ')
}

const formatNumber = (value: number): string => String(Math.round(value * 1000) / 1000)

function alignColumns(rows: readonly string[][]): string[] {
  const widths = rows[0]!.map((_cell, column) =>
    rows.reduce((most, row) => Math.max(most, row[column]!.length), 0),
  )
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join('  ')
      .trimEnd(),
  )
}
