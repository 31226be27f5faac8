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
  // Text scores are not measures.
  const categories = [
    ...new Set(cases.flatMap(({ cells }) => cells.flatMap((cell) => Object.keys(cell.categories)))),
  ].sort()
  const isRepeated = (name: string): boolean => experiments.filter((each) => each.name === name).length > 1
  const titles = [
    'case',
    'datasetRowId',
    'isRegression',
    'input',
    'idealOutput',
    ...experiments.flatMap(({ id, name }) => {
      const title = isRepeated(name) ? `${name} (${id})` : name
      return [
        `${title}: output`,
        `${title}: trace`,
        `${title}: errors`,
        ...names.map((measure) => `${title}: ${measure}`),
        ...names.map((measure) => `${title}: difference of ${measure}`),
        ...categories.map((score) => `${title}: text of score.${score}`),
      ]
    }),
  ]
  const lines = cases.map((entry) => [
    entry.key,
    entry.datasetRowId,
    entry.isRegression,
    entry.input,
    entry.idealOutput,
    ...entry.cells.flatMap(({ output, traceIds, errors, values, deltas, categories: texts }) => [
      output,
      traceIds[0],
      errors,
      ...names.map((measure) => values[measure]),
      ...names.map((measure) => deltas[measure]),
      ...categories.map((score) => texts[score]),
    ]),
  ])
  return [titles, ...lines].map((cells) => `${cells.map(csvCell).join(',')}\r\n`).join('')
}
