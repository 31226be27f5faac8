/** Why evaluators judge a trace or do not, in a sentence. Pure. */
import type { StoredTrace } from '@plumbline/sdk'
import { formatPercent } from '../../ui/format.ts'

type Drawn = Pick<StoredTrace, 'sampled' | 'sampleRate' | 'sampledBy'>

/** Undefined where the trace refers to nothing that could judge it. */
export function samplingWords({ sampled, sampleRate, sampledBy }: Drawn): string | undefined {
  if (sampleRate === null && sampledBy === null) return undefined
  const outcome = sampled ? 'Drawn to be judged' : 'Not drawn to be judged'
  const share = sampleRate === null ? '' : `${formatPercent(sampleRate)} of traces are`
  switch (sampledBy?.type) {
    case 'experiment':
      return 'Drawn to be judged: traces of experiments always are.'
    case 'trace':
      return `${outcome}: it asked for a rate of ${formatPercent(sampleRate ?? 0)} itself.`
    case 'evaluator':
      return `${outcome}: ${share}, by the rate of ${sampledBy.evaluatorSlug ?? 'its evaluator'}.`
    case 'client':
      return `${outcome}: the client of OpenTelemetry decided by itself.`
    case 'default':
      return `${outcome}: ${share}, since no evaluator here has a name that it refers to.`
    default:
      return `${outcome}: ${share} drawn.`
  }
}
