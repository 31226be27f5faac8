import type { CommentSubject } from '@plumbline/contract'
import { NotFound } from '../errors.ts'
import { newId } from '../id.ts'
import type { WorkspaceDb, WorkspaceSql } from '../store/workspace.ts'
import { readable, readTime } from '../unreadable-rows.ts'

export type Comment = {
  id: string
  subjectType: CommentSubject
  subjectId: string
  text: string
  /** Ids of people. */
  mentions: readonly string[]
  createdBy: string
  createdAt: Date
  editedAt: Date | undefined
}

export type NewComment = Pick<Comment, 'subjectType' | 'subjectId' | 'text' | 'mentions' | 'createdBy'>

export type Mention = { comment: Comment; isNew: boolean }

type CommentRow = {
  id: string
  subject_type: CommentSubject
  subject_id: string
  text: string
  created_by: string
  created_at: number
  edited_at: number | null
}

const commentsMax = 500

/** Adds a comment and its mentions. */
export function create(db: WorkspaceDb, input: NewComment, now: Date): Promise<Comment> {
  return db.transaction(async (tx) => {
    const { sql, workspaceId } = tx
    const id = newId()
    await sql`
      INSERT INTO comments (id, workspace_id, subject_type, subject_id, text, created_by, created_at)
      VALUES (${id}, ${workspaceId}, ${input.subjectType}, ${input.subjectId}, ${input.text}, ${input.createdBy},
        ${now.getTime()})`
    for (const personId of input.mentions) await mention(tx, id, personId, now)
    return { id, ...input, createdAt: now, editedAt: undefined }
  })
}

/** A person who is already mentioned keeps the seen state. */
const mention = ({ sql, workspaceId }: WorkspaceSql, commentId: string, personId: string, now: Date) => sql`
  INSERT INTO comment_mentions (comment_id, person_id, workspace_id, created_at)
  VALUES (${commentId}, ${personId}, ${workspaceId}, ${now.getTime()}) ON CONFLICT DO NOTHING`

/** The latest comments on one thing, oldest first, by comments_by_subject. */
export async function list(
  { sql, workspaceId }: WorkspaceDb,
  subjectType: CommentSubject,
  subjectId: string,
): Promise<Comment[]> {
  const rows = await sql<CommentRow>`
    SELECT id, subject_type, subject_id, text, created_by, created_at, edited_at FROM comments
    WHERE workspace_id = ${workspaceId} AND subject_type = ${subjectType} AND subject_id = ${subjectId}
    ORDER BY created_at DESC, id DESC LIMIT ${commentsMax}`
  return withMentions({ sql, workspaceId }, rows.reverse())
}

/** One comment, by primary key. */
export async function find({ sql, workspaceId }: WorkspaceDb, id: string): Promise<Comment | undefined> {
  const rows = await sql<CommentRow>`
    SELECT id, subject_type, subject_id, text, created_by, created_at, edited_at FROM comments
    WHERE workspace_id = ${workspaceId} AND id = ${id}`
  return (await withMentions({ sql, workspaceId }, rows))[0]
}

/** The comments that mention a person, newest first, by comment_mentions_by_person. */
export async function mentions(
  { sql, workspaceId }: WorkspaceDb,
  personId: string,
  limit: number,
): Promise<{ mentions: Mention[]; newCount: number }> {
  const rows = await sql<CommentRow & { seen_at: number | null }>`
    SELECT c.id, c.subject_type, c.subject_id, c.text, c.created_by, c.created_at, c.edited_at, m.seen_at
    FROM comment_mentions m JOIN comments c ON c.id = m.comment_id
    WHERE m.workspace_id = ${workspaceId} AND m.person_id = ${personId}
    ORDER BY m.created_at DESC, m.comment_id DESC LIMIT ${limit}`
  const [count] = await sql<{ count: number }>`
    SELECT count(*) AS count FROM comment_mentions
    WHERE workspace_id = ${workspaceId} AND person_id = ${personId} AND seen_at IS NULL`
  const comments = await withMentions({ sql, workspaceId }, rows)
  const newIds = new Set(rows.filter(({ seen_at }) => seen_at === null).map(({ id }) => id))
  return {
    mentions: comments.map((comment) => ({ comment, isNew: newIds.has(comment.id) })),
    newCount: Number(count?.count ?? 0),
  }
}

