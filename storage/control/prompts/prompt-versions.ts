import { latestTag, productionTag } from '@plumbline/contract'
import { NotFound, VersionNamedAsTag } from '../errors.ts'
import { newId } from '../id.ts'
import { requirePrompt } from '../require-parent.ts'
import { afterAll, type Page, type PageRequest, pageOf, rowsToRead } from '../store/page.ts'
import type { WorkspaceDb, WorkspaceSql } from '../store/workspace.ts'
import { readable } from '../unreadable-rows.ts'
import { moveTag } from './move-tag.ts'
import { type PromptVersion, type TagRow, toPromptVersion, type VersionRow } from './prompt-version-row.ts'
import { nextVersion } from './semantic-version.ts'

export type NewPromptVersion = {
  readonly slug: string
  /** The next semantic version if absent. */
  readonly version?: string
  readonly text: string
  readonly systemText?: string
  /** JSON text. */
  readonly model: string
  /** JSON text. */
  readonly variables?: string
  /** JSON text. */
  readonly messages?: string | undefined
  /** JSON text. */
  readonly config?: string | undefined
  readonly message?: string
  /** Tags to move to this version; `latest` always moves. */
  readonly tags?: readonly string[]
  /** Id of the API key. */
  readonly createdBy?: string
}

/** Adds a version and moves its tags, all or nothing; the version string is unique in its prompt. */
export function create(db: WorkspaceDb, input: NewPromptVersion, now: Date): Promise<PromptVersion> {
  return db.mutate(async (tx) => {
    const { sql, workspaceId } = tx
    const [prompt] = await sql<{ id: string; version_count: number }>`
      UPDATE prompts SET version_count = version_count + 1
      WHERE workspace_id = ${workspaceId} AND slug = ${input.slug}
      RETURNING id, version_count`
    if (prompt === undefined) throw new NotFound('prompt', input.slug)
    if (input.version !== undefined) await requireNoTag(tx, prompt.id, input.version)
    // `mutate` serializes writers, so no other writer can choose the same version.
    const version = input.version ?? nextVersion(await versionNames(tx, prompt.id))
    const [row] = await sql<VersionRow>`
      INSERT INTO prompt_versions (id, workspace_id, prompt_id, ordinal, version, text, system_text, model,
        variables, message, created_at, created_by, messages, config)
      VALUES (${newId()}, ${workspaceId}, ${prompt.id}, ${prompt.version_count}, ${version}, ${input.text},
        ${input.systemText ?? ''}, ${input.model}, ${input.variables ?? null}, ${input.message ?? ''},
        ${now.getTime()}, ${input.createdBy ?? null}, ${input.messages ?? null}, ${input.config ?? null})
      RETURNING id, ordinal, version, text, system_text, model, variables, message, created_at, created_by,
        messages, config`
    for (const label of new Set(['latest', ...(input.tags ?? [])])) {
      await moveTag(tx, { promptId: prompt.id, label, version, movedBy: input.createdBy, now })
    }
    return toPromptVersion(row!, await tagsOf(tx, prompt.id))
  })
}

/** The versions of one prompt, newest first, by the unique key (prompt_id, ordinal). */
export async function list(
  db: WorkspaceDb,
  { slug, limit, after = afterAll }: PageRequest & { readonly slug: string },
): Promise<Page<PromptVersion>> {
  const promptId = await requirePrompt(db, slug)
  const { sql, workspaceId } = db
  const tags = await tagsOf(db, promptId)
  const matches = await sql<VersionRow>`
    SELECT id, ordinal, version, text, system_text, model, variables, message, created_at, created_by,
      messages, config
    FROM prompt_versions
    WHERE workspace_id = ${workspaceId} AND prompt_id = ${promptId} AND ordinal < ${after.position}
    ORDER BY ordinal DESC LIMIT ${rowsToRead(limit)}`
  const { rows, ...page } = pageOf(matches, limit, (row) => ({ position: row.ordinal, id: row.id }))
  return { items: readable('prompt_versions', rows, (row) => toPromptVersion(row, tags)), ...page }
}

/** One version of a prompt, by the unique key (prompt_id, version). */
export async function find(
  db: WorkspaceDb,
  slug: string,
  version: string,
): Promise<PromptVersion | undefined> {
  const promptId = await requirePrompt(db, slug)
  const { sql, workspaceId } = db
  const tags = await tagsOf(db, promptId)
  const [row] = await sql<VersionRow>`
    SELECT id, ordinal, version, text, system_text, model, variables, message, created_at, created_by,
      messages, config
    FROM prompt_versions
    WHERE workspace_id = ${workspaceId} AND prompt_id = ${promptId} AND version = ${version}`
  return readable('prompt_versions', row === undefined ? [] : [row], (versionRow) =>
    toPromptVersion(versionRow, tags),
  )[0]
}

/** Throws `VersionNamedAsTag` for the name of an existing, protected or built-in tag, by primary keys. */
async function requireNoTag(
  { sql, workspaceId }: WorkspaceSql,
  promptId: string,
  name: string,
): Promise<void> {
  const rows = await sql<{ label: string }>`
    SELECT label FROM protected_tags WHERE workspace_id = ${workspaceId} AND label = ${name}
    UNION SELECT label FROM prompt_tags
    WHERE workspace_id = ${workspaceId} AND prompt_id = ${promptId} AND label = ${name}`
  if (rows.length > 0 || name === latestTag || name === productionTag) throw new VersionNamedAsTag(name)
}

async function versionNames({ sql, workspaceId }: WorkspaceSql, promptId: string): Promise<string[]> {
  const rows = await sql<{ version: string }>`
    SELECT version FROM prompt_versions WHERE workspace_id = ${workspaceId} AND prompt_id = ${promptId}`
  return rows.map(({ version }) => version)
}

function tagsOf({ sql, workspaceId }: WorkspaceSql, promptId: string): Promise<TagRow[]> {
  return sql<TagRow>`
    SELECT prompt_id, label, version FROM prompt_tags
    WHERE workspace_id = ${workspaceId} AND prompt_id = ${promptId} ORDER BY label`
}
