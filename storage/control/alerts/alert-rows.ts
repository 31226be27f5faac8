/** An alert as both the alert queue and its workspace read it. */
import { type AlertRule, type AlertState, alertMeasures } from '@plumbline/contract'

/** The state of an alert and its last measurement. */
export type AlertStatus = {
  state: AlertState
  /** When the alert entered this state. */
  since: Date
  /** While firing: since when the recovery condition has held. */
  recoveringSince: Date | undefined
  /** The state its channels were last notified of. */
  notified: 'ok' | 'firing'
  /** The end of the last evaluated window; undefined before the first evaluation. */
  checkedAt: Date | undefined
  value: number | undefined
  samples: number
  problem: string | undefined
  /** The last values, oldest first; null for a window without a value. */
  recent: readonly (readonly [atMs: number, value: number | null])[]
}

/** An alert rule with its current state. */
export type Alert = {
  id: string
  name: string
  note: string
  rule: AlertRule
  isEnabled: boolean
  mutedUntil: Date | undefined
  createdAt: Date
  status: AlertStatus
}

export type AlertRow = {
  id: string
  name: string
  note: string
  rule: string
  is_enabled: number
  muted_until: number | null
  created_at: number
  state: string | null
  since: number | null
  recovering_since: number | null
  notified: string | null
  checked_at: number | null
  value: number | null
  samples: number | null
  problem: string | null
  recent: string | null
}

/** An alert that was never evaluated has no state row, and counts as ok. */
export const toAlert = (row: AlertRow): Alert => ({
  id: row.id,
  name: row.name,
  note: row.note,
  ...readRule(row),
  mutedUntil: dateOf(row.muted_until),
  createdAt: dateOf(row.created_at) ?? new Date(0),
  status: {
    // Safe: only states are written to this column.
    state: (row.state ?? 'ok') as AlertState,
    since: dateOf(row.since ?? row.created_at) ?? new Date(0),
    recoveringSince: dateOf(row.recovering_since),
    notified: row.notified === 'firing' ? 'firing' : 'ok',
    checkedAt: dateOf(row.checked_at),
    value: row.value ?? undefined,
    samples: row.samples ?? 0,
    problem: row.problem ?? undefined,
    recent: row.recent === null ? [] : (JSON.parse(row.recent) as AlertStatus['recent']),
  },
})

/** Replaces a rule that cannot be parsed: it never fires, and its alert stays disabled until the rule is edited. */
const unreadable: AlertRule = {
  measure: 'traces',
  scoreName: null,
  evaluatorSlug: null,
  filters: {},
  windowMinutes: 1,
  condition: 'below',
  threshold: 0,
  recoveryThreshold: null,
  forMinutes: 0,
  keepFiringForMinutes: 0,
  minimumSamples: 1,
  noData: 'keep',
  delaySeconds: 30,
}

/** Alerts are also imported from untrusted bundles: an invalid rule must not make the whole list fail. */
function readRule({ rule: text, is_enabled }: AlertRow): Pick<Alert, 'rule' | 'isEnabled'> {
  try {
    const rule = { ...unreadable, ...(JSON.parse(text) as Partial<AlertRule>) }
    if (isRule(rule)) return { rule, isEnabled: is_enabled === 1 }
  } catch {
    // Invalid JSON is handled as an invalid rule below.
  }
  return { rule: unreadable, isEnabled: false }
}

const isRule = (rule: AlertRule): boolean =>
  alertMeasures.includes(rule.measure) &&
  (rule.condition === 'above' || rule.condition === 'below') &&
  ['ok', 'keep', 'fire'].includes(rule.noData) &&
  [rule.windowMinutes, rule.forMinutes, rule.keepFiringForMinutes, rule.delaySeconds].every(
    (length) => Number.isInteger(length) && length >= 0 && length <= 10_080,
  ) &&
  rule.windowMinutes > 0 &&
  [rule.threshold, rule.recoveryThreshold ?? 0, rule.minimumSamples].every(Number.isFinite) &&
  [rule.scoreName, rule.evaluatorSlug].every((name) => name === null || typeof name === 'string') &&
  typeof rule.filters === 'object' &&
  rule.filters !== null &&
  Object.values(rule.filters).every((value) => typeof value === 'string')

/** An invalid time reads as absent, so that the alert is still evaluated. */
function dateOf(ms: number | null): Date | undefined {
  const date = ms === null ? undefined : new Date(ms)
  return date === undefined || Number.isNaN(date.getTime()) ? undefined : date
}
