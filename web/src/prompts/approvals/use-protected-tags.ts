import { useRead } from '../../app/api.ts'

const none: readonly string[] = []

/** The tags that move only with someone else's approval. */
export const useProtectedTags = (): readonly string[] => useRead('approvals.tags', {}).data?.tags ?? none
