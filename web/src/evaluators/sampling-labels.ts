/** Labels for the reason why a trace is sampled or not. Pure. */
import type { SamplingGroup } from '@plumbline/sdk'

export function deciderLabel(decider: SamplingGroup['sampledBy'], slug: string): string {
  switch (decider?.type) {
    case 'experiment':
      return 'Experiment traces (always)'
    case 'trace':
      return 'Rate set by the trace'
    case 'evaluator':
      return decider.evaluatorSlug === slug
        ? 'Rate of this evaluator'
        : `Rate of ${decider.evaluatorSlug ?? 'another evaluator'} (higher)`
    case 'client':
      return 'OpenTelemetry client'
    case 'default':
      return 'Default rate, before the evaluator existed'
    default:
      return 'Not recorded'
  }
}
