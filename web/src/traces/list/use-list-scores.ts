/** The scores that columns of the list show: asked for only while one does. */
import type { TraceSummary } from '@plumbline/sdk'
import { useQueries } from '@tanstack/react-query'
import { useMemo } from 'react'
import { reading, useClient } from '../../app/api.ts'
import { type ScoresOf, scoresByTrace } from './score-texts.ts'

/** So many traces are asked for at once. */
const tracesMax = 100
const scoresMax = 1000
/** Evaluators judge after the trace has come in, and a score is listed a moment after it was given. */
const refreshMs = 10_000

export function useListScores(items: readonly TraceSummary[], names: readonly string[]): ScoresOf {
  const client = useClient()
  const pages = Array.from({ length: Math.ceil(items.length / tracesMax) }, (_, page) =>
    items.slice(page * tracesMax, (page + 1) * tracesMax).map(({ id }) => id),
  )
  const answers = useQueries({
    queries: names.flatMap((name) =>
      pages.map((ids) => ({
        ...reading(client, 'scores.list', { traceIds: ids.join(','), name, limit: scoresMax }),
        refetchInterval: refreshMs,
      })),
    ),
    combine: (results) => results.flatMap(({ data }) => data?.scores ?? []),
  })
  return useMemo(() => scoresByTrace(answers), [answers])
}
