/** A comparison as CSV: a line for each case, with the output of each experiment. Pure. */
import { csvCell } from '@plumbline/sdk/import'
import type { Output } from '../app/api.ts'

type Comparison = Output<'experiments.compare'>
type ComparedCase = Comparison['cases'][number]

export function comparisonCsv({
  experiments,
  measures,
  cases,
}: Pick<Comparison, 'experiments' | 'measures'> & { readonly cases: readonly ComparedCase[] }): string {
  const names = measures.map(({ name }) => name)
  const titles = [
    'case',
    'datasetRowId',
    'isRegression',
    'input',
    'idealOutput',
    ...experiments.flatMap(({ name }) => [
      `${name}: output`,
      `${name}: trace`,
      `${name}: errors`,
      ...names.map((measure) => `${name}: ${measure}`),
      ...names.map((measure) => `${name}: difference of ${measure}`),
    ]),
  ]
  const lines = cases.map((entry) => [
    entry.key,
    entry.datasetRowId,
    entry.isRegression,
    entry.input,
    entry.idealOutput,
    ...entry.cells.flatMap(({ output, traceIds, errors, values, deltas }) => [
      output,
      traceIds[0],
      errors,
      ...names.map((measure) => values[measure]),
      ...names.map((measure) => deltas[measure]),
    ]),
  ])
  return [titles, ...lines].map((cells) => `${cells.map(csvCell).join(',')}\r\n`).join('')
}
