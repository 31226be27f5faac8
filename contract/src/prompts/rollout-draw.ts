/**
 * Decides who gets the candidate of a rollout. The service and its client share this pure function, so that they agree on
 * every node and in every process.
 */
import { sha256 } from '@noble/hashes/sha2.js'

/** What the decision depends on. */
export interface DrawnRollout {
  readonly id: string
  /** 0 to 1. */
  readonly share: number
}

const drawBytes = 6

/**
 * The position of a key in a rollout, uniform from 0 to below 1. The rollout id is part of the hash, so that each rollout
 * selects other users and the same few do not get every candidate.
 */
export function draw(rolloutId: string, targetingKey: string): number {
  const digest = sha256(new TextEncoder().encode(`${rolloutId}:${targetingKey}`))
  // Each byte is a base-256 digit of the fraction; 48 bits are exact in a double.
  return digest.subarray(0, drawBytes).reduceRight((fraction, byte) => (fraction + byte) / 256, 0)
}

/** Whether a key gets the candidate. A growing share adds keys and never removes one. */
export const isInShare = ({ id, share }: DrawnRollout, targetingKey: string): boolean =>
  share > 0 && (share >= 1 || draw(id, targetingKey) < share)
