import { useQueryClient } from '@tanstack/react-query'
import { call, type OperationName, refresh, useChange, useClient } from '../../app/api.ts'
import { useToasts } from '../../ui/overlay/toast.tsx'

interface TagMoveInput {
  readonly tag: string
  /** The version that has it now. */
  readonly from: string | undefined
  readonly to: string
}

const staleOperations: readonly OperationName[] = [
  'versions.list',
  'prompts.history',
  'prompts.list',
  'prompts.describe',
  'rollouts.list',
]

/** Moves a tag, and for ten seconds offers to move it back. A tag that nothing carried before cannot go back. */
export function useTagMoves(slug: string, onDone: () => void) {
  const client = useClient()
  const queries = useQueryClient()
  const toasts = useToasts()
  const publish = useChange('prompts.publish', { refreshes: staleOperations })
  const moveBack = (tag: string, version: string): void => {
    call(client, 'prompts.publish', { slug, newTag: tag, version })
      .then(() => refresh(queries, staleOperations))
      .then(() => toasts.done(`${tag} is back on ${version}`))
      .catch(toasts.fail)
  }
  const move = ({ tag, from, to }: TagMoveInput): void =>
    publish.mutate(
      { slug, newTag: tag, version: to },
      {
        onSuccess: () => {
          onDone()
          toasts.done(
            `${tag} is now ${to}`,
            from === undefined ? {} : { description: `It was ${from}.`, undo: () => moveBack(tag, from) },
          )
        },
      },
    )
  return { move, isMoving: publish.isPending }
}
