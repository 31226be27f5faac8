/**
 * Who is served the candidate of a rollout. The service and its client ask this same function, so that both say the
 * same, on every node and in every process: it depends on nothing but what it is given.
 */
import { sha256 } from '@noble/hashes/sha2.js'

/** What a rollout is drawn by. */
export interface DrawnRollout {
  readonly id: string
  /** 0 to 1. */
  readonly share: number
}

const drawBytes = 6

/**
 * Where a key stands in a rollout, evenly from 0 to below 1. The id of the rollout is hashed with it, so that each
 * rollout draws others and the same few do not try out everything.
 */
export function draw(rolloutId: string, targetingKey: string): number {
  const digest = sha256(new TextEncoder().encode(`${rolloutId}:${targetingKey}`))
  // Each byte is a digit of a fraction; so many are exact in a double.
  return digest.subarray(0, drawBytes).reduceRight((fraction, byte) => (fraction + byte) / 256, 0)
}

/** Whether a key is served the candidate. A share that grows takes others in and sends nobody back. */
export const isInShare = ({ id, share }: DrawnRollout, targetingKey: string): boolean =>
  share > 0 && (share >= 1 || draw(id, targetingKey) < share)
