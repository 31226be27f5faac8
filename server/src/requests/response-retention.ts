import type { RetentionRules } from '@plumbline/storage/control'

const dayMs = 24 * 3_600_000

/** Responses to requests with an `Idempotency-Key` of before are not kept: a day, unless the workspace says otherwise. */
export const responseCutoff = (
  { idempotencyDays = 1 }: Pick<RetentionRules, 'idempotencyDays'>,
  now: Date,
): Date => new Date(now.getTime() - idempotencyDays * dayMs)
