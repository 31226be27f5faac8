/** What the rules of retention say about stored data. */
import type { InputOf, operations, WorkspaceRetention } from '@plumbline/contract'
import type { RetentionRules } from '@plumbline/storage/control'
import type { TraceSelection } from '@plumbline/storage/traces'

const dayMs = 86_400_000

/** The moment before which something has expired; undefined: it is kept forever. */
export const cutoffOf = (days: number | undefined, now: Date): Date | undefined =>
  days === undefined ? undefined : new Date(now.getTime() - days * dayMs)

/** Traces that have expired: those of each feature with a rule of its own, and all others. */
export function expiredSelections(
  { days, features }: RetentionRules,
  workspaceId: string,
  now: Date,
): TraceSelection[] {
  const slugs = features.map(({ featureSlug }) => featureSlug)
  const select = (keptDays: number | undefined, rest: { features: readonly string[]; isExcept: boolean }) => {
    const cutoff = cutoffOf(keptDays, now)
    return cutoff === undefined
      ? []
      : [{ workspaceId, untilMs: cutoff.getTime() - 1, by: 'features', ...rest } as const]
  }
  return [
    ...features.flatMap(({ featureSlug, days: own }) =>
      select(own, { features: [featureSlug], isExcept: false }),
    ),
    ...select(days, { features: slugs, isExcept: true }),
  ]
}

/** The moment before which everything of the workspace has expired, so that whole months may go. */
export function wholeCutoff({ days, features }: RetentionRules, now: Date): Date | undefined {
  const all = [days, ...features.map((rule) => rule.days)]
  return all.includes(undefined) ? undefined : cutoffOf(Math.max(...all.map((each) => each ?? 0)), now)
}

export function changedRules(
  rules: RetentionRules,
  change: InputOf<typeof operations.retention.update>,
): RetentionRules {
  const kept = <Value>(next: Value | null | undefined, current: Value | undefined): Value | undefined =>
    next === undefined ? current : (next ?? undefined)
  return {
    days: kept(change.days, rules.days),
    ledgerSampleDays: kept(change.ledgerSampleDays, rules.ledgerSampleDays),
    fileDays: kept(change.fileDays, rules.fileDays),
    features:
      change.features?.map(({ featureSlug, days }) => ({ featureSlug, days: days ?? undefined })) ??
      rules.features,
  }
}

export const toRetention = (rules: RetentionRules): WorkspaceRetention => ({
  days: rules.days ?? null,
  features: rules.features.map(({ featureSlug, days }) => ({ featureSlug, days: days ?? null })),
  ledgerSampleDays: rules.ledgerSampleDays ?? null,
  fileDays: rules.fileDays ?? null,
})
