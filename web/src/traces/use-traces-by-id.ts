/** Traces referenced by id: by a case of a run, a dry run, an evaluation. */
import type { TraceSummary } from '@plumbline/sdk'
import { useQueries } from '@tanstack/react-query'
import { useCallback, useMemo, useRef } from 'react'
import { queryFor, useClient } from '../app/api.ts'
import { shortId } from '../ui/text/format.ts'

/** The request URL lists all ids. */
const tracesMax = 100

/** The existing traces by id, without those not loaded yet or deleted. */
export function useTracesById(ids: readonly string[], refreshMs?: number): ReadonlyMap<string, TraceSummary> {
  const client = useClient()
  const unique = [...new Set(ids)]
  const pages = Array.from({ length: Math.ceil(unique.length / tracesMax) }, (_, page) =>
    unique.slice(page * tracesMax, (page + 1) * tracesMax),
  )
  const traces = useQueries({
    queries: pages.map((is) => ({
      ...queryFor(client, 'traces.list', {
        where: JSON.stringify([{ field: 'trace', is }]),
        limit: tracesMax,
      }),
      ...(refreshMs !== undefined && { refetchInterval: refreshMs }),
    })),
    combine: (results) => results.flatMap(({ data }) => data?.traces ?? []),
  })
  // More ids need another request: until it is answered, the previous traces stay.
  const summaries = useRef<ReadonlyMap<string, TraceSummary>>(new Map())
  return useMemo(() => {
    summaries.current = new Map([...summaries.current, ...traces.map((trace) => [trace.id, trace] as const)])
    return summaries.current
  }, [traces])
}

/** The names of traces; a short form of the id while loading, or if they were deleted. */
export function useTraceNames(ids: readonly string[]): (id: string) => string {
  const traces = useTracesById(ids)
  return useCallback((id) => traces.get(id)?.name ?? shortId(id), [traces])
}
