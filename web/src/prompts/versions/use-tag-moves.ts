import { useQueryClient } from '@tanstack/react-query'
import { call, type OperationName, refresh, useChange, useClient } from '../../app/api.ts'
import { useToasts } from '../../ui/overlay/toast.tsx'
import { useProtectedTags } from '../approvals/use-protected-tags.ts'

export interface TagMoveInput {
  readonly tag: string
  /** The version that has it now. */
  readonly from: string | undefined
  readonly to: string
  /** The reason, for the approver of a protected tag's move. */
  readonly message?: string
}

const staleOperations: readonly OperationName[] = [
  'versions.list',
  'prompts.history',
  'prompts.list',
  'prompts.describe',
  'rollouts.list',
]

/**
 * Moves a tag, or requests the move of a protected one. For ten seconds it offers to undo the move. A tag that no
 * version had before cannot be moved back.
 */
export function useTagMoves(slug: string, onDone: () => void) {
  const client = useClient()
  const queries = useQueryClient()
  const toasts = useToasts()
  const publish = useChange('prompts.publish', { refreshes: staleOperations, showsErrors: true })
  const request = useChange('approvals.create', { refreshes: ['approvals.list'], showsErrors: true })
  const protectedTags = useProtectedTags()
  const moveBack = (tag: string, version: string): void => {
    call(client, 'prompts.publish', { slug, newTag: tag, version })
      .then(() => refresh(queries, staleOperations))
      .then(() => toasts.done(`${tag} is back on ${version}`))
      .catch(toasts.fail)
  }
  const requestMove = async ({ tag, to, message = '' }: TagMoveInput): Promise<void> => {
    await request.mutateAsync({ promptSlug: slug, tag, version: to, message })
    onDone()
    toasts.done(`Requested to move ${tag} to ${to}`, {
      description: 'It moves once another admin approves it.',
    })
  }
  const publishMove = async ({ tag, from, to }: TagMoveInput): Promise<void> => {
    await publish.mutateAsync({ slug, newTag: tag, version: to })
    onDone()
    toasts.done(
      `${tag} is now ${to}`,
      from === undefined ? {} : { description: `It was ${from}.`, undo: () => moveBack(tag, from) },
    )
  }
  /** Rejects with the service's error. */
  const move = (input: TagMoveInput): Promise<void> =>
    protectedTags.includes(input.tag) ? requestMove(input) : publishMove(input)
  return { move, isMoving: publish.isPending || request.isPending, protectedTags }
}
