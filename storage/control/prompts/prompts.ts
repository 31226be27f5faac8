import { NotFound } from '../errors.ts'
import { newId } from '../id.ts'
import { requireFeature } from '../require-parent.ts'
import { beforeAll, type Page, type PageRequest, pageOf, rowsToRead } from '../store/page.ts'
import type { WorkspaceDb, WorkspaceSql } from '../store/workspace.ts'
import { readable, readTime } from '../unreadable-rows.ts'
import { removeOfSubjects } from '../workspaces/comments.ts'
import { type PromptVersion, type TagRow, toPromptVersion, type VersionRow } from './prompt-version-row.ts'
import type { RunningRollout } from './rollout-rows.ts'

/** A prompt in a list. */
export type PromptSummary = {
  slug: string
  name: string
  description: string
  featureSlug: string | undefined
  /** A path, such as `support/refunds`. */
  folder: string | undefined
  /** Live once a version carries the tag `production`. */
  status: 'live' | 'draft'
  /** Newest first. */
  availableVersions: string[]
  availableTags: string[]
  createdAt: Date
  archivedAt: Date | undefined
}

/** All data needed to serve a prompt, so that a cache can resolve versions and tags in memory. */
export type LoadedPrompt = {
  slug: string
  name: string
  description: string
  featureSlug: string | undefined
  archivedAt: Date | undefined
  /** Maps tags to versions. */
  tags: ReadonlyMap<string, string>
  /** Newest first. */
  versions: PromptVersion[]
  /** Running rollouts, at most one per tag. */
  rollouts: RunningRollout[]
}

export type NewPrompt = {
  readonly slug: string
  readonly name: string
  readonly description?: string
  readonly featureSlug?: string
  readonly folder?: string
}

type PromptRow = {
  id: string
  slug: string
  name: string
  description: string
  feature_slug: string | null
  created_at: number
  archived_at: number | null
  folder: string | null
}

/** Adds a prompt without versions; its slug is unique in the workspace. */
export function create(db: WorkspaceDb, input: NewPrompt, now: Date): Promise<PromptSummary> {
  return db.mutate(async (tx) => {
    const { sql, workspaceId } = tx
    if (input.featureSlug !== undefined) await requireFeature(tx, input.featureSlug)
    const rows = await sql<PromptRow>`
      INSERT INTO prompts (id, workspace_id, slug, name, description, feature_slug, version_count, created_at, folder)
      VALUES (${newId()}, ${workspaceId}, ${input.slug}, ${input.name}, ${input.description ?? ''},
        ${input.featureSlug ?? null}, 0, ${now.getTime()}, ${input.folder ?? null})
      RETURNING id, slug, name, description, feature_slug, created_at, archived_at, folder`
    return rows.map((row) => toSummary(row, [], []))[0]!
  })
}

/** Hides a prompt from the list; its versions can still be fetched. Idempotent. */
export function archive(db: WorkspaceDb, slug: string, now: Date): Promise<void> {
  return db.mutate(async ({ sql, workspaceId }) => {
    const [updated] = await sql<{ id: string }>`
      UPDATE prompts SET archived_at = COALESCE(archived_at, ${now.getTime()})
      WHERE workspace_id = ${workspaceId} AND slug = ${slug}
      RETURNING id`
    if (updated === undefined) throw new NotFound('prompt', slug)
  })
}

/** Restores an archived prompt. Idempotent. */
export function restore(db: WorkspaceDb, slug: string): Promise<void> {
  return db.mutate(async ({ sql, workspaceId }) => {
    const [updated] = await sql<{ id: string }>`
      UPDATE prompts SET archived_at = NULL WHERE workspace_id = ${workspaceId} AND slug = ${slug} RETURNING id`
    if (updated === undefined) throw new NotFound('prompt', slug)
  })
}

