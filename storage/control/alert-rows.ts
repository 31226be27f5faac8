/** An alert as both its books and its workspace see it. */
import { type AlertRule, type AlertState, alertMeasures } from '@plumbline/contract'

/** How an alert stands. */
export type AlertStanding = {
  state: AlertState
  /** Of the state. */
  since: Date
  /** While it fires: since when it would not. */
  recoveringSince: Date | undefined
  /** What its channels were told last. */
  told: 'ok' | 'firing'
  /** The end of the window that was looked at last; undefined before the first look. */
  checkedAt: Date | undefined
  value: number | undefined
  samples: number
  problem: string | undefined
  /** The last values, oldest first: when, and what or null. */
  recent: readonly (readonly [atMs: number, value: number | null])[]
}

/** What people ask to be told of, and how it stands. */
export type Alert = {
  id: string
  name: string
  note: string
  rule: AlertRule
  isEnabled: boolean
  mutedUntil: Date | undefined
  createdAt: Date
  standing: AlertStanding
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
  told: string | null
  checked_at: number | null
  value: number | null
  samples: number | null
  problem: string | null
  recent: string | null
}

/** A row as it is read. One that nobody has looked at yet has no standing, and counts as good. */
export const toAlert = (row: AlertRow): Alert => ({
  id: row.id,
  name: row.name,
  note: row.note,
  ...readRule(row),
  mutedUntil: dateOf(row.muted_until),
  createdAt: dateOf(row.created_at) ?? new Date(0),
  standing: {
    // Safe: only states are written there.
    state: (row.state ?? 'ok') as AlertState,
    since: dateOf(row.since ?? row.created_at) ?? new Date(0),
    recoveringSince: dateOf(row.recovering_since),
    told: row.told === 'firing' ? 'firing' : 'ok',
    checkedAt: dateOf(row.checked_at),
    value: row.value ?? undefined,
    samples: row.samples ?? 0,
    problem: row.problem ?? undefined,
    recent: row.recent === null ? [] : (JSON.parse(row.recent) as AlertStanding['recent']),
  },
})

/** In place of a rule that cannot be read: it never fires, and its alert is disabled until somebody writes another. */
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

/** Alerts also come in bundles, which anybody may have written: one of them must not keep the others from being read. */
function readRule({ rule: text, is_enabled }: AlertRow): Pick<Alert, 'rule' | 'isEnabled'> {
  try {
    const rule = { ...unreadable, ...(JSON.parse(text) as Partial<AlertRule>) }
    if (isRule(rule)) return { rule, isEnabled: is_enabled === 1 }
  } catch {
    // What is no JSON is no rule either.
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

/** A time that is none counts as not there: the alert is watched all the same. */
function dateOf(ms: number | null): Date | undefined {
  const date = ms === null ? undefined : new Date(ms)
  return date === undefined || Number.isNaN(date.getTime()) ? undefined : date
}
