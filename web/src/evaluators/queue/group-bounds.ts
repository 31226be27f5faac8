import type { Connection } from '@plumbline/sdk'
import { formatMoney } from '../../ui/text/format.ts'

/** The default concurrency of a connection. */
const concurrencyByDefault = 8

/** The limits of a connection: its concurrency, and today's spending against the daily limit. */
export function groupBounds({
  concurrencyMax = concurrencyByDefault,
  spendMaxPerDay,
  spentToday,
}: Pick<Connection, 'concurrencyMax' | 'spendMaxPerDay' | 'spentToday'>): string {
  const ofTheDay =
    spendMaxPerDay === undefined
      ? 'no daily limit'
      : `${formatMoney(spentToday)} of ${formatMoney(spendMaxPerDay)} spent today`
  return `${concurrencyMax} at a time, ${ofTheDay}`
}
