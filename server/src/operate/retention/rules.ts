/** What the retention rules mean for stored data. */
import type { InputOf, operations, WorkspaceRetention } from '@plumbline/contract'
import type { RetentionRules } from '@plumbline/storage/control'
import type { TraceSelection, ValueChoice } from '@plumbline/storage/traces'
import { retentionMs as evaluationRetentionMs } from '../../evaluate/evaluations/retention.ts'

const dayMs = 86_400_000

/** The time before which data has expired; undefined if it is kept forever. */
export const cutoffOf = (days: number | undefined, now: Date): Date | undefined =>
  days === undefined ? undefined : new Date(now.getTime() - days * dayMs)

const only = (value: string): ValueChoice => ({ values: [value], isExcept: false })
const chooseAllBut = (values: readonly string[]): ValueChoice => ({ values, isExcept: true })
const everything = chooseAllBut([])

/** Traces that arrived before the cutoff, of any feature and environment. */
export const olderThan = (workspaceId: string, cutoff: Date): TraceSelection => ({
  workspaceId,
  untilMs: cutoff.getTime() - 1,
  type: 'origin',
  features: everything,
  environments: everything,
})

/** Expired traces: a feature's rule takes precedence over an environment's, and both over the workspace's. */
export function expiredSelections(
  { days, features, environments }: RetentionRules,
  workspaceId: string,
  now: Date,
): TraceSelection[] {
  const select = (
    ruleDays: number | undefined,
    origin: Pick<TraceSelection & { type: 'origin' }, 'features' | 'environments'>,
  ): TraceSelection[] => {
    const cutoff = cutoffOf(ruleDays, now)
    return cutoff === undefined ? [] : [{ ...olderThan(workspaceId, cutoff), ...origin }]
  }
  const otherFeatures = chooseAllBut(features.map(({ featureSlug }) => featureSlug))
  const otherEnvironments = chooseAllBut(environments.map(({ environment }) => environment))
  return [
    ...features.flatMap((rule) =>
      select(rule.days, { features: only(rule.featureSlug), environments: everything }),
    ),
    ...environments.flatMap((rule) =>
      select(rule.days, { features: otherFeatures, environments: only(rule.environment) }),
    ),
    ...select(days, { features: otherFeatures, environments: otherEnvironments }),
  ]
}

/** The cutoffs before which finished evaluations have expired. */
export function evaluationCutoffs(
  { evaluationDays }: RetentionRules,
  now: Date,
): { endedCutoff: Date; failedCutoff: Date } {
  const cutoff = cutoffOf(evaluationDays, now)
  const timeBefore = (ms: number): Date => cutoff ?? new Date(now.getTime() - ms)
  return {
    endedCutoff: timeBefore(evaluationRetentionMs.ended),
    failedCutoff: timeBefore(evaluationRetentionMs.failed),
  }
}

/** The time before which everything in the workspace has expired, so that whole months may be deleted. */
export function wholeCutoff({ days, features, environments }: RetentionRules, now: Date): Date | undefined {
  const all = [days, ...[...features, ...environments].map((rule) => rule.days)]
  return all.includes(undefined) ? undefined : cutoffOf(Math.max(...all.map((each) => each ?? 0)), now)
}

type Change = InputOf<typeof operations.retention.update>

const singleRules = ['days', 'ledgerSampleDays', 'fileDays', 'evaluationDays', 'idempotencyDays'] as const

/** The rules in a change; undefined means kept forever. */
export function rulesIn(change: Change): Partial<RetentionRules> {
  const withDays = <Rule extends { readonly days: number | null }>(rule: Rule) => ({
    ...rule,
    days: rule.days ?? undefined,
  })
  return {
    ...Object.fromEntries(
      singleRules.flatMap((name) => (change[name] === undefined ? [] : [[name, change[name] ?? undefined]])),
    ),
    ...(change.features && { features: change.features.map(withDays) }),
    ...(change.environments && { environments: change.environments.map(withDays) }),
  }
}

export const changedRules = (rules: RetentionRules, change: Change): RetentionRules => ({
  ...rules,
  ...rulesIn(change),
})

export const toRetention = (rules: RetentionRules): WorkspaceRetention => ({
  days: rules.days ?? null,
  features: rules.features.map((rule) => ({ ...rule, days: rule.days ?? null })),
  environments: rules.environments.map((rule) => ({ ...rule, days: rule.days ?? null })),
  ledgerSampleDays: rules.ledgerSampleDays ?? null,
  fileDays: rules.fileDays ?? null,
  evaluationDays: rules.evaluationDays ?? null,
  idempotencyDays: rules.idempotencyDays ?? null,
})
