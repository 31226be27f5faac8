import type { operations } from '@plumbline/contract'
import type { Verb } from '../../requests/verb.ts'
import { toComments } from './view.ts'

const limitByDefault = 50

export const mentions: Verb<typeof operations.comments.mentions> = async (
  { limit },
  { workspace, caller },
) => {
  const result = await workspace.comments.mentions(caller.id, limit ?? limitByDefault)
  const comments = await toComments(
    workspace,
    result.mentions.map(({ comment }) => comment),
  )
  return {
    comments: comments.map((comment, index) => ({ comment, isNew: result.mentions[index]?.isNew ?? false })),
    newCount: result.newCount,
  }
}
