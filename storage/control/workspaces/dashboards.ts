import type { DashboardChart } from '@plumbline/contract'
import { NotFound, VersionConflict } from '../errors.ts'
import { newId } from '../id.ts'
import type { WorkspaceDb } from '../store/workspace.ts'
import { isObject, readable, readJson, readTime } from '../unreadable-rows.ts'

/** An ordered list of metrics charts. */
export type Dashboard = {
  slug: string
  name: string
  description: string
  charts: readonly DashboardChart[]
  revision: number
  createdAt: Date
  updatedAt: Date
}

export type NewDashboard = Pick<Dashboard, 'slug' | 'name' | 'description' | 'charts'>

export type DashboardChange = Partial<Omit<NewDashboard, 'slug'>> & {
  /** The revision that must still be current. */
  readonly expectedRevision?: number | undefined
}

type DashboardRow = {
  slug: string
  name: string
  description: string
  charts: string
  revision: number
  created_at: number
  updated_at: number
}

/** Adds a dashboard; its slug is unique in the workspace. */
export function create(db: WorkspaceDb, input: NewDashboard, now: Date): Promise<Dashboard> {
  return db.mutate(async ({ sql, workspaceId }) => {
    const time = now.getTime()
    await sql`
      INSERT INTO dashboards (id, workspace_id, slug, name, description, charts, revision, created_at, updated_at)
      VALUES (${newId()}, ${workspaceId}, ${input.slug}, ${input.name}, ${input.description},
        ${JSON.stringify(input.charts)}, 1, ${time}, ${time})`
    return { ...input, revision: 1, createdAt: now, updatedAt: now }
  })
}

/** Every dashboard by name: found by the unique key and then sorted, since a workspace has few. */
export async function list({ sql, workspaceId }: WorkspaceDb): Promise<Dashboard[]> {
  const rows = await sql<DashboardRow>`
    SELECT slug, name, description, charts, revision, created_at, updated_at FROM dashboards
    WHERE workspace_id = ${workspaceId} ORDER BY name, slug`
  return readable('dashboards', rows, toDashboard)
}

/** One dashboard, by its unique slug. */
export async function find({ sql, workspaceId }: WorkspaceDb, slug: string): Promise<Dashboard | undefined> {
  const rows = await sql<DashboardRow>`
    SELECT slug, name, description, charts, revision, created_at, updated_at FROM dashboards
    WHERE workspace_id = ${workspaceId} AND slug = ${slug}`
  return readable('dashboards', rows, toDashboard)[0]
}

/** Changes a dashboard unless it was changed meanwhile. */
export function update(
  db: WorkspaceDb,
  slug: string,
  change: DashboardChange,
  now: Date,
): Promise<Dashboard> {
  return db.mutate(async ({ sql, workspaceId }) => {
    const charts = change.charts === undefined ? null : JSON.stringify(change.charts)
    const expected = change.expectedRevision ?? null
    const rows = await sql<DashboardRow>`
      UPDATE dashboards SET name = COALESCE(${change.name ?? null}, name),
        description = COALESCE(${change.description ?? null}, description), charts = COALESCE(${charts}, charts),
        revision = revision + 1, updated_at = ${now.getTime()}
      WHERE workspace_id = ${workspaceId} AND slug = ${slug}
        AND (CAST(${expected} AS bigint) IS NULL OR revision = ${expected})
      RETURNING slug, name, description, charts, revision, created_at, updated_at`
    const [dashboard] = readable('dashboards', rows, toDashboard)
    if (dashboard !== undefined) return dashboard
    const existing = await sql<{ slug: string }>`
      SELECT slug FROM dashboards WHERE workspace_id = ${workspaceId} AND slug = ${slug}`
    throw existing.length === 0 ? new NotFound('dashboard', slug) : new VersionConflict('dashboard', slug)
  })
}

/** Deletes a dashboard. */
export function remove(db: WorkspaceDb, slug: string): Promise<void> {
  return db.mutate(async ({ sql, workspaceId }) => {
    const [deletedRow] = await sql<{ id: string }>`
      DELETE FROM dashboards WHERE workspace_id = ${workspaceId} AND slug = ${slug} RETURNING id`
    if (deletedRow === undefined) throw new NotFound('dashboard', slug)
  })
}

const areCharts = (value: unknown): boolean =>
  Array.isArray(value) && value.every((chart) => isObject(chart) && typeof chart.measure === 'string')

function toDashboard(row: DashboardRow): Dashboard {
  return {
    slug: row.slug,
    name: row.name,
    description: row.description,
    charts: JSON.parse(readJson(row.charts, 'charts', areCharts)),
    revision: row.revision,
    createdAt: readTime(row.created_at, 'created_at'),
    updatedAt: readTime(row.updated_at, 'updated_at'),
  }
}
