import { useMemo } from 'react'
import { useSettled } from '../../../ui/use-settled.ts'
import type { ReadTrace } from '../read-trace.ts'
import { useAllPages } from '../use-trace.ts'
import type { LogNode } from './trace-tree.ts'
import { searcher } from './tree-rows.ts'

/** The limits of the service. */
const searchLengthMax = 500
const pageLogs = 1000

export interface LogSearch {
  readonly fits: (node: LogNode) => boolean
  /** Whether more matches may still arrive. */
  readonly isSearching: boolean
}

/**
 * The logs that match a search. If their texts are not loaded, the service searches, and until then their names are
 * used.
 */
export function useLogSearch({ trace, nodes, outline }: ReadTrace, text: string): LogSearch {
  const fitting = useMemo(() => searcher(nodes), [nodes])
  const q = useSettled(text.slice(0, searchLengthMax))
  const isRequested = outline !== undefined && q !== ''
  const { logs, isComplete } = useAllPages({ id: trace.id, q, limit: pageLogs }, isRequested)
  const isListed = isRequested && q === text.slice(0, searchLengthMax) && (logs.length > 0 || isComplete)
  const fits = useMemo(() => {
    if (!isListed) return fitting(text)
    const ids = new Set(logs.map(({ id }) => id))
    return ({ log }: LogNode): boolean => ids.has(log.id)
  }, [isListed, logs, fitting, text])
  return { fits, isSearching: outline !== undefined && text !== '' && !(isListed && isComplete) }
}
