import type { Channel } from '@plumbline/contract'
import type { Channel as StoredChannel } from '@plumbline/storage/control'

/** A channel as the interface shows it: never with its address or secret. */
export const toChannel = (row: StoredChannel): Channel => ({
  id: row.id,
  name: row.name,
  // Safe: the contract's schema let only these in.
  type: row.type as Channel['type'],
  target: row.target,
  isEnabled: row.disabledAt === undefined,
  problem: row.problem ?? null,
  alerts: row.alerts,
  // Safe: as above.
  events: row.events as Channel['events'],
  createdAt: row.createdAt.toISOString(),
})
