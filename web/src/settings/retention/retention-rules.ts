/** The rules of retention as a form has them: texts, empty for the default. */
import type { WorkspaceRetention } from '@plumbline/sdk'

/** Rules that are about everything of their kind. */
type SingleRule = 'days' | 'ledgerSampleDays' | 'fileDays' | 'evaluationDays' | 'idempotencyDays'
const singleRules: readonly SingleRule[] = [
  'days',
  'ledgerSampleDays',
  'fileDays',
  'evaluationDays',
  'idempotencyDays',
]

export type RetentionDraft = Readonly<Record<SingleRule, string>> & {
  readonly features: readonly { readonly featureSlug: string; readonly days: string }[]
  readonly environments: readonly { readonly environment: string; readonly days: string }[]
}

const text = (days: number | null): string => (days === null ? '' : String(days))
const number = (days: string): number | null => (days === '' ? null : Number(days))

export const toDraft = (retention: WorkspaceRetention): RetentionDraft => ({
  days: text(retention.days),
  ledgerSampleDays: text(retention.ledgerSampleDays),
  fileDays: text(retention.fileDays),
  evaluationDays: text(retention.evaluationDays),
  idempotencyDays: text(retention.idempotencyDays),
  features: retention.features.map((rule) => ({ ...rule, days: text(rule.days) })),
  environments: retention.environments.map((rule) => ({ ...rule, days: text(rule.days) })),
})

export const toChange = (draft: RetentionDraft): WorkspaceRetention => ({
  days: number(draft.days),
  ledgerSampleDays: number(draft.ledgerSampleDays),
  fileDays: number(draft.fileDays),
  evaluationDays: number(draft.evaluationDays),
  idempotencyDays: number(draft.idempotencyDays),
  features: draft.features.map((rule) => ({ ...rule, days: number(rule.days) })),
  environments: draft.environments.map((rule) => ({ ...rule, days: number(rule.days) })),
})

/** Whether a text is a number of days that the service takes, or empty. */
export function isDays(days: string): boolean {
  const value = Number(days)
  return days === '' || (Number.isInteger(value) && value >= 1 && value <= 36_500)
}

export const isPossible = (draft: RetentionDraft): boolean =>
  [
    ...singleRules.map((rule) => draft[rule]),
    ...[...draft.features, ...draft.environments].map((rule) => rule.days),
  ].every(isDays)
