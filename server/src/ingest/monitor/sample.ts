/** Decides which traces are evaluated. */
import { hash } from 'node:crypto'
import { defaultSampleRate } from '@plumbline/contract/sample-rate'

interface SamplingInput {
  /** From the trace's `evaluationConfig`. */
  readonly sampleRate: number | undefined
  /** Default rates of the existing evaluators that the trace and its logs refer to. */
  readonly evaluatorRates: readonly (readonly [slug: string, rate: number])[]
  readonly isInExperiment: boolean
  /** Whether the trace or a log refers to any evaluator, known or not. */
  readonly hasReferences: boolean
}

/** The sampling rate of a trace and its source, as stored with the trace. */
export interface Sampling {
  readonly sampleRate: number | null
  readonly sampledBy: string | null
}

/** 1 in an experiment, else the trace's own rate, else the highest rate of its evaluators. */
export function samplingOf({
  sampleRate,
  evaluatorRates,
  isInExperiment,
  hasReferences,
}: SamplingInput): Sampling {
  if (isInExperiment) return { sampleRate: 1, sampledBy: 'experiment' }
  if (sampleRate !== undefined) return { sampleRate, sampledBy: 'trace' }
  const highest = evaluatorRates.reduce<readonly [string, number] | undefined>(
    (most, entry) => (most === undefined || entry[1] > most[1] ? entry : most),
    undefined,
  )
  if (highest !== undefined) return { sampleRate: highest[1], sampledBy: `evaluator:${highest[0]}` }
  return hasReferences
    ? { sampleRate: defaultSampleRate, sampledBy: 'default' }
    : { sampleRate: null, sampledBy: null }
}

const sampledBits = 48

/**
 * Whether a trace is sampled. It depends on the id alone, so that every node decides the same. The id is hashed because
 * a UUIDv7 starts with the time; 48 bits of the hash are uniform enough for any rate.
 */
export function isSampled(traceId: string, rate: number | null): boolean {
  if (rate === null || rate <= 0) return false
  if (rate >= 1) return true
  return Number.parseInt(hash('sha256', traceId).slice(0, sampledBits / 4), 16) / 2 ** sampledBits < rate
}
