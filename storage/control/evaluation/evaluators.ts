import { NotFound, VersionConflict } from '../errors.ts'
import { newId } from '../id.ts'
import type { WorkspaceDb, WorkspaceSql } from '../store/workspace.ts'
import { isObject, readable, readJson, readNumber, readTime } from '../unreadable-rows.ts'

/** Judges traces and logs. */
export type Evaluator = {
  id: string
  slug: string
  name: string
  kind: string
  /** JSON text; its shape depends on the kind. */
  config: string
  sampleRate: number
  /** JSON text of its live rule: what it judges besides traces that name it; undefined for only those. */
  liveRule: string | undefined
  /** Changes with kind and config: 1, 2, 3 ... */
  version: number
  createdAt: Date
}

export type NewEvaluator = {
  readonly slug: string
  readonly name: string
  readonly kind: string
  /** JSON text. */
  readonly config: string
  /** Fraction of traces to judge, 0 to 1. */
  readonly sampleRate?: number
  /** JSON text. */
  readonly liveRule?: string | undefined
  /** Id of the API key or user. */
  readonly createdBy?: string
}

type EvaluatorRow = {
  id: string
  slug: string
  name: string
  kind: string
  config: string
  sample_rate: number
  version: number
  live_rule: string | null
  created_at: number
}

const sampleRateDefault = 0.1

/** Adds an evaluator; its slug is unique in the workspace. */
export function create(db: WorkspaceDb, input: NewEvaluator, now: Date): Promise<Evaluator> {
  return db.mutate(async ({ sql, workspaceId }) => {
    const rows = await sql<EvaluatorRow>`
      INSERT INTO evaluators (id, workspace_id, slug, name, kind, config, sample_rate, live_rule, created_at)
      VALUES (${newId()}, ${workspaceId}, ${input.slug}, ${input.name}, ${input.kind}, ${input.config},
        ${input.sampleRate ?? sampleRateDefault}, ${input.liveRule ?? null}, ${now.getTime()})
      RETURNING id, slug, name, kind, config, sample_rate, version, live_rule, created_at`
    const evaluator = readable('evaluators', rows, toEvaluator)[0]!
    await keepVersion({ sql, workspaceId }, evaluator, { now, changedBy: input.createdBy })
    return evaluator
  })
}

/** Every evaluator, oldest first: a workspace has few, so they are read by the unique key and sorted. */
export async function list({ sql, workspaceId }: WorkspaceDb): Promise<Evaluator[]> {
  const rows = await sql<EvaluatorRow>`
    SELECT id, slug, name, kind, config, sample_rate, version, live_rule, created_at FROM evaluators
    WHERE workspace_id = ${workspaceId} ORDER BY created_at, id`
  return readable('evaluators', rows, toEvaluator)
}

/** The evaluators with these slugs that exist, in no order, by their unique slugs. */
export async function findMany(db: WorkspaceDb, slugs: readonly string[]): Promise<Evaluator[]> {
  const { sql, workspaceId } = db
  const rows = await sql<EvaluatorRow>`
    SELECT id, slug, name, kind, config, sample_rate, version, live_rule, created_at FROM evaluators
    WHERE workspace_id = ${workspaceId} AND slug IN (${slugs})`
  return readable('evaluators', rows, toEvaluator)
}

/** The configuration of one version. */
export type EvaluatorVersion = Pick<Evaluator, 'slug' | 'kind' | 'config' | 'version'>

/** A version of an existing evaluator, by primary keys; a first version may be stored in `evaluators` only. */
export async function findVersion(
  db: WorkspaceDb,
  slug: string,
  version: number,
): Promise<EvaluatorVersion | undefined> {
  const { sql, workspaceId } = db
  const [current] = await findMany(db, [slug])
  if (current === undefined || current.version === version) return current
  const [versionRow] = await sql<{ kind: string; config: string }>`
    SELECT kind, config FROM evaluator_versions
    WHERE workspace_id = ${workspaceId} AND evaluator_id = ${current.id} AND version = ${version}`
  return versionRow && { slug, version, ...versionRow }
}

/** A version with its origin. */
export type StoredEvaluatorVersion = EvaluatorVersion & { createdAt: Date; createdBy: string | undefined }

