import type { WorkspaceDb } from '../store/workspace.ts'

/** How often one API key fetched one version of a prompt within an hour. */
export type NewPromptFetch = {
  readonly promptSlug: string
  /** The version that was served. */
  readonly version: string
  /** The requested tag; '' if a version was requested. */
  readonly tag: string
  readonly apiKeyId: string
  readonly count: number
  /** Counted in the hour of `lastAt`. */
  readonly firstAt: Date
  readonly lastAt: Date
}

/** Fetches of a version by one API key with one tag, over the requested hours. */
export type PromptFetches = {
  version: string
  tag: string
  apiKeyId: string
  count: number
  firstAt: Date
  lastAt: Date
}

const hourMs = 3_600_000

/** Adds counts to their hours, all or none. */
export function add(db: WorkspaceDb, fetches: readonly NewPromptFetch[]): Promise<void> {
  return db.transaction(async ({ sql, workspaceId }) => {
    // In a fixed order, so that two nodes cannot deadlock.
    for (const { promptSlug, version, tag, apiKeyId, count, firstAt, lastAt } of fetches.toSorted(byKey)) {
      const hour = Math.floor(lastAt.getTime() / hourMs) * hourMs
      await sql`
        INSERT INTO prompt_fetches
          (workspace_id, prompt_slug, hour, version, tag, api_key_id, fetches, first_at, last_at)
        VALUES (${workspaceId}, ${promptSlug}, ${hour}, ${version}, ${tag}, ${apiKeyId}, ${count},
          ${firstAt.getTime()}, ${lastAt.getTime()})
        ON CONFLICT (workspace_id, prompt_slug, hour, version, tag, api_key_id) DO UPDATE SET
          fetches = prompt_fetches.fetches + excluded.fetches,
          first_at = CASE WHEN excluded.first_at < prompt_fetches.first_at
            THEN excluded.first_at ELSE prompt_fetches.first_at END,
          last_at = CASE WHEN excluded.last_at > prompt_fetches.last_at
            THEN excluded.last_at ELSE prompt_fetches.last_at END`
    }
  })
}

/**
 * Which API key fetched which version of a prompt, for the hours from `from` up to but excluding `to`, latest first, by
 * primary key.
 */
export async function list(
  { sql, workspaceId }: WorkspaceDb,
  { promptSlug, from, to }: { readonly promptSlug: string; readonly from: Date; readonly to: Date },
): Promise<PromptFetches[]> {
  const since = Math.floor(from.getTime() / hourMs) * hourMs
  const rows = await sql<{
    version: string
    tag: string
    api_key_id: string
    fetches: number
    first_at: number
    last_at: number
  }>`
    SELECT version, tag, api_key_id, CAST(sum(fetches) AS bigint) AS fetches, min(first_at) AS first_at, max(last_at) AS last_at
    FROM prompt_fetches
    WHERE workspace_id = ${workspaceId} AND prompt_slug = ${promptSlug} AND hour >= ${since} AND hour < ${to.getTime()}
    GROUP BY version, tag, api_key_id ORDER BY last_at DESC, version, tag, api_key_id`
  return rows.map(({ version, tag, api_key_id, fetches, first_at, last_at }) => ({
    version,
    tag,
    apiKeyId: api_key_id,
    count: fetches,
    firstAt: new Date(first_at),
    lastAt: new Date(last_at),
  }))
}

/** Deletes the hours before a time, by prompt_fetches_by_hour. */
export async function forgetBefore({ sql, workspaceId }: WorkspaceDb, cutoff: Date): Promise<void> {
  await sql`DELETE FROM prompt_fetches WHERE workspace_id = ${workspaceId} AND hour < ${cutoff.getTime()}`
}

function byKey(a: NewPromptFetch, b: NewPromptFetch): number {
  const [left, right] = [a, b].map(({ promptSlug, version, tag, apiKeyId, lastAt }) =>
    JSON.stringify([promptSlug, version, tag, apiKeyId, lastAt.getTime()]),
  )
  return left === right ? 0 : left! < right! ? -1 : 1
}
