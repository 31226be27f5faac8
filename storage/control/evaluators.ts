import { NotFound } from './errors.ts'
import { newId } from './id.ts'
import { isObject, readable, readJson, readNumber, readTime } from './unreadable-rows.ts'
import type { WorkspaceDb, WorkspaceSql } from './workspace.ts'

/** What judges traces and logs. */
export type Evaluator = {
  id: string
  slug: string
  name: string
  kind: string
  /** JSON text, its shape depends on the kind. */
  config: string
  sampleRate: number
  /** Of kind and config: 1, 2, 3 ... */
  version: number
  createdAt: Date
}

export type NewEvaluator = {
  readonly slug: string
  readonly name: string
  readonly kind: string
  /** JSON text. */
  readonly config: string
  /** Share of traces to judge, 0 to 1. */
  readonly sampleRate?: number
  /** Id of the API key or the person. */
  readonly by?: string
}

type EvaluatorRow = {
  id: string
  slug: string
  name: string
  kind: string
  config: string
  sample_rate: number
  version: number
  created_at: number
}

const sampleRateDefault = 0.1

/** Adds an evaluator; its slug is unique in the workspace. */
export function create(db: WorkspaceDb, input: NewEvaluator, now: Date): Promise<Evaluator> {
  return db.write(async ({ sql, workspaceId }) => {
    const rows = await sql<EvaluatorRow>`
      INSERT INTO evaluators (id, workspace_id, slug, name, kind, config, sample_rate, created_at)
      VALUES (${newId()}, ${workspaceId}, ${input.slug}, ${input.name}, ${input.kind}, ${input.config},
        ${input.sampleRate ?? sampleRateDefault}, ${now.getTime()})
      RETURNING id, slug, name, kind, config, sample_rate, version, created_at`
    const made = readable('evaluators', rows, toEvaluator)[0]!
    await keepVersion({ sql, workspaceId }, made, { now, by: input.by })
    return made
  })
}

/** Every evaluator, oldest first: a workspace has few, so the unique key finds them and they are sorted then. */
export async function list({ sql, workspaceId }: WorkspaceDb): Promise<Evaluator[]> {
  const rows = await sql<EvaluatorRow>`
    SELECT id, slug, name, kind, config, sample_rate, version, created_at FROM evaluators
    WHERE workspace_id = ${workspaceId} ORDER BY created_at, id`
  return readable('evaluators', rows, toEvaluator)
}

/** Those evaluators that exist of the slugs asked for, in no order, by their unique slugs. */
export async function findMany(db: WorkspaceDb, slugs: readonly string[]): Promise<Evaluator[]> {
  const { sql, workspaceId } = db
  const rows = await sql<EvaluatorRow>`
    SELECT id, slug, name, kind, config, sample_rate, version, created_at FROM evaluators
    WHERE workspace_id = ${workspaceId} AND slug IN (${slugs})`
  return readable('evaluators', rows, toEvaluator)
}

/** What one version judges by. */
export type EvaluatorVersion = Pick<Evaluator, 'slug' | 'kind' | 'config' | 'version'>

/** A version of an evaluator that is still there, by primary keys; a first version may be kept nowhere else. */
export async function findVersion(
  db: WorkspaceDb,
  slug: string,
  version: number,
): Promise<EvaluatorVersion | undefined> {
  const { sql, workspaceId } = db
  const [today] = await findMany(db, [slug])
  if (today === undefined || today.version === version) return today
  const [kept] = await sql<{ kind: string; config: string }>`
    SELECT kind, config FROM evaluator_versions
    WHERE workspace_id = ${workspaceId} AND evaluator_id = ${today.id} AND version = ${version}`
  return kept && { slug, version, ...kept }
}

/** A version as it was made. */
export type KeptVersion = EvaluatorVersion & { createdAt: Date; createdBy: string | undefined }

/** Every version of an evaluator, the latest first, by primary key; none where there is no such evaluator. */
export async function versions(db: WorkspaceDb, slug: string): Promise<KeptVersion[]> {
  const { sql, workspaceId } = db
  const [today] = await findMany(db, [slug])
  if (today === undefined) return []
  const rows = await sql<{
    version: number
    kind: string
    config: string
    created_at: number
    created_by: string | null
  }>`
    SELECT version, kind, config, created_at, created_by FROM evaluator_versions
    WHERE workspace_id = ${workspaceId} AND evaluator_id = ${today.id} ORDER BY version DESC`
  const kept = readable('evaluator_versions', rows, ({ version, kind, config, created_at, created_by }) => ({
    slug,
    version,
    kind,
    config: readJson(config, 'config', isObject),
    createdAt: readTime(created_at, 'created_at'),
    createdBy: created_by ?? undefined,
  }))
  return kept.some(({ version }) => version === today.version)
    ? kept
    : [{ ...today, createdBy: undefined }, ...kept]
}

/** What to change of an evaluator: undefined leaves it. */
export type EvaluatorChange = {
  readonly name?: string
  readonly kind?: string
  /** JSON text. */
  readonly config?: string
  readonly sampleRate?: number
  /** Id of the API key or the person. */
  readonly by?: string
}

/** Changes an evaluator; another kind or config is a new version, which is kept beside the ones before. */
export function update(
  db: WorkspaceDb,
  slug: string,
  change: EvaluatorChange,
  now: Date,
): Promise<Evaluator> {
  return db.write(async (tx) => {
    const { sql, workspaceId } = tx
    const [before] = await findMany({ ...db, ...tx }, [slug])
    if (before === undefined) throw new NotFound('evaluator', slug)
    const { kind = before.kind, config = before.config, name = before.name } = change
    const isOther = kind !== before.kind || config !== before.config
    const sampleRate = change.sampleRate ?? before.sampleRate
    const version = isOther ? before.version + 1 : before.version
    await sql`
      UPDATE evaluators SET name = ${name}, kind = ${kind}, config = ${config}, sample_rate = ${sampleRate},
        version = ${version}
      WHERE workspace_id = ${workspaceId} AND id = ${before.id}`
    const after = { ...before, name, kind, config, sampleRate, version }
    // The first version too, where it was made before versions were kept.
    if (isOther) {
      await keepVersion(tx, before, { now: before.createdAt, by: undefined })
      await keepVersion(tx, after, { now, by: change.by })
    }
    return after
  })
}

/** Deletes an evaluator with its versions; the scores it gave stay. */
export function remove(db: WorkspaceDb, slug: string): Promise<void> {
  return db.write(async ({ sql, workspaceId }) => {
    const [found] = await sql<{ id: string }>`
      SELECT id FROM evaluators WHERE workspace_id = ${workspaceId} AND slug = ${slug}`
    if (found === undefined) throw new NotFound('evaluator', slug)
    await sql`
      DELETE FROM evaluator_versions WHERE workspace_id = ${workspaceId} AND evaluator_id = ${found.id}`
    await sql`DELETE FROM evaluators WHERE workspace_id = ${workspaceId} AND id = ${found.id}`
  })
}

/** What a version judged by, so that a score of it can be explained later. */
async function keepVersion(
  { sql, workspaceId }: WorkspaceSql,
  { id, version, kind, config }: Evaluator,
  { now, by }: { readonly now: Date; readonly by: string | undefined },
): Promise<void> {
  await sql`
    INSERT INTO evaluator_versions (evaluator_id, version, workspace_id, kind, config, created_at, created_by)
    VALUES (${id}, ${version}, ${workspaceId}, ${kind}, ${config}, ${now.getTime()}, ${by ?? null})
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
    createdAt: readTime(row.created_at, 'created_at'),
  }
}
