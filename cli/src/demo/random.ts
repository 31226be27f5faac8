/** Random numbers that depend only on their seeds, and are the same on every machine. */
import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64'
import { uniformInt } from 'pure-rand/distribution/uniformInt'
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus'

export interface Random {
  /** From 0, inclusive, to 1, exclusive. */
  float(): number
  /** Both ends included. */
  int(min: number, max: number): number
  chance(probability: number): boolean
  pick<Item>(items: readonly Item[]): Item
  /** A random item with a probability in proportion to its weight. */
  weighted<Item extends { readonly weight: number }>(items: readonly Item[]): Item
  /** Log-normal: the median, and how far the tail reaches (0.3 is calm, 0.8 is wild). */
  around(median: number, spread: number): number
  hex(digits: number): string
}

/** A generator for a list of seeds; another last seed gives an independent one. */
export function makeRandom(...seeds: readonly number[]): Random {
  const generator = xoroshiro128plus(mixSeeds(seeds))
  const float = (): number => uniformFloat64(generator)
  const int = (min: number, max: number): number => uniformInt(generator, min, max)
  return {
    float,
    int,
    chance: (probability) => float() < probability,
    // Safe: the index is inside the list, and no list here is empty.
    pick: <Item>(items: readonly Item[]) => items[int(0, items.length - 1)] as Item,
    weighted: (items) => {
      let remaining = float() * items.reduce((sum, { weight }) => sum + weight, 0)
      for (const item of items) {
        remaining -= item.weight
        if (remaining < 0) return item
      }
      return items[items.length - 1]!
    },
    around: (median, spread) =>
      median * Math.exp(spread * Math.sqrt(-2 * Math.log(1 - float())) * Math.cos(2 * Math.PI * float())),
    hex: (digits) => Array.from({ length: digits }, () => int(0, 15).toString(16)).join(''),
  }
}

/** One 32-bit seed from several: each bit of each changes about half of its bits. */
const mixSeeds = (seeds: readonly number[]): number =>
  seeds.reduce((state, seed) => {
    let bits = Math.imul(state ^ seed, 0x9e3779b1)
    bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b)
    return bits ^ (bits >>> 13)
  }, 0x2545f491)
