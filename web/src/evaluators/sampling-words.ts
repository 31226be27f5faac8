/** What decided whether traces are judged, in words. Pure. */
import type { SamplingGroup } from '@plumbline/sdk'

export function deciderWords(by: SamplingGroup['sampledBy'], slug: string): string {
  switch (by?.type) {
    case 'experiment':
      return 'Traces of experiments, always'
    case 'trace':
      return 'The rate that the traces asked for'
    case 'evaluator':
      return by.evaluatorSlug === slug
        ? 'The rate of this evaluator'
        : `The rate of ${by.evaluatorSlug ?? 'another evaluator'}, which is higher`
    case 'client':
      return 'The clients of OpenTelemetry'
    case 'default':
      return 'The default rate, before it was made'
    default:
      return 'Not recorded'
  }
}
