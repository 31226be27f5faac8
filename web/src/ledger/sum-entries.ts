/** Sums over ledger entries. Pure. */
import type { LedgerEntry } from '@plumbline/sdk'
import { bucketStart, bucketStarts } from '@plumbline/sdk/time-buckets'

export const counted = ['received', 'stored', 'deduplicated', 'rejected', 'sampled', 'sampledOut'] as const
export type CountName = (typeof counted)[number]
export type Sums = Readonly<Record<CountName, number>>

const zero: Sums = { received: 0, stored: 0, deduplicated: 0, rejected: 0, sampled: 0, sampledOut: 0 }

export const sumOf = (entries: readonly LedgerEntry[]): Sums =>
  entries.reduce<Sums>((sums, entry) => mapCounted((name) => sums[name] + entry[name]), zero)

const mapCounted = (value: (name: CountName) => number): Sums => {
  const sums = { ...zero }
  for (const name of counted) sums[name] = value(name)
  return sums
}

const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** The hours that a range overlaps: records are counted by hour, identified by its start. */
export const hoursOf = ({ from, to }: { readonly from: Date; readonly to: Date | undefined }) => ({
  from: new Date(Math.floor(from.getTime() / hourMs) * hourMs),
  to: to && new Date(Math.ceil(to.getTime() / hourMs) * hourMs),
})

export interface Bucket {
  readonly time: Date
  readonly sums: Sums
}

/**
 * The sums by hour, or by day if the range is longer than four days; hours without records are zero. Records are
 * counted by UTC hour, and each hour belongs to the local day in which it starts.
 */
export function bucketsOf(
  entries: readonly LedgerEntry[],
  start: Date,
  end: Date,
  timeZone: string,
): readonly Bucket[] {
  const areDays = end.getTime() - start.getTime() > 4 * dayMs
  const [stepMs, zone] = areDays ? [dayMs, timeZone] : [hourMs, 'UTC']
  const byStart = Map.groupBy(entries, ({ hour }) => bucketStart(Date.parse(hour), stepMs, zone))
  return bucketStarts(start, end, stepMs, zone).map((time) => ({
    time,
    sums: sumOf(byStart.get(time.getTime()) ?? []),
  }))
}

export interface Reason {
  readonly reason: string
  readonly count: number
  readonly lastAt: string
  readonly lastSample: string
}

/** Why records were rejected, the most frequent first, with the latest sample of each reason. */
export function reasonsOf(entries: readonly LedgerEntry[]): readonly Reason[] {
  const reasons = new Map<string, Reason>()
  for (const rejection of entries.flatMap((entry) => entry.reasons)) {
    const previous = reasons.get(rejection.reason)
    const latest = previous === undefined || rejection.lastAt > previous.lastAt ? rejection : previous
    reasons.set(rejection.reason, { ...latest, count: (previous?.count ?? 0) + rejection.count })
  }
  return [...reasons.values()].sort((a, b) => b.count - a.count)
}
