/** The form values of retention rules: texts, empty for the default. Pure. */
import type { WorkspaceRetention } from '@plumbline/sdk'
import { changedFields, contestedFields } from '../../ui/form/changed-fields.ts'

/** Rules that apply to all records of their kind. */
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

const toRetention = (draft: RetentionDraft): WorkspaceRetention => ({
  days: number(draft.days),
  ledgerSampleDays: number(draft.ledgerSampleDays),
  fileDays: number(draft.fileDays),
  evaluationDays: number(draft.evaluationDays),
  idempotencyDays: number(draft.idempotencyDays),
  features: draft.features.map((rule) => ({ ...rule, days: number(rule.days) })),
  environments: draft.environments.map((rule) => ({ ...rule, days: number(rule.days) })),
})

/** The request for `draft`, given the service's `latest` rules. */
export const toChange = (draft: RetentionDraft, latest: RetentionDraft): Partial<WorkspaceRetention> =>
  changedFields(toRetention(draft), toRetention(latest), [])

interface MergedDraft {
  readonly draft: RetentionDraft
  /** Whether another user has changed a rule that the draft changes too. */
  readonly isContested: boolean
}

/** The latest rules, with the changes from `base` to the draft applied. */
export function mergeDraft(draft: RetentionDraft, base: RetentionDraft, latest: RetentionDraft): MergedDraft {
  const [initial, current] = [rulesByName(base), rulesByName(latest)]
  const removed = Object.fromEntries(Object.keys(initial).map((name) => [name, undefined]))
  const changes = changedFields({ ...removed, ...rulesByName(draft) }, initial, [])
  return {
    // Safe: the rules are texts, or undefined if there is none.
    draft: withRules(latest, { ...current, ...changes } as Readonly<Record<string, string | undefined>>),
    isContested: contestedFields(changes, initial, current).length > 0,
  }
}

const featurePrefix = 'feature:'
const environmentPrefix = 'environment:'

const rulesByName = (draft: RetentionDraft): Readonly<Record<string, string>> =>
  Object.fromEntries([
    ...singleRules.map((name) => [name, draft[name]]),
    ...draft.features.map(({ featureSlug, days }) => [`${featurePrefix}${featureSlug}`, days]),
    ...draft.environments.map(({ environment, days }) => [`${environmentPrefix}${environment}`, days]),
  ])

function withRules(
  draft: RetentionDraft,
  rules: Readonly<Record<string, string | undefined>>,
): RetentionDraft {
  const rulesWith = (prefix: string) =>
    Object.entries(rules).flatMap(([name, days]) =>
      name.startsWith(prefix) && days !== undefined ? [{ name: name.slice(prefix.length), days }] : [],
    )
  return {
    ...draft,
    ...Object.fromEntries(singleRules.map((name) => [name, rules[name] ?? ''])),
    features: rulesWith(featurePrefix).map(({ name, days }) => ({ featureSlug: name, days })),
    environments: rulesWith(environmentPrefix).map(({ name, days }) => ({ environment: name, days })),
  }
}

/** Whether a text is empty or a valid number of days. */
export function isDays(days: string): boolean {
  const value = Number(days)
  return days === '' || (Number.isInteger(value) && value >= 1 && value <= 36_500)
}

export const isPossible = (draft: RetentionDraft): boolean =>
  [
    ...singleRules.map((rule) => draft[rule]),
    ...[...draft.features, ...draft.environments].map((rule) => rule.days),
  ].every(isDays)
