import type { Feature } from '@plumbline/contract'
import type { Feature as StoredFeature } from '@plumbline/storage/control'

/** A feature as the interface returns it. */
export const toFeature = ({ slug, name, description, createdAt }: StoredFeature): Feature => ({
  slug,
  name,
  ...(description === '' ? {} : { description }),
  createdAt: createdAt.toISOString(),
})
