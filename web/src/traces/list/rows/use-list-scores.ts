/** The scores of the listed traces, if the list shows scores. */
import type { Operations, Score, TraceSummary } from '@plumbline/sdk'
import { keepPreviousData, useQueries } from '@tanstack/react-query'
import { useMemo } from 'react'
import { call, useClient } from '../../../app/api.ts'
import { type ListScores, scoresByTrace } from './score-texts.ts'

/** Traces in one request. */
const tracesMax = 100
const scoresMax = 1000
/** Evaluators run after a trace has arrived, and a score is listed shortly after it was created. */
const refreshMs = 10_000

export function useListScores(items: readonly TraceSummary[], isShown: boolean): ListScores {
  const client = useClient()
  const pages = Array.from({ length: isShown ? Math.ceil(items.length / tracesMax) : 0 }, (_, page) =>
    items.slice(page * tracesMax, (page + 1) * tracesMax).map(({ id }) => id),
  )
  const scores = useQueries({
    queries: pages.map((ids) => ({
      queryKey: ['scores.list', ids, 'all'],
      queryFn: ({ signal }: { readonly signal: AbortSignal }) => readScores(client, ids, signal),
      placeholderData: keepPreviousData,
      refetchInterval: refreshMs,
    })),
    combine: (results) => results.flatMap(({ data }) => data ?? []),
  })
  return useMemo(() => scoresByTrace(scores), [scores])
}

/** All scores of these traces, over all pages: a missing one would look as if it had not been given. */
async function readScores(
  client: Operations,
  traceIds: readonly string[],
  signal: AbortSignal,
): Promise<readonly Score[]> {
  const scores: Score[] = []
  let cursor: string | undefined
  do {
    const input = { traceIds: traceIds.join(','), limit: scoresMax, ...(cursor !== undefined && { cursor }) }
    const page = await call(client, 'scores.list', input, { signal })
    scores.push(...page.scores)
    cursor = page.nextCursor
  } while (cursor !== undefined)
  return scores
}
