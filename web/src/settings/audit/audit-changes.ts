/** The contents of an audit entry: the changed fields and their labels. */
import type { AuditEntry, AuditOutcome } from '@plumbline/sdk'

export interface AuditChange {
  readonly field: string
  /** Undefined if there was none. */
  readonly before: string | undefined
  readonly after: string | undefined
}

/** The fields that differ; for creations and deletions, all fields with a value. */
export function changesOf({ before, after }: Pick<AuditEntry, 'before' | 'after'>): AuditChange[] {
  const isUpdate = before !== undefined && after !== undefined
  const fields = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])]
  return fields
    .map((field) => ({ field, before: textOf(before?.[field]), after: textOf(after?.[field]) }))
    .filter((change) => change.before !== change.after)
    .map((change) => (isUpdate ? { before: nothing, after: nothing, ...withoutUndefined(change) } : change))
}

/** Shown for a setting that is absent before or after a change. */
const nothing = 'none'

const withoutUndefined = ({ field, before, after }: AuditChange) => ({
  field,
  ...(before === undefined ? {} : { before }),
  ...(after === undefined ? {} : { after }),
})

function textOf(value: unknown): string | undefined {
  if (value === undefined || value === null || value === '') return undefined
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** The name of an entry's subject, if its settings include it: the new name after a rename. */
export const nameIn = ({ before, after }: Pick<AuditEntry, 'before' | 'after'>): string | undefined =>
  textOf(after?.name) ?? textOf(before?.name)

/** Every outcome, for the filter; an outcome missing from the contract does not compile. */
export const outcomes = [
  'done',
  'refused',
  'failed',
  'interrupted',
] as const satisfies readonly AuditOutcome[]

/** The periods that the list can be narrowed to, in hours. */
const periods = { day: 24, week: 168, month: 720 } as const
export type Period = keyof typeof periods

/** The start of a period, to the minute, so that renders do not request the list again. */
export const periodStart = (period: Period, now: Date): string =>
  new Date(Math.floor(now.getTime() / 60_000) * 60_000 - periods[period] * 3_600_000).toISOString()
