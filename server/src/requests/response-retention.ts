import type { RetentionRules } from '@plumbline/storage/control'

const dayMs = 24 * 3_600_000

/**
 * Responses to requests with an `Idempotency-Key` are kept after this time only: a day, unless the workspace has another
 * setting.
 */
export const responseCutoff = (
  { idempotencyDays = 1 }: Pick<RetentionRules, 'idempotencyDays'>,
  now: Date,
): Date => new Date(now.getTime() - idempotencyDays * dayMs)
