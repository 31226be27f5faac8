/** Segments whose remaining records wait for shards of the trace store that are away. */
import type { Segment, Spool } from '@plumbline/storage/spool'
import type { ShardOutages } from '../../process/shard-outages.ts'

export interface IncompleteSegments {
  /** Notes the shards that a segment waits for, if any. */
  note(segment: Segment, shards: ReadonlySet<number>): void
  /** Whether every shard that a segment waits for is away. */
  waits(segment: Segment, awayShards: ReadonlySet<number>): boolean
  /** Whether there are any segments; another node may have taken some over. */
  any(): boolean
  /** Bytes in the spool that wait for a batch, not for a shard. */
  pendingBytes(): number
}

export function makeIncompleteSegments(
  spool: Pick<Spool, 'sealed' | 'size'>,
  outages: Pick<ShardOutages, 'shards'>,
): IncompleteSegments {
  const shardsOf = new Map<string, ReadonlySet<number>>()
  const waits = ({ id }: Segment, awayShards: ReadonlySet<number>): boolean =>
    shardsOf.get(id)?.isSubsetOf(awayShards) === true

  return {
    note({ id }, shards) {
      if (shards.size > 0) shardsOf.set(id, shards)
      else shardsOf.delete(id)
    },
    waits,
    any() {
      if (shardsOf.size === 0) return false
      const ids = new Set(spool.sealed().map(({ id }) => id))
      for (const id of shardsOf.keys()) if (!ids.has(id)) shardsOf.delete(id)
      return shardsOf.size > 0
    },
    pendingBytes() {
      const { bytes } = spool.size()
      if (shardsOf.size === 0) return bytes
      return spool
        .sealed()
        .filter((segment) => waits(segment, outages.shards))
        .reduce((rest, segment) => rest - segment.bytes, bytes)
    },
  }
}
