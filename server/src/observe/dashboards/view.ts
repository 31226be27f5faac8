import type { Dashboard } from '@plumbline/contract'
import type { Dashboard as StoredDashboard } from '@plumbline/storage/control'

/** A dashboard as the interface shows it. */
export const toDashboard = (stored: StoredDashboard): Dashboard => ({
  slug: stored.slug,
  name: stored.name,
  description: stored.description,
  charts: [...stored.charts],
  revision: stored.revision,
  createdAt: stored.createdAt.toISOString(),
  updatedAt: stored.updatedAt.toISOString(),
})