/** Deletes an archived prompt with all its parts; returns false and deletes nothing if it is in use. */
export function remove(db: WorkspaceDb, slug: string): Promise<boolean> {
  return db.mutate(async ({ sql, workspaceId }) => {
    const [prompt] = await sql<{ id: string; archived_at: number | null }>`
      SELECT id, archived_at FROM prompts WHERE workspace_id = ${workspaceId} AND slug = ${slug}`
    if (prompt === undefined) throw new NotFound('prompt', slug)
    if (prompt.archived_at === null) return false
    await removeOfSubjects({ sql, workspaceId }, 'prompt', [slug])
    const { id } = prompt
    const rollouts = await sql<{ id: string }>`
      SELECT id FROM rollouts WHERE workspace_id = ${workspaceId} AND prompt_id = ${id}`
    const rolloutIds = rollouts.map((rollout) => rollout.id)
    await sql`DELETE FROM rollout_alerts WHERE workspace_id = ${workspaceId} AND rollout_id IN (${rolloutIds})`
    await sql`DELETE FROM rollout_shares WHERE workspace_id = ${workspaceId} AND rollout_id IN (${rolloutIds})`
    await sql`DELETE FROM rollouts WHERE workspace_id = ${workspaceId} AND prompt_id = ${id}`
    await sql`DELETE FROM approvals WHERE workspace_id = ${workspaceId} AND prompt_id = ${id}`
    await sql`DELETE FROM prompt_tags WHERE workspace_id = ${workspaceId} AND prompt_id = ${id}`
    await sql`DELETE FROM prompt_tag_moves WHERE workspace_id = ${workspaceId} AND prompt_id = ${id}`
    await sql`DELETE FROM prompt_versions WHERE workspace_id = ${workspaceId} AND prompt_id = ${id}`
    await sql`DELETE FROM prompt_fetches WHERE workspace_id = ${workspaceId} AND prompt_slug = ${slug}`
    await sql`DELETE FROM prompts WHERE workspace_id = ${workspaceId} AND id = ${id}`
    return true
  })
}

/** Undefined leaves a field unchanged; null removes the feature or takes it out of its folder. */
export type PromptChange = {
  readonly name?: string
  readonly description?: string
  readonly featureSlug?: string | null
  readonly folder?: string | null
}

/** Changes the name, description, feature or folder of a prompt. */
export function update(db: WorkspaceDb, slug: string, change: PromptChange): Promise<void> {
  return db.mutate(async (tx) => {
    const { sql, workspaceId } = tx
    if (typeof change.featureSlug === 'string') await requireFeature(tx, change.featureSlug)
    const [updated] = await sql<{ id: string }>`
      UPDATE prompts SET name = COALESCE(${change.name ?? null}, name),
        description = COALESCE(${change.description ?? null}, description)
      WHERE workspace_id = ${workspaceId} AND slug = ${slug} RETURNING id`
    if (updated === undefined) throw new NotFound('prompt', slug)
    if (change.folder !== undefined)
      await sql`
        UPDATE prompts SET folder = ${change.folder}
        WHERE workspace_id = ${workspaceId} AND id = ${updated.id}`
    if (change.featureSlug === undefined) return
    await sql`
      UPDATE prompts SET feature_slug = ${change.featureSlug}
      WHERE workspace_id = ${workspaceId} AND id = ${updated.id}`
  })
}

/** Active or archived prompts, oldest first, so that one created while paging comes last; served by prompts_by_age. */
export async function list(
  db: WorkspaceDb,
  {
    featureSlug = null,
    folder = null,
    isArchived = false,
    limit,
    after = beforeAll,
  }: PageRequest & {
    readonly featureSlug?: string | null
    readonly folder?: string | null
    readonly isArchived?: boolean
  } = {},
): Promise<Page<PromptSummary>> {
  const { sql, workspaceId } = db
  // Includes subfolders.
  const prefix = `${folder}/`
  // SQL counts code points; `length` counts surrogates separately.
  const codePoints = [...prefix].length
  const matches = await sql<PromptRow>`
    SELECT id, slug, name, description, feature_slug, created_at, archived_at, folder FROM prompts
    WHERE workspace_id = ${workspaceId}
      AND CASE WHEN archived_at IS NULL THEN 0 ELSE 1 END = ${isArchived ? 1 : 0}
      AND (CAST(${featureSlug} AS text) IS NULL OR feature_slug = ${featureSlug})
      AND (CAST(${folder} AS text) IS NULL OR folder = ${folder} OR substr(folder, 1, ${codePoints}) = ${prefix})
      AND (created_at, id) > (${after.position}, ${after.id})
    ORDER BY created_at, id LIMIT ${rowsToRead(limit)}`
  const { rows, ...page } = pageOf(matches, limit, (row) => ({ position: row.created_at, id: row.id }))
  return { items: await summaries(db, rows), ...page }
}

