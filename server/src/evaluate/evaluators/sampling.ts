import { invalid, type operations, type SamplingGroup, ServiceError } from '@plumbline/contract'
import type { SamplingGroup as StoredGroup } from '@plumbline/storage/traces'
import type { Verb } from '../../requests/verb.ts'
import { wilsonInterval, z999 } from '../../statistics/wilson.ts'
import { readInstant } from '../../traces/filters.ts'
import { readSampledBy } from '../../traces/view.ts'

const weekUs = 7n * 86_400_000_000n

/** How many traces were sampled for an evaluator, compared with the configured rates. */
export const sampling: Verb<typeof operations.evaluators.sampling> = async (
  { slug, from, to },
  { workspace, now },
) => {
  const [evaluator] = await workspace.evaluators.findMany([slug])
  if (evaluator === undefined) throw new ServiceError('evaluator_not_found', { slug })
  const nowUs = BigInt(now.getTime()) * 1000n
  const fromUs = readInstant(from, 'from') ?? nowUs - weekUs
  // Clients' clocks may be ahead.
  const toUs = readInstant(to, 'to') ?? nowUs + weekUs
  if (fromUs > toUs) throw invalid('from', 'must not be after to')
  const groups = await workspace.traces.sampling(slug, {
    fromUs,
    toUs,
    ownRate: evaluator.sampleRate,
  })
  return {
    eligible: groups.reduce((sum, { eligible }) => sum + eligible, 0),
    drawn: groups.reduce((sum, { drawn: sampled }) => sum + sampled, 0),
    groups: groups.map((group) => toGroup(group, evaluator)),
  }
}

function toGroup(
  { rate: tracesRate, sampledBy: storedSampledBy, eligible, drawn: sampled }: StoredGroup,
  { slug, sampleRate }: { readonly slug: string; readonly sampleRate: number },
): SamplingGroup {
  const sampledBy = readSampledBy(storedSampledBy)
  // If the trace was sampled at the rate of another evaluator, this evaluator still judges at its own rate.
  const isOfOther = sampledBy?.type === 'evaluator' && sampledBy.evaluatorSlug !== slug
  const storedRate = isOfOther ? sampleRate : tracesRate
  // Traces sampled by the client have no rate of ours.
  const rate = sampledBy?.type === 'client' ? null : storedRate
  const { low, high } = wilsonInterval(sampled, eligible, z999) ?? { low: 0, high: 1 }
  const isAsExpected = rate === null ? null : low <= rate && rate <= high
  return { sampledBy, rate, eligible, drawn: sampled, share: sampled / eligible, low, high, isAsExpected }
}
