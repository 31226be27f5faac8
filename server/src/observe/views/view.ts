import type { View } from '@plumbline/contract'
import type { View as StoredView } from '@plumbline/storage/control'

/** A saved view as the interface shows it. */
export const toView = ({ id, name, page, search, createdAt }: StoredView): View => ({
  id,
  name,
  page,
  search,
  createdAt: createdAt.toISOString(),
})
