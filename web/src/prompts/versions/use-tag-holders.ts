import { useMemo } from 'react'
import { useRead } from '../../app/api.ts'
import { holdersOf } from './tag-moves.ts'

/** The current version of each tag, independent of the loaded part of the version list; undefined while loading. */
export function useTagHolders(slug: string) {
  const history = useRead('prompts.history', { slug })
  const moves = history.isPlaceholderData ? undefined : history.data?.moves
  const holders = useMemo(() => moves && holdersOf(moves), [moves])
  return { holders, moves, error: history.error, refetch: history.refetch }
}
