const rolloutStatuses = ['running', 'promoted', 'rolled_back', 'stopped'] as const
export type RolloutStatus = (typeof rolloutStatuses)[number]

/** A version that a tag serves to a fraction of its callers. */
export type Rollout = {
  id: string
  promptId: string
  promptSlug: string
  tag: string
  baselineVersion: string
  candidateVersion: string
  /** 0 to 1. */
  share: number
  /** Latest first. */
  shares: { share: number; changedAt: Date; changedBy: string | undefined }[]
  status: RolloutStatus
  alertIds: string[]
  /** '' if none was given. */
  reason: string
  createdAt: Date
  /** Id of the API key or person. */
  createdBy: string | undefined
  endedAt: Date | undefined
  endedBy: string | undefined
  endedByAlertId: string | undefined
}

/** The part of a running rollout that serving needs. */
export type RunningRollout = { id: string; tag: string; candidateVersion: string; share: number }

/** A row of rollouts, with the slug of its prompt. */
export type RolloutRow = {
  id: string
  prompt_id: string
  slug: string
  tag: string
  baseline_version: string
  candidate_version: string
  share: number
  status: string
  reason: string
  created_at: number
  created_by: string | null
  ended_at: number | null
  ended_by: string | null
  ended_by_alert: string | null
}

/** Keeps the order of `shares`. */
export const toRollout = (
  row: RolloutRow,
  shares: readonly { share: number; changed_at: number; changed_by: string | null }[],
  alerts: readonly { alert_id: string }[],
): Rollout => ({
  id: row.id,
  promptId: row.prompt_id,
  promptSlug: row.slug,
  tag: row.tag,
  baselineVersion: row.baseline_version,
  candidateVersion: row.candidate_version,
  share: row.share,
  shares: shares.map(({ share, changed_at, changed_by }) => ({
    share,
    changedAt: new Date(changed_at),
    changedBy: changed_by ?? undefined,
  })),
  // Safe: only these statuses are written.
  status: row.status as RolloutStatus,
  alertIds: alerts.map(({ alert_id }) => alert_id),
  reason: row.reason,
  createdAt: new Date(row.created_at),
  createdBy: row.created_by ?? undefined,
  endedAt: row.ended_at === null ? undefined : new Date(row.ended_at),
  endedBy: row.ended_by ?? undefined,
  endedByAlertId: row.ended_by_alert ?? undefined,
})
