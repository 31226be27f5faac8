/** The types of an experiment comparison: its plan, a cell of its table, and the direction of a measure. */
import type { ComparedCase } from '@plumbline/contract'
import type { ExperimentTrace } from '@plumbline/storage/traces'

export interface Plan {
  /** In the order of the columns. */
  readonly ids: readonly string[]
  readonly baselineId: string
  /** Names of scores for which lower values are better. */
  readonly lowerIsBetter: ReadonlySet<string>
}

/** A cell without its text, but with the trace to read it from. */
export type Cell = Omit<ComparedCase['cells'][number], 'output'> & {
  readonly latest: ExperimentTrace | undefined
}

/** Measures for which lower values are always better. */
export const usageMeasures = ['cost', 'durationMs', 'tokens']
export const scorePrefix = 'score.'

export const isLowerBetter = (name: string, lowerIsBetter: ReadonlySet<string>): boolean =>
  usageMeasures.includes(name) || lowerIsBetter.has(name.slice(scorePrefix.length))
