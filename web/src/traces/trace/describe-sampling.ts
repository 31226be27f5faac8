/** Why a trace was sampled for evaluation or not, in a sentence. Pure. */
import type { StoredTrace } from '@plumbline/sdk'
import { formatPercent } from '../../ui/text/format.ts'

type SamplingFacts = Pick<StoredTrace, 'sampled' | 'sampleRate' | 'sampledBy'>

/** Undefined if the trace names no evaluator. */
export function describeSampling({ sampled, sampleRate, sampledBy }: SamplingFacts): string | undefined {
  if (sampleRate === null && sampledBy === null) return undefined
  const outcome = sampled ? 'Sampled for evaluation' : 'Not sampled for evaluation'
  const rate = formatPercent(sampleRate ?? 0)
  switch (sampledBy?.type) {
    case 'experiment':
      return 'Sampled for evaluation, like all experiment traces.'
    case 'trace':
      return `${outcome}: the trace set a rate of ${rate}.`
    case 'evaluator':
      return `${outcome}: the rate of ${sampledBy.evaluatorSlug ?? 'its evaluator'} is ${rate}.`
    case 'client':
      return `${outcome}: decided by the OpenTelemetry client.`
    case 'default':
      return `${outcome}: the default rate is ${rate}, because no evaluator matches the names it lists.`
    default:
      return `${outcome}: the rate is ${rate}.`
  }
}
