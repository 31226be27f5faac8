/** The scores of the traces in a list, while it shows any. */
import type { TraceSummary } from '@plumbline/sdk'
import { useQueries } from '@tanstack/react-query'
import { useMemo } from 'react'
import { queryFor, useClient } from '../../../app/api.ts'
import { type ListScores, scoresByTrace } from './score-texts.ts'

/** Traces in one request. */
const tracesMax = 100
const scoresMax = 1000
/** Evaluators judge after the trace has come in, and a score is listed a moment after it was given. */
const refreshMs = 10_000

export function useListScores(items: readonly TraceSummary[], isShown: boolean): ListScores {
  const client = useClient()
  const pages = Array.from({ length: isShown ? Math.ceil(items.length / tracesMax) : 0 }, (_, page) =>
    items.slice(page * tracesMax, (page + 1) * tracesMax).map(({ id }) => id),
  )
  const scores = useQueries({
    queries: pages.map((ids) => ({
      ...queryFor(client, 'scores.list', { traceIds: ids.join(','), limit: scoresMax }),
      refetchInterval: refreshMs,
    })),
    combine: (results) => results.flatMap(({ data }) => data?.scores ?? []),
  })
  return useMemo(() => scoresByTrace(scores), [scores])
}
