/** Guards against mixed-up shard addresses: each store records which shard it is. */
import type { Clients } from '../engine/clients.ts'
import { TraceStoreRefused } from '../engine/errors.ts'

/** A place among shards. */
export interface ShardPlace {
  /** From 1. */
  readonly number: number
  readonly shards: number
}

/** Refuses a store that is another shard, and records the place of an empty store. */
export async function claimPlace(clients: Clients, { number, shards }: ShardPlace): Promise<void> {
  const [place] = await clients.read<ShardPlace>('SELECT number, shards FROM shard LIMIT 1', {})
  if (place?.number === number && place.shards === shards) return
  const address = shards === 1 ? 'The store at CLICKHOUSE_URL' : `Address ${number} of CLICKHOUSE_URL`
  if (place !== undefined)
    throw new TraceStoreRefused(
      `${address} is shard ${place.number} of ${place.shards}: CLICKHOUSE_URL must have the addresses of all ${place.shards} shards in their order.`,
    )
  if (shards === 1) return
  const [anyRow] = await clients.read('SELECT 1 FROM traces UNION ALL SELECT 1 FROM spans LIMIT 1', {})
  if (anyRow !== undefined)
    throw new TraceStoreRefused(
      `${address} has the traces of an installation with one shard: the number of shards is chosen before the first trace.`,
    )
  await clients.command(`INSERT INTO shard (number, shards) VALUES (${number}, ${shards})`)
}
