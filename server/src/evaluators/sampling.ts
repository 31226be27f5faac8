import { invalid, type operations, type SamplingGroup, ServiceError } from '@plumbline/contract'
import type { SamplingGroup as StoredGroup } from '@plumbline/storage/traces'
import { wilsonInterval, z999 } from '../statistics/wilson.ts'
import { readInstant } from '../traces/filters.ts'
import { readSampledBy } from '../traces/view.ts'
import type { Verb } from '../verb.ts'

const weekUs = 7n * 86_400_000_000n

/** How many traces were drawn for an evaluator, beside the rates that were meant. */
export const sampling: Verb<typeof operations.evaluators.sampling> = async (
  { slug, from, to },
  { workspace, now },
) => {
  const [found] = await workspace.evaluators.findMany([slug])
  if (found === undefined) throw new ServiceError('evaluator_not_found', { slug })
  const nowUs = BigInt(now.getTime()) * 1000n
  const fromUs = readInstant(from, 'from') ?? nowUs - weekUs
  // Clocks of clients may be ahead.
  const toUs = readInstant(to, 'to') ?? nowUs + weekUs
  if (fromUs > toUs) throw invalid('from', 'must not be after to')
  const groups = await workspace.traces.sampling(slug, { fromUs, toUs })
  return {
    eligible: groups.reduce((sum, { eligible }) => sum + eligible, 0),
    drawn: groups.reduce((sum, { drawn }) => sum + drawn, 0),
    groups: groups.map(toGroup),
  }
}

function toGroup({ rate: stored, sampledBy: by, eligible, drawn }: StoredGroup): SamplingGroup {
  const sampledBy = readSampledBy(by)
  // Where the client has drawn, no rate of ours did.
  const rate = sampledBy?.type === 'client' ? null : stored
  const { low, high } = wilsonInterval(drawn, eligible, z999) ?? { low: 0, high: 1 }
  const isAsExpected = rate === null ? null : low <= rate && rate <= high
  return { sampledBy, rate, eligible, drawn, share: drawn / eligible, low, high, isAsExpected }
}
