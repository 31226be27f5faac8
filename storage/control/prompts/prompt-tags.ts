import { NotFound } from '../errors.ts'
import { requirePrompt, requireVersion } from '../require-parent.ts'
import type { WorkspaceDb, WorkspaceSql } from '../store/workspace.ts'
import { moveTag, type TagMove } from './move-tag.ts'

/** A move of a tag, as history shows it. */
export type PastTagMove = {
  label: string
  from: string | undefined
  to: string
  at: Date
  /** Id of the API key; absent if it was moved in the web app or by the server. */
  movedBy: string | undefined
}

/** The tag to move, and its new version, given directly or by another tag. */
export type Publication = {
  readonly slug: string
  readonly newTag: string
  /** Id of the API key. */
  readonly movedBy?: string
} & ({ readonly version: string } | { readonly tag: string })

/** Points a tag at a version. */
export function publish(db: WorkspaceDb, input: Publication, now: Date): Promise<TagMove> {
  return db.mutate(async (tx) => {
    const promptId = await requirePrompt(tx, input.slug)
    const version = 'version' in input ? input.version : await taggedVersion(tx, promptId, input.tag)
    await requireVersion(tx, promptId, version)
    return moveTag(tx, { promptId, label: input.newTag, version, movedBy: input.movedBy, now })
  })
}

/** The version that each tag of a prompt points at, by the unique key. */
export async function versions(db: WorkspaceDb, slug: string): Promise<Record<string, string>> {
  const { sql, workspaceId } = db
  const promptId = await requirePrompt(db, slug)
  const rows = await sql<{ label: string; version: string }>`
    SELECT label, version FROM prompt_tags
    WHERE workspace_id = ${workspaceId} AND prompt_id = ${promptId} ORDER BY label`
  return Object.fromEntries(rows.map(({ label, version }) => [label, version]))
}

/** Every move of a prompt's tags, newest first, by primary key. */
export async function history(db: WorkspaceDb, slug: string): Promise<PastTagMove[]> {
  const { sql, workspaceId } = db
  const promptId = await requirePrompt(db, slug)
  const rows = await sql<{
    label: string
    from_version: string | null
    to_version: string
    moved_at: number
    moved_by: string | null
  }>`
    SELECT label, from_version, to_version, moved_at, moved_by FROM prompt_tag_moves
    WHERE workspace_id = ${workspaceId} AND prompt_id = ${promptId} ORDER BY ordinal DESC`
  return rows.map((row) => ({
    label: row.label,
    from: row.from_version ?? undefined,
    to: row.to_version,
    at: new Date(row.moved_at),
    movedBy: row.moved_by ?? undefined,
  }))
}

async function taggedVersion(tx: WorkspaceSql, promptId: string, label: string): Promise<string> {
  const { sql, workspaceId } = tx
  const [tag] = await sql<{ version: string }>`
    SELECT version FROM prompt_tags
    WHERE workspace_id = ${workspaceId} AND prompt_id = ${promptId} AND label = ${label}`
  if (tag === undefined) throw new NotFound('promptTag', label)
  return tag.version
}
