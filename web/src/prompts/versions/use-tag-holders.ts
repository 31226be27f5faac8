import { useMemo } from 'react'
import { useRead } from '../../app/api.ts'
import { holdersOf } from './tag-moves.ts'

/** Which version has each tag now, whatever part of the list of versions is loaded; undefined until it is read. */
export function useTagHolders(slug: string) {
  const history = useRead('prompts.history', { slug })
  const moves = history.isPlaceholderData ? undefined : history.data?.moves
  const holders = useMemo(() => moves && holdersOf(moves), [moves])
  return { holders, moves, error: history.error, refetch: history.refetch }
}
