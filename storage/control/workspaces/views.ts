import { NotFound } from '../errors.ts'
import { newId } from '../id.ts'
import type { WorkspaceDb } from '../store/workspace.ts'
import { readable, readTime } from '../unreadable-rows.ts'

/** A named page with its filters, columns and range. */
export type View = { id: string; name: string; page: string; search: string; createdAt: Date }

export type NewView = { readonly name: string; readonly page: string; readonly search: string }

export type ViewChange = { readonly name?: string; readonly search?: string }

type ViewRow = { id: string; name: string; page: string; search: string; created_at: number }

/** Saves a view; names need not be unique. */
export function create(db: WorkspaceDb, input: NewView, now: Date): Promise<View> {
  return db.mutate(async ({ sql, workspaceId }) => {
    const view = { id: newId(), ...input, createdAt: now }
    await sql`
      INSERT INTO views (id, workspace_id, name, page, search, created_at)
      VALUES (${view.id}, ${workspaceId}, ${view.name}, ${view.page}, ${view.search}, ${now.getTime()})`
    return view
  })
}

/** The views of one page or of all, by name; served by views_by_page. */
export async function list({ sql, workspaceId }: WorkspaceDb, page: string | null = null): Promise<View[]> {
  const rows = await sql<ViewRow>`
    SELECT id, name, page, search, created_at FROM views
    WHERE workspace_id = ${workspaceId} AND (CAST(${page} AS text) IS NULL OR page = ${page})
    ORDER BY page, name, id`
  return readable('views', rows, toView)
}

/** Changes the name or the search of a view, by primary key. */
export function update(db: WorkspaceDb, id: string, change: ViewChange): Promise<View> {
  return db.mutate(async ({ sql, workspaceId }) => {
    const rows = await sql<ViewRow>`
      UPDATE views SET name = COALESCE(${change.name ?? null}, name),
        search = COALESCE(${change.search ?? null}, search)
      WHERE workspace_id = ${workspaceId} AND id = ${id}
      RETURNING id, name, page, search, created_at`
    const [view] = readable('views', rows, toView)
    if (view === undefined) throw new NotFound('view', id)
    return view
  })
}

/** Deletes a view, by primary key. */
export function remove(db: WorkspaceDb, id: string): Promise<void> {
  return db.mutate(async ({ sql, workspaceId }) => {
    const [deletedRow] = await sql<{ id: string }>`
      DELETE FROM views WHERE workspace_id = ${workspaceId} AND id = ${id} RETURNING id`
    if (deletedRow === undefined) throw new NotFound('view', id)
  })
}

function toView({ id, name, page, search, created_at }: ViewRow): View {
  return { id, name, page, search, createdAt: readTime(created_at, 'created_at') }
}
