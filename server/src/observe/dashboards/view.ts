import type { Dashboard } from '@plumbline/contract'
import type { Dashboard as StoredDashboard } from '@plumbline/storage/control'

/** A dashboard as the interface shows it. */
export const toDashboard = (row: StoredDashboard): Dashboard => ({
  slug: row.slug,
  name: row.name,
  description: row.description,
  charts: [...row.charts],
  revision: row.revision,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
})
