/** The columns of the list: the fixed ones, and one for each key of metadata and name of a score. */
import type { TraceSummary } from '@plumbline/sdk'
import { useMemo } from 'react'
import { useRead } from '../../../app/api.ts'
import { useDensity } from '../../../app/preferences.ts'
import { searchWords } from '../../filter/search-words.ts'
import type { TraceQuery } from '../use-trace-query.ts'
import { slowTraces } from './duration-rank.ts'
import { showsScores } from './score-texts.ts'
import { traceColumns } from './trace-columns.tsx'
import { useListScores } from './use-list-scores.ts'

const noItems: readonly TraceSummary[] = []

interface ColumnsOptions {
  readonly columnIds: readonly string[] | undefined
  readonly items?: readonly TraceSummary[]
  readonly isNarrow?: boolean
}

export function useTraceColumns(
  { text, scope }: TraceQuery,
  { columnIds, items = noItems, isNarrow = false }: ColumnsOptions,
) {
  const [density] = useDensity()
  const facets = useRead('traces.facets', { ...scope, fields: 'metadata,score', limit: 50 }).data?.facets
  const durations = useRead('metrics.query', {
    measures: 'traces,p95DurationMs,p99DurationMs',
    dimensions: 'feature',
    ...scope,
  }).data?.rows
  const names = useMemo(() => {
    const extraNames = (facets ?? []).flatMap(({ field, values }) =>
      values.map(({ value }) => `${field}.${value}`),
    )
    const extraColumns = (columnIds ?? []).filter((id) => /^(metadata|score)\../.test(id))
    return [...new Set([...extraNames, ...extraColumns])]
  }, [facets, columnIds])
  const scores = useListScores(items, showsScores(columnIds))
  const slowOf = useMemo(() => slowTraces(durations ?? []), [durations])
  const words = useMemo(() => searchWords(text), [text])
  return useMemo(
    () =>
      traceColumns({ scores, slowOf, look: { hasTwoLines: density !== 'compact', isNarrow, words } }, names),
    [scores, slowOf, names, density, isNarrow, words],
  )
}
