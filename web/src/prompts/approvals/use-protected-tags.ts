import { useRead } from '../../app/api.ts'

const none: readonly string[] = []

/** The tags that move only when somebody else approves it. */
export const useProtectedTags = (): readonly string[] => useRead('approvals.tags', {}).data?.tags ?? none
