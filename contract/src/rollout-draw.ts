/**
 * Who is served the candidate of a rollout. The service and its client ask this same function, so that both say the
 * same, on every node and in every process: it depends on nothing but what it is given.
 */
import { sha256 } from './sha256.ts'

/** What a rollout is drawn by. */
export interface DrawnRollout {
  readonly id: string
  /** 0 to 1. */
  readonly share: number
}

const drawBits = 48

/**
 * Where a key stands in a rollout, evenly from 0 to below 1. The id of the rollout is hashed with it, so that each
 * rollout draws others and the same few do not try out everything.
 */
export function draw(rolloutId: string, targetingKey: string): number {
  const [first = 0, second = 0] = sha256(new TextEncoder().encode(`${rolloutId}:${targetingKey}`))
  return (first * 2 ** (drawBits - 32) + (second >>> (64 - drawBits))) / 2 ** drawBits
}

/** Whether a key is served the candidate. A share that grows takes others in and sends nobody back. */
export const isInShare = ({ id, share }: DrawnRollout, targetingKey: string): boolean =>
  share > 0 && (share >= 1 || draw(id, targetingKey) < share)
