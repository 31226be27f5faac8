/** Integers from 0 to below `max`, the same ones for the same seed, so that a failure can be reproduced. */
export function numbersFrom(seed: number): (max: number) => number {
  let state = seed
  return (max) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
    return (state >> 8) % max
  }
}