/** Every version of an evaluator, latest first, by primary key; empty if it does not exist. */
export async function versions(db: WorkspaceDb, slug: string): Promise<StoredEvaluatorVersion[]> {
  const { sql, workspaceId } = db
  const [current] = await findMany(db, [slug])
  if (current === undefined) return []
  const rows = await sql<{
    version: number
    kind: string
    config: string
    created_at: number
    created_by: string | null
  }>`
    SELECT version, kind, config, created_at, created_by FROM evaluator_versions
    WHERE workspace_id = ${workspaceId} AND evaluator_id = ${current.id} ORDER BY version DESC`
  const versions = readable(
    'evaluator_versions',
    rows,
    ({ version, kind, config, created_at, created_by }) => ({
      slug,
      version,
      kind,
      config: readJson(config, 'config', isObject),
      createdAt: readTime(created_at, 'created_at'),
      createdBy: created_by ?? undefined,
    }),
  )
  return versions.some(({ version }) => version === current.version)
    ? versions
    : [{ ...current, createdBy: undefined }, ...versions]
}

/** Undefined leaves a field unchanged. */
export type EvaluatorChange = {
  readonly name?: string
  readonly kind?: string
  /** JSON text. */
  readonly config?: string
  readonly sampleRate?: number
  /** JSON text; null for none. */
  readonly liveRule?: string | null | undefined
  /** Id of the API key or user. */
  readonly changedBy?: string
  /** The state that the change was checked against: throws `VersionConflict` if it has changed since. */
  readonly previous?: Pick<Evaluator, 'version' | 'liveRule'>
}

/** Changes an evaluator; another kind or config creates a new version and keeps the earlier ones. */
export function update(
  db: WorkspaceDb,
  slug: string,
  change: EvaluatorChange,
  now: Date,
): Promise<Evaluator> {
  return db.mutate(async (tx) => {
    const { sql, workspaceId } = tx
    const [existing] = await findMany({ ...db, ...tx }, [slug])
    if (existing === undefined) throw new NotFound('evaluator', slug)
    const { version: previousVersion, liveRule: previousRule } = change.previous ?? existing
    if (previousVersion !== existing.version || previousRule !== existing.liveRule)
      throw new VersionConflict('evaluator', slug)
    const { kind = existing.kind, config = existing.config, name = existing.name } = change
    const isOther = kind !== existing.kind || config !== existing.config
    const sampleRate = change.sampleRate ?? existing.sampleRate
    const liveRule = change.liveRule === undefined ? existing.liveRule : (change.liveRule ?? undefined)
    const version = isOther ? existing.version + 1 : existing.version
    await sql`
      UPDATE evaluators SET name = ${name}, kind = ${kind}, config = ${config}, sample_rate = ${sampleRate},
        live_rule = ${liveRule ?? null}, version = ${version}
      WHERE workspace_id = ${workspaceId} AND id = ${existing.id}`
    const after = { ...existing, name, kind, config, sampleRate, liveRule, version }
    // Stores the previous version too: it may be older than the table of versions.
    if (isOther) {
      await keepVersion(tx, existing, { now: existing.createdAt, changedBy: undefined })
      await keepVersion(tx, after, { now, changedBy: change.changedBy })
    }
    return after
  })
}

/** Deletes an evaluator with its versions; the scores it gave stay. */
export function remove(db: WorkspaceDb, slug: string): Promise<void> {
  return db.mutate(async ({ sql, workspaceId }) => {
    const [evaluator] = await sql<{ id: string }>`
      SELECT id FROM evaluators WHERE workspace_id = ${workspaceId} AND slug = ${slug}`
    if (evaluator === undefined) throw new NotFound('evaluator', slug)
    await sql`
      DELETE FROM evaluator_versions WHERE workspace_id = ${workspaceId} AND evaluator_id = ${evaluator.id}`
    await sql`DELETE FROM evaluators WHERE workspace_id = ${workspaceId} AND id = ${evaluator.id}`
  })
}

/** Stores a version, so that its scores can be explained later. */
async function keepVersion(
  { sql, workspaceId }: WorkspaceSql,
  { id, version, kind, config }: Evaluator,
  { now, changedBy }: { readonly now: Date; readonly changedBy: string | undefined },
): Promise<void> {
  await sql`
    INSERT INTO evaluator_versions (evaluator_id, version, workspace_id, kind, config, created_at, created_by)
    VALUES (${id}, ${version}, ${workspaceId}, ${kind}, ${config}, ${now.getTime()}, ${changedBy ?? null})
    ON CONFLICT DO NOTHING`
}

function toEvaluator(row: EvaluatorRow): Evaluator {
  const { id, slug, name, kind, config, version } = row
  return {
    id,
    slug,
    name,
    kind,
    config: readJson(config, 'config', isObject),
    version,
    sampleRate: readNumber(row.sample_rate, 'sample_rate'),
    liveRule: row.live_rule === null ? undefined : readJson(row.live_rule, 'live_rule', isObject),
    createdAt: readTime(row.created_at, 'created_at'),
  }
}