/** One prompt, archived or not, by its unique slug. */
export async function find(db: WorkspaceDb, slug: string): Promise<PromptSummary | undefined> {
  return (await summaries(db, await promptRows(db, slug)))[0]
}

/** One prompt with every version, tag and running rollout, by its unique slug. */
export async function load(db: WorkspaceDb, slug: string): Promise<LoadedPrompt | undefined> {
  const { sql, workspaceId } = db
  const [prompt] = await promptRows(db, slug)
  if (prompt === undefined) return undefined
  // Tags before versions: a version created in between may lack its tags, but no tag lacks its version.
  const tags = await sql<TagRow>`
    SELECT prompt_id, label, version FROM prompt_tags
    WHERE workspace_id = ${workspaceId} AND prompt_id = ${prompt.id} ORDER BY label`
  // Rollouts before versions too, for the same reason.
  const rollouts = await sql<{ id: string; tag: string; candidate_version: string; share: number }>`
    SELECT id, tag, candidate_version, share FROM rollouts
    WHERE workspace_id = ${workspaceId} AND prompt_id = ${prompt.id} AND status = 'running'`
  const versions = await sql<VersionRow>`
    SELECT id, ordinal, version, text, system_text, model, variables, message, created_at, created_by,
      messages, config
    FROM prompt_versions
    WHERE workspace_id = ${workspaceId} AND prompt_id = ${prompt.id} ORDER BY ordinal DESC`
  const [names] = readable('prompts', [prompt], toNames)
  return (
    names && {
      ...names,
      tags: new Map(tags.map(({ label, version }) => [label, version])),
      versions: readable('prompt_versions', versions, (version) => toPromptVersion(version, tags)),
      rollouts: rollouts.map(({ candidate_version, ...row }) => ({
        ...row,
        candidateVersion: candidate_version,
      })),
    }
  )
}

function promptRows({ sql, workspaceId }: WorkspaceSql, slug: string): Promise<PromptRow[]> {
  return sql<PromptRow>`
    SELECT id, slug, name, description, feature_slug, created_at, archived_at, folder FROM prompts
    WHERE workspace_id = ${workspaceId} AND slug = ${slug}`
}

/** Adds versions and tags, with one query for each, whatever the number of prompts. */
async function summaries({ sql, workspaceId }: WorkspaceDb, prompts: PromptRow[]): Promise<PromptSummary[]> {
  if (prompts.length === 0) return []
  const ids = prompts.map(({ id }) => id)
  const tags = await sql<TagRow>`
    SELECT prompt_id, label, version FROM prompt_tags
    WHERE workspace_id = ${workspaceId} AND prompt_id IN (${ids}) ORDER BY label`
  const versions = await sql<{ prompt_id: string; version: string }>`
    SELECT prompt_id, version FROM prompt_versions
    WHERE workspace_id = ${workspaceId} AND prompt_id IN (${ids}) ORDER BY ordinal DESC`
  const tagsOf = Map.groupBy(tags, (tag) => tag.prompt_id)
  const versionsOf = Map.groupBy(versions, (version) => version.prompt_id)
  return readable('prompts', prompts, (row) => {
    const available = (versionsOf.get(row.id) ?? []).map(({ version }) => version)
    const labels = (tagsOf.get(row.id) ?? []).map(({ label }) => label)
    return toSummary(row, available, labels)
  })
}

function toSummary(row: PromptRow, availableVersions: string[], availableTags: string[]): PromptSummary {
  const status = availableTags.includes('production') ? 'live' : 'draft'
  return {
    ...toNames(row),
    status,
    availableVersions,
    availableTags,
    createdAt: readTime(row.created_at, 'created_at'),
  }
}

function toNames(row: PromptRow) {
  const { slug, name, description } = row
  const archivedAt = row.archived_at === null ? undefined : readTime(row.archived_at, 'archived_at')
  return {
    slug,
    name,
    description,
    featureSlug: row.feature_slug ?? undefined,
    folder: row.folder ?? undefined,
    archivedAt,
  }
}
