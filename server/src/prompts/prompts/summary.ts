import type { PromptSummary } from '@plumbline/contract'
import type { PromptSummary as StoredSummary } from '@plumbline/storage/control'

/** A prompt as the list returns it. */
export function toSummary(row: StoredSummary): PromptSummary {
  const {
    slug,
    name,
    status,
    description,
    availableVersions,
    availableTags,
    featureSlug,
    folder,
    archivedAt,
  } = row
  return {
    slug,
    name,
    status,
    description,
    availableVersions,
    availableTags,
    ...(featureSlug === undefined ? {} : { featureSlug }),
    ...(folder === undefined ? {} : { folder }),
    ...(archivedAt === undefined ? {} : { archivedAt: archivedAt.toISOString() }),
  }
}
