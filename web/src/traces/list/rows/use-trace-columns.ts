/** The columns of the list: the fixed ones, and one per metadata key and score name. */
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
  /** The metadata keys and score names on offer, besides those in `columnIds`. */
  readonly extraNames?: readonly string[]
}

const noNames: readonly string[] = []

/** The available metadata and score columns; read only once `isWanted`, since a long range takes a while. */
export function useExtraColumns({ scope }: TraceQuery, isWanted: boolean) {
  const { data, isLoading } = useRead(
    'traces.facets',
    { ...scope, fields: 'metadata,score', limit: 50 },
    { enabled: isWanted },
  )
  const names = useMemo(
    () => data?.facets.flatMap(({ field, values }) => values.map(({ value }) => `${field}.${value}`)),
    [data],
  )
  return { names: names ?? noNames, isLoading }
}

export function useTraceColumns(
  { text, scope }: TraceQuery,
  { columnIds, items = noItems, isNarrow = false, extraNames = noNames }: ColumnsOptions,
) {
  const [density] = useDensity()
  const durations = useRead('metrics.query', {
    measures: 'traces,p95DurationMs,p99DurationMs',
    dimensions: 'feature',
    ...scope,
  }).data?.rows
  const names = useMemo(() => {
    const chosenNames = (columnIds ?? []).filter((id) => /^(metadata|score)\../.test(id))
    return [...new Set([...extraNames, ...chosenNames])]
  }, [extraNames, columnIds])
  const scores = useListScores(items, showsScores(columnIds))
  const slowOf = useMemo(() => slowTraces(durations ?? []), [durations])
  const words = useMemo(() => searchWords(text), [text])
  return useMemo(
    () =>
      traceColumns({ scores, slowOf, look: { hasTwoLines: density !== 'compact', isNarrow, words } }, names),
    [scores, slowOf, names, density, isNarrow, words],
  )
}
