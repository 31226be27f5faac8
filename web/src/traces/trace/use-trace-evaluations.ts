import type { Evaluation } from '@plumbline/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { refresh, useRead } from '../../app/api.ts'
import type { ConcurrencyGroup } from '../../evaluators/queue/waiting-reason.ts'
import { evaluationsRefreshMs, isUnderWay } from './refreshing.ts'

export interface TraceEvaluations {
  readonly evaluations: readonly Evaluation[]
  /** The reasons for waiting, by model. */
  readonly groups: readonly ConcurrencyGroup[]
}

const none: readonly never[] = []

/** The evaluations of a trace and its logs; polls while one is running, and loads the scores when one ends. */
export function useTraceEvaluations(traceId: string): TraceEvaluations {
  const queries = useQueryClient()
  const answer = useRead(
    'evaluations.list',
    { traceId, limit: 200 },
    { refreshMs: (last) => evaluationsRefreshMs(last?.evaluations) },
  )
  // While the next trace loads, the response still belongs to the previous one.
  const evaluations = answer.isPlaceholderData ? none : (answer.data?.evaluations ?? none)
  const underWay = evaluations.filter(isUnderWay).length
  const before = useRef(underWay)
  useEffect(() => {
    if (underWay < before.current) void refresh(queries, ['traces.outline', 'traces.get'])
    before.current = underWay
  }, [underWay, queries])
  return { evaluations, groups: answer.data?.waiting ?? none }
}