/** Marks the mentions of a person as seen; returns how many were new. */
export function acknowledge(db: WorkspaceDb, personId: string, now: Date): Promise<number> {
  return db.transaction(async ({ sql, workspaceId }) => {
    const rows = await sql<{ comment_id: string }>`
      UPDATE comment_mentions SET seen_at = ${now.getTime()}
      WHERE workspace_id = ${workspaceId} AND person_id = ${personId} AND seen_at IS NULL RETURNING comment_id`
    return rows.length
  })
}

/** Changes the text and the mentions of a comment; undefined leaves the mentions unchanged. By primary key. */
export function update(
  db: WorkspaceDb,
  id: string,
  { text, mentions }: Pick<Comment, 'text'> & { readonly mentions: Comment['mentions'] | undefined },
  now: Date,
): Promise<Comment> {
  return db.transaction(async (tx) => {
    const { sql, workspaceId } = tx
    const rows = await sql<CommentRow>`
      UPDATE comments SET text = ${text}, edited_at = ${now.getTime()}
      WHERE workspace_id = ${workspaceId} AND id = ${id}
      RETURNING id, subject_type, subject_id, text, created_by, created_at, edited_at`
    if (rows.length === 0) throw new NotFound('comment', id)
    if (mentions === undefined) return (await withMentions(tx, rows))[0]!
    const before = await sql<{ person_id: string }>`
      SELECT person_id FROM comment_mentions WHERE workspace_id = ${workspaceId} AND comment_id = ${id}`
    for (const { person_id } of before.filter((row) => !mentions.includes(row.person_id)))
      await sql`
        DELETE FROM comment_mentions
        WHERE workspace_id = ${workspaceId} AND comment_id = ${id} AND person_id = ${person_id}`
    for (const personId of mentions) await mention(tx, id, personId, now)
    return (await withMentions(tx, rows))[0]!
  })
}

/** Deletes a comment, by primary key. */
export function remove(db: WorkspaceDb, id: string): Promise<void> {
  return db.transaction(async ({ sql, workspaceId }) => {
    await sql`DELETE FROM comment_mentions WHERE workspace_id = ${workspaceId} AND comment_id = ${id}`
    const [deletedRow] = await sql<{ id: string }>`
      DELETE FROM comments WHERE workspace_id = ${workspaceId} AND id = ${id} RETURNING id`
    if (deletedRow === undefined) throw new NotFound('comment', id)
  })
}

/** Deletes the comments on deleted subjects in the caller's transaction, by comments_by_subject. */
export async function removeOfSubjects(
  { sql, workspaceId }: WorkspaceSql,
  subjectType: CommentSubject,
  subjectIds: readonly string[],
): Promise<number> {
  const rows = await sql<{ id: string }>`
    SELECT id FROM comments
    WHERE workspace_id = ${workspaceId} AND subject_type = ${subjectType} AND subject_id IN (${subjectIds})`
  const ids = rows.map(({ id }) => id)
  await sql`DELETE FROM comment_mentions WHERE workspace_id = ${workspaceId} AND comment_id IN (${ids})`
  await sql`DELETE FROM comments WHERE workspace_id = ${workspaceId} AND id IN (${ids})`
  return ids.length
}

async function withMentions(
  { sql, workspaceId }: Pick<WorkspaceSql, 'sql' | 'workspaceId'>,
  rows: readonly CommentRow[],
): Promise<Comment[]> {
  const ids = rows.map(({ id }) => id)
  const mentioned = await sql<{ comment_id: string; person_id: string }>`
    SELECT comment_id, person_id FROM comment_mentions
    WHERE workspace_id = ${workspaceId} AND comment_id IN (${ids}) ORDER BY person_id`
  const byComment = Map.groupBy(mentioned, ({ comment_id }) => comment_id)
  return readable('comments', rows, (row) => ({
    id: row.id,
    subjectType: row.subject_type,
    subjectId: row.subject_id,
    text: row.text,
    mentions: (byComment.get(row.id) ?? []).map(({ person_id }) => person_id),
    createdBy: row.created_by,
    createdAt: readTime(row.created_at, 'created_at'),
    editedAt: row.edited_at === null ? undefined : readTime(row.edited_at, 'edited_at'),
  }))
}
