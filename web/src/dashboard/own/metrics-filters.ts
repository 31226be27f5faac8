import type { DashboardChart } from '@plumbline/sdk'
import { filterInput } from '../../traces/filter/filter-input.ts'
import { clausesOfInput } from '../../traces/filter/filter-of-input.ts'
import { type Clause, writeFilter } from '../../traces/filter/filter-text.ts'

/** The combined filter of a chart and its screen: as metrics accept it, and as text. */
export function metricsFilters({ filters }: Pick<DashboardChart, 'filters'>, more: readonly Clause[]) {
  const clauses = [...clausesOfInput(filters), ...more]
  const { q: _words, ...input } = filterInput(clauses)
  return { filters: JSON.stringify(input), text: writeFilter(clauses) }
}
