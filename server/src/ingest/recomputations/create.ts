import { invalid, type operations, type Timestamp } from '@plumbline/contract'
import { readTimestamp } from '../../json/timestamp.ts'
import type { Verb } from '../../requests/verb.ts'
import type { PriceLists } from '../prices/price-lists.ts'
import type { Recomputing } from './recomputing.ts'
import { toRecomputationView } from './view.ts'

const monthUs = 30n * 86_400_000_000n
const lastUs = BigInt(Date.UTC(2255, 0, 1)) * 1000n

/** Queues a comparison of stored costs with those of a price list. */
export const create =
  (priceLists: PriceLists, recomputation: Recomputing): Verb<typeof operations.recomputations.create> =>
  async ({ from, to, listVersion }, { workspace, caller, now }) => {
    const nowUs = BigInt(now.getTime()) * 1000n
    const toUs = readTime(to, 'to') ?? nowUs
    const fromUs = readTime(from, 'from') ?? nowUs - monthUs
    if (fromUs >= toUs) throw invalid('from', 'must be before to')
    const lists = await priceLists.list()
    const version = listVersion ?? lists.find(({ isInUse }) => isInUse)?.version
    if (version === undefined || !lists.some((list) => list.version === version))
      throw invalid('listVersion', `must be one of ${lists.map((list) => list.version).join(', ')}`)
    const requester = { requestedBy: caller.id, requestedByName: caller.name }
    const storedRecomputation = await workspace.recomputations.create(
      { fromUs, toUs, listVersion: version, ...requester },
      now,
    )
    await recomputation.enqueue(storedRecomputation)
    return { recomputation: toRecomputationView(storedRecomputation) }
  }

function readTime(value: Timestamp | null | undefined, path: string): bigint | undefined {
  if (value == null) return undefined
  const micros = readTimestamp(value)
  if (micros === undefined) throw invalid(path, 'must be an ISO 8601 date-time that exists, or a Unix time')
  // The control store reads microseconds as numbers, which are exact up to this time.
  if (micros < 0n || micros >= lastUs) throw invalid(path, 'must be a time from 1970 to 2254')
  return micros
}
