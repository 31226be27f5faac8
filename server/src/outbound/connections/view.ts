import type { Connection } from '@plumbline/contract'
import type { SpendingConnection } from '@plumbline/storage/control'

/** A connection in the form of the API, never with its key. */
export const toConnection = (row: SpendingConnection): Connection => {
  const { id, name, provider, baseUrl, region, models, keyEnd, concurrencyMax, spendMaxPerDay } = row
  return {
    id,
    name,
    // Safe: the contract's schema accepts only these.
    provider: provider as Connection['provider'],
    ...(baseUrl === undefined ? {} : { baseUrl }),
    ...(region === undefined ? {} : { region }),
    models: [...models],
    ...(keyEnd === undefined ? {} : { keyEnd }),
    ...(concurrencyMax === undefined ? {} : { concurrencyMax }),
    ...(spendMaxPerDay === undefined ? {} : { spendMaxPerDay }),
    spentToday: row.spentToday,
    createdAt: row.createdAt.toISOString(),
  }
}

/** Enough to tell keys apart; nothing of a short key. */
export const endOf = (key: string): string => (key.length < 12 ? '····' : key.slice(-4))
