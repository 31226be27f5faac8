import type { Channel } from '@plumbline/contract'
import type { Channel as StoredChannel } from '@plumbline/storage/control'

/** A channel as the interface shows it: never with its address or secret. */
export const toChannel = (stored: StoredChannel): Channel => ({
  id: stored.id,
  name: stored.name,
  // Safe: the contract's schema let only these in.
  type: stored.type as Channel['type'],
  target: stored.target,
  isEnabled: stored.disabledAt === undefined,
  problem: stored.problem ?? null,
  alerts: stored.alerts,
  // Safe: as above.
  events: stored.events as Channel['events'],
  createdAt: stored.createdAt.toISOString(),
})
