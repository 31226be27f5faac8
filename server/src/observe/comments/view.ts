import type { Comment } from '@plumbline/contract'
import type { Comment as StoredComment } from '@plumbline/storage/control'
import { nameField } from '../../workspace/name-field.ts'
import type { Workspace } from '../../workspace/workspace.ts'

/** Comments as the interface shows them, with the names of their authors and of mentioned members. */
export async function toComments(
  { members }: Pick<Workspace, 'members'>,
  rows: readonly StoredComment[],
): Promise<Comment[]> {
  const ids = new Set(rows.flatMap(({ createdBy, mentions }) => [createdBy, ...mentions]))
  const names = await members.names([...ids])
  return rows.map((comment) => ({
    id: comment.id,
    subjectType: comment.subjectType,
    subjectId: comment.subjectId,
    text: comment.text,
    mentions: comment.mentions.map((id) => ({ id, ...nameField(names, 'name', id) })),
    createdBy: comment.createdBy,
    ...nameField(names, 'createdByName', comment.createdBy),
    createdAt: comment.createdAt.toISOString(),
    ...(comment.editedAt && { editedAt: comment.editedAt.toISOString() }),
  }))
}
