import { AlreadyExists, NotFound } from '../errors.ts'
import { newId } from '../id.ts'
import { requireFeature } from '../require-parent.ts'
import { afterAll, type Page, type PageRequest, pageOf, rowsToRead } from '../store/page.ts'
import type { WorkspaceDb, WorkspaceSql } from '../store/workspace.ts'
import { readable, readTime } from '../unreadable-rows.ts'
import { removeOfSubjects } from '../workspaces/comments.ts'

/** A set of traces to compare; the traces name it. */
export type Experiment = { id: string; name: string; featureSlug: string; createdAt: Date }

export type NewExperiment = { readonly name: string; readonly featureSlug: string }

type ExperimentRow = { id: string; name: string; feature_slug: string; created_at: number }

/** Adds an experiment to a feature. */
export function create(db: WorkspaceDb, input: NewExperiment, now: Date): Promise<Experiment> {
  return db.mutate(async (tx) => {
    await requireFeature(tx, input.featureSlug)
    return add(tx, input, now)
  })
}

async function add(
  { sql, workspaceId }: WorkspaceSql,
  { name, featureSlug }: NewExperiment,
  now: Date,
): Promise<Experiment> {
  const experiment = { id: newId(), name, featureSlug, createdAt: now }
  await sql`
    INSERT INTO experiments (id, workspace_id, feature_slug, name, created_at)
    VALUES (${experiment.id}, ${workspaceId}, ${featureSlug}, ${name}, ${now.getTime()})`
  return experiment
}

/** The oldest experiment of a feature with a name; by experiments_by_age. */
export async function findNamed(
  { sql, workspaceId }: WorkspaceSql,
  { featureSlug, name }: NewExperiment,
): Promise<Experiment | undefined> {
  const rows = await sql<ExperimentRow>`
    SELECT id, name, feature_slug, created_at FROM experiments
    WHERE workspace_id = ${workspaceId} AND feature_slug = ${featureSlug} AND name = ${name}
    ORDER BY created_at LIMIT 1`
  return rows.map(toExperiment)[0]
}

/**
 * Adds an experiment, and its feature if missing; throws `AlreadyExists` if the feature has one with this name. Of two
 * concurrent requests, one creates it.
 */
export function createNamed(
  db: WorkspaceDb,
  { featureName, ...input }: NewExperiment & { readonly featureName: string },
  now: Date,
): Promise<Experiment> {
  return db.mutate(async (tx) => {
    const { sql, workspaceId } = tx
    if ((await findNamed(tx, input)) !== undefined) throw new AlreadyExists('experiments')
    await sql`
      INSERT INTO features (workspace_id, slug, name, description, created_at)
      VALUES (${workspaceId}, ${input.featureSlug}, ${featureName}, '', ${now.getTime()})
      ON CONFLICT (workspace_id, slug) DO NOTHING`
    return add(tx, input, now)
  })
}

/** The experiments, newest first, of one feature or of all; served by experiments_by_age. */
export async function list(
  { sql, workspaceId }: WorkspaceDb,
  {
    featureSlug = null,
    limit,
    after = afterAll,
  }: PageRequest & { readonly featureSlug?: string | null } = {},
): Promise<Page<Experiment>> {
  const matches = await sql<ExperimentRow>`
    SELECT id, name, feature_slug, created_at FROM experiments
    WHERE workspace_id = ${workspaceId}
      AND (CAST(${featureSlug} AS text) IS NULL OR feature_slug = ${featureSlug})
      AND (created_at, id) < (${after.position}, ${after.id})
    ORDER BY created_at DESC, id DESC LIMIT ${rowsToRead(limit)}`
  const { rows, ...page } = pageOf(matches, limit, (row) => ({ position: row.created_at, id: row.id }))
  return { items: readable('experiments', rows, toExperiment), ...page }
}

/** Whether an experiment exists, by primary key, even if its row is unreadable: it still has its traces. */
export async function exists({ sql, workspaceId }: WorkspaceDb, id: string): Promise<boolean> {
  const rows = await sql<{ id: string }>`
    SELECT id FROM experiments WHERE workspace_id = ${workspaceId} AND id = ${id}`
  return rows.length > 0
}

/** One experiment, by primary key. */
export async function find({ sql, workspaceId }: WorkspaceDb, id: string): Promise<Experiment | undefined> {
  const rows = await sql<ExperimentRow>`
    SELECT id, name, feature_slug, created_at FROM experiments
    WHERE workspace_id = ${workspaceId} AND id = ${id}`
  return readable('experiments', rows, toExperiment)[0]
}

/** Renames an experiment, by primary key. */
export function update(db: WorkspaceDb, id: string, change: { readonly name: string }): Promise<Experiment> {
  return db.mutate(async ({ sql, workspaceId }) => {
    const rows = await sql<ExperimentRow>`
      UPDATE experiments SET name = ${change.name}
      WHERE workspace_id = ${workspaceId} AND id = ${id} RETURNING id, name, feature_slug, created_at`
    const [experiment] = readable('experiments', rows, toExperiment)
    if (experiment === undefined) throw new NotFound('experiment', id)
    return experiment
  })
}

/** Deletes an experiment with its runs; its traces stay. */
export function remove(db: WorkspaceDb, id: string): Promise<void> {
  return db.mutate(async ({ sql, workspaceId }) => {
    const [deletedRow] = await sql<{ id: string }>`
      DELETE FROM experiments WHERE workspace_id = ${workspaceId} AND id = ${id} RETURNING id`
    if (deletedRow === undefined) throw new NotFound('experiment', id)
    await removeOfSubjects({ sql, workspaceId }, 'experiment', [id])
    await sql`
      DELETE FROM experiment_attachments WHERE workspace_id = ${workspaceId} AND experiment_id = ${id}`
    await sql`
      DELETE FROM experiment_run_cases WHERE workspace_id = ${workspaceId} AND run_id IN (
        SELECT id FROM experiment_runs WHERE workspace_id = ${workspaceId} AND experiment_id = ${id})`
    await sql`
      DELETE FROM experiment_run_rows WHERE workspace_id = ${workspaceId} AND run_id IN (
        SELECT id FROM experiment_runs WHERE workspace_id = ${workspaceId} AND experiment_id = ${id})`
    await sql`
      DELETE FROM experiment_runs WHERE workspace_id = ${workspaceId} AND experiment_id = ${id}`
  })
}

function toExperiment(row: ExperimentRow): Experiment {
  const { id, name } = row
  return { id, name, featureSlug: row.feature_slug, createdAt: readTime(row.created_at, 'created_at') }
}
