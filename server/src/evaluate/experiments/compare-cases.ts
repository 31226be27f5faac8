/** Compares the traces of several experiments, case by case. */
import type { MeasureComparison } from '@plumbline/contract'
import { differenceOf } from '@plumbline/contract/difference'
import type { ExperimentTrace } from '@plumbline/storage/traces'
import { mean, standardDeviation } from '../../statistics/paired.ts'
import { compareMeasures } from './compare-measures.ts'
import { type Cell, isLowerBetter, type Plan, scorePrefix, usageMeasures } from './comparison.ts'

/** A case without its texts, but with the traces to read them from. */
export interface Case {
  readonly key: string
  readonly datasetRowId: string | undefined
  readonly isRegression: boolean
  readonly cells: readonly Cell[]
}

/** The cases that an experiment did not run, or that failed. */
export type Gap = { readonly id: string; readonly missing: number; readonly failing: number }

/** The cases, worst regressions first, by the loss relative to the range of its score. */
export function compareCases(
  traces: readonly ExperimentTrace[],
  plan: Plan,
): { cases: Case[]; measures: MeasureComparison[]; gaps: Gap[] } {
  const byKey = Map.groupBy(traces, keyOf)
  const cells = [...byKey].map(([key, keyTraces]) => ({
    key,
    cells: cellsOf(keyTraces, plan),
    first: keyTraces[0]!,
  }))
  const names = measureNames(traces)
  const spans = new Map(
    names.map((name) => [
      name,
      spanOf(
        cells.map((row) => row.cells),
        name,
      ),
    ]),
  )
  const cases = cells.map(({ key, cells: caseCells, first }) => {
    const loss = Math.max(...caseCells.map((cell) => lossOf(cell, caseCells, spans, plan)))
    return {
      loss,
      key,
      datasetRowId: first.datasetRowId === '' ? undefined : first.datasetRowId,
      isRegression: loss > 0,
      cells: caseCells,
    }
  })
  cases.sort((first, second) => second.loss - first.loss || (first.key < second.key ? -1 : 1))
  return {
    cases: cases.map(({ loss: _loss, ...comparedCase }) => comparedCase),
    measures: compareMeasures(
      names,
      cells.map((row) => row.cells),
      plan,
    ),
    gaps: gapsOf(
      cells.map((row) => row.cells),
      plan,
    ),
  }
}

/** The key that the traces of one case share: the row, or else the input. */
function keyOf({ datasetRowId, dataset, row, inputHash }: ExperimentTrace): string {
  if (datasetRowId !== '') return `row ${datasetRowId}`
  if (dataset !== '' && row !== '') return `dataset ${dataset} ${row.padStart(9, '0')}`
  return `input ${inputHash}`
}

function cellsOf(traces: readonly ExperimentTrace[], { ids, baselineId }: Plan): Cell[] {
  const cells = ids.map((experimentId) => {
    const own = traces.filter((trace) => trace.experimentId === experimentId)
    return { experimentId, own, ...summaryOf(own) }
  })
  const baseline = cells.find(({ experimentId }) => experimentId === baselineId)?.values ?? {}
  return cells.map(({ experimentId, own, values, spreads }) => ({
    experimentId,
    traceIds: own.map(({ traceId }) => traceId),
    errors: own.filter(({ errors }) => errors > 0).length,
    values,
    spreads,
    categories: categoriesOf(own[0]),
    deltas:
      experimentId === baselineId
        ? {}
        : Object.fromEntries(
            Object.entries(values)
              .filter(([name]) => baseline[name] !== undefined)
              .map(([name, value]) => [name, differenceOf(value, baseline[name]!)]),
          ),
    latest: own[0],
  }))
}

function summaryOf(traces: readonly ExperimentTrace[]): Pick<Cell, 'values' | 'spreads'> {
  const valuesByName = new Map<string, number[]>()
  const add = (name: string, value: number | null): void => {
    if (value !== null) valuesByName.set(name, [...(valuesByName.get(name) ?? []), value])
  }
  for (const { scores, cost, durationMs, tokens } of traces) {
    for (const { name, value } of scores)
      if (typeof value !== 'string') add(scorePrefix + name, Number(value))
    add('cost', cost)
    add('durationMs', durationMs)
    // The sum of a trace is 0 only if none of its counts is known.
    add('tokens', tokens === 0 ? null : tokens)
  }
  return {
    values: Object.fromEntries([...valuesByName].map(([name, values]) => [name, mean(values) ?? 0])),
    spreads: Object.fromEntries(
      [...valuesByName].flatMap(([name, values]) => {
        const spread = standardDeviation(values)
        return spread === undefined ? [] : [[name, spread]]
      }),
    ),
  }
}

/** Cases that an experiment skipped although the baseline ran them, and those that failed in it. */
const gapsOf = (cases: readonly (readonly Cell[])[], { ids, baselineId }: Plan): Gap[] =>
  ids.map((id, index) => {
    const baselineIndex = ids.indexOf(baselineId)
    const missing = cases.filter(
      (cells) => cells[index]?.traceIds.length === 0 && cells[baselineIndex]!.traceIds.length > 0,
    )
    return { id, missing: missing.length, failing: cases.filter((cells) => cells[index]!.errors > 0).length }
  })

const categoriesOf = (trace: ExperimentTrace | undefined): Record<string, string> =>
  Object.fromEntries(
    (trace?.scores ?? []).flatMap(({ name, value }) => (typeof value === 'string' ? [[name, value]] : [])),
  )

const measureNames = (traces: readonly ExperimentTrace[]): string[] => [
  ...new Set(
    traces.flatMap(({ scores }) =>
      scores.flatMap(({ name, value }) => (typeof value === 'string' ? [] : [scorePrefix + name])),
    ),
  ),
  ...usageMeasures,
]

/** The largest difference of a measure, to scale the others by; 1 if there is none. */
const spanOf = (cases: readonly (readonly Cell[])[], name: string): number =>
  cases.reduce(
    (max, cells) => cells.reduce((max, { deltas }) => Math.max(max, Math.abs(deltas[name] ?? 0)), max),
    0,
  ) || 1

/** How much worse a cell is than the baseline, from 0 to 1 as a share of the largest difference; a new failure counts as 1. */
function lossOf(
  cell: Cell,
  all: readonly Cell[],
  spans: ReadonlyMap<string, number>,
  { baselineId, lowerIsBetter }: Plan,
): number {
  const baseline = all.find(({ experimentId }) => experimentId === baselineId)
  const isNewFailure = cell.errors > 0 && baseline?.errors === 0 && baseline.traceIds.length > 0
  const losses = Object.entries(cell.deltas)
    .filter(([name]) => name.startsWith(scorePrefix))
    .map(([name, delta]) => {
      return (isLowerBetter(name, lowerIsBetter) ? delta : -delta) / (spans.get(name) ?? 1)
    })
  return Math.max(0, isNewFailure ? 1 : 0, ...losses)
}
