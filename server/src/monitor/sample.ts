/** Which traces are evaluated. */
import { hash } from 'node:crypto'
import { defaultSampleRate } from '@plumbline/contract'

interface Asked {
  /** Of the trace's `evaluationConfig`. */
  readonly sampleRate: number | undefined
  /** Default rates of the evaluators that the trace and its logs refer to and that exist. */
  readonly evaluatorRates: readonly number[]
  readonly isInExperiment: boolean
  /** Whether an evaluator is referred to at all, known or not. */
  readonly hasReferences: boolean
}

/** The rate that decides: an experiment's traces always, else the trace's own, else the highest of its evaluators. */
export function sampleRateOf({
  sampleRate,
  evaluatorRates,
  isInExperiment,
  hasReferences,
}: Asked): number | null {
  if (isInExperiment) return 1
  if (sampleRate !== undefined) return sampleRate
  if (evaluatorRates.length > 0) return Math.max(...evaluatorRates)
  return hasReferences ? defaultSampleRate : null
}

const drawBits = 48

/**
 * The verdict: the same id has the same one on every node, since it depends on nothing else. The id is hashed,
 * because a UUIDv7 begins with the time; its first 48 bits are even enough for any rate.
 */
export function isSampled(traceId: string, rate: number | null): boolean {
  if (rate === null || rate <= 0) return false
  if (rate >= 1) return true
  return Number.parseInt(hash('sha256', traceId).slice(0, drawBits / 4), 16) / 2 ** drawBits < rate
}
