/** The rules of retention as a form has them: texts, empty for forever. */
import type { WorkspaceRetention } from '@plumbline/sdk'

export interface RetentionDraft {
  readonly days: string
  readonly ledgerSampleDays: string
  readonly fileDays: string
  readonly features: readonly { readonly featureSlug: string; readonly days: string }[]
}

const text = (days: number | null): string => (days === null ? '' : String(days))
const number = (days: string): number | null => (days === '' ? null : Number(days))

export const toDraft = (retention: WorkspaceRetention): RetentionDraft => ({
  days: text(retention.days),
  ledgerSampleDays: text(retention.ledgerSampleDays),
  fileDays: text(retention.fileDays),
  features: retention.features.map(({ featureSlug, days }) => ({ featureSlug, days: text(days) })),
})

export const toChange = (draft: RetentionDraft): WorkspaceRetention => ({
  days: number(draft.days),
  ledgerSampleDays: number(draft.ledgerSampleDays),
  fileDays: number(draft.fileDays),
  features: draft.features.map(({ featureSlug, days }) => ({ featureSlug, days: number(days) })),
})

/** Whether a text is a number of days that the service takes, or empty. */
export function isDays(days: string): boolean {
  const value = Number(days)
  return days === '' || (Number.isInteger(value) && value >= 1 && value <= 36_500)
}

export const isPossible = ({ days, ledgerSampleDays, fileDays, features }: RetentionDraft): boolean =>
  [days, ledgerSampleDays, fileDays, ...features.map((rule) => rule.days)].every(isDays)
