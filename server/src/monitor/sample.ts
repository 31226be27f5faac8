/** Which traces are evaluated. */
import { hash } from 'node:crypto'
import { defaultSampleRate } from '@plumbline/contract'

interface Asked {
  /** Of the trace's `evaluationConfig`. */
  readonly sampleRate: number | undefined
  /** Default rates, by slug, of the evaluators that the trace and its logs refer to and that exist. */
  readonly evaluatorRates: readonly (readonly [slug: string, rate: number])[]
  readonly isInExperiment: boolean
  /** Whether an evaluator is referred to at all, known or not. */
  readonly hasReferences: boolean
}

/** The rate at which a trace is drawn, and what it comes from, as a trace is stored with it. */
export interface Sampling {
  readonly sampleRate: number | null
  readonly sampledBy: string | null
}

/** The rate that decides: an experiment's traces always, else the trace's own, else the highest of its evaluators. */
export function samplingOf({ sampleRate, evaluatorRates, isInExperiment, hasReferences }: Asked): Sampling {
  if (isInExperiment) return { sampleRate: 1, sampledBy: 'experiment' }
  if (sampleRate !== undefined) return { sampleRate, sampledBy: 'trace' }
  const highest = evaluatorRates.reduce<readonly [string, number] | undefined>(
    (most, of) => (most === undefined || of[1] > most[1] ? of : most),
    undefined,
  )
  if (highest !== undefined) return { sampleRate: highest[1], sampledBy: `evaluator:${highest[0]}` }
  return hasReferences
    ? { sampleRate: defaultSampleRate, sampledBy: 'default' }
    : { sampleRate: null, sampledBy: null }
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
