import type { operations } from '@plumbline/contract'
import type { Verb } from '../../requests/verb.ts'
import { findStoredId } from '../../traces/find.ts'
import { toComments } from './view.ts'

export const list: Verb<typeof operations.comments.list> = async (input, { workspace }) => {
  const subjectId =
    input.subjectType === 'trace' ? await findStoredId(input.subjectId, workspace) : input.subjectId
  return {
    comments: await toComments(workspace, await workspace.comments.list(input.subjectType, subjectId)),
  }
}
