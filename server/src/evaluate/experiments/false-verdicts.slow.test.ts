/** How often a comparison of experiments is wrong by chance, and how often it detects a real difference. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { intervalOfMean } from '../../statistics/paired.ts'
import { seededRandom } from '../../statistics/seeded-random.ts'
import { compareMeasures } from './compare-measures.ts'
import type { Cell } from './comparison.ts'

const runs = 3000
const plan = { ids: ['baseline', 'candidate'], baselineId: 'baseline', lowerIsBetter: new Set<string>() }

type Random = () => number
const normal = (random: Random): number =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())

/** One value of each measure: ratings, costs and durations with long tails, and answers that are right or wrong. */
const draws: Readonly<Record<string, (random: Random) => number>> = {
  'score.quality': normal,
  'score.tone': (random) => Math.round(3 + normal(random)),
  'score.right': (random) => (random() < 0.8 ? 1 : 0),
  'score.safe': (random) => (random() < 0.97 ? 1 : 0),
  cost: (random) => 0.01 * Math.exp(normal(random)),
  durationMs: (random) => 900 * Math.exp(1.5 * normal(random)),
  tokens: (random) => Math.round(500 * Math.exp(0.5 * normal(random))),
}
const names = Object.keys(draws)

const cellOf = (experimentId: string, random: Random, shift = 0): Cell => ({
  experimentId,
  traceIds: ['trace'],
  errors: 0,
  values: Object.fromEntries(
    names.map((name) => [name, draws[name]!(random) + (name === 'score.quality' ? shift : 0)]),
  ),
  spreads: {},
  categories: {},
  deltas: {},
  latest: undefined,
})

function compareAtRandom(random: Random, count: number, shift = 0) {
  const cases = Array.from({ length: count }, () => [
    cellOf('baseline', random),
    cellOf('candidate', random, shift),
  ])
  return compareMeasures(names, cases, plan).map(({ name, experiments }) => ({ name, ...experiments[1]! }))
}

describe('the verdicts of a comparison', () => {
  for (const count of [2, 3, 5, 10, 20, 50])
    it(`of two equal experiments with ${count} cases and 7 measures are all "unclear" in 95 % of comparisons`, (t) => {
      const random = seededRandom(count)
      let wrong = 0
      for (let run = 0; run < runs; run++)
        if (compareAtRandom(random, count).some(({ verdict }) => verdict === 'better' || verdict === 'worse'))
          wrong += 1
      t.diagnostic(
        `${count} cases: ${((100 * wrong) / runs).toFixed(1)} % of ${runs} comparisons have a false verdict`,
      )
      assert.ok(wrong / runs <= 0.05, `${wrong} of ${runs}`)
    })

  it('detect a difference of the size that they call detectable in about 80 % of comparisons', (t) => {
    const random = seededRandom(80)
    // The differences of two normal values have a standard deviation of the square root of 2.
    const size = compareAtRandom(random, 2000).find(({ name }) => name === 'score.quality')!.detectable!
    const shift = size * Math.sqrt(2000 / 30)
    let hits = 0
    for (let run = 0; run < runs; run++)
      if (compareAtRandom(random, 30, shift)[0]!.verdict === 'better') hits += 1
    t.diagnostic(`${((100 * hits) / runs).toFixed(1)} % of ${runs} comparisons find it`)
    assert.ok(hits / runs > 0.72 && hits / runs < 0.92, `${hits} of ${runs}`)
  })
})

describe('the interval of a mean difference', () => {
  for (const count of [3, 5, 10, 20, 50])
    it(`contains the true difference in about 95 % of samples of ${count} pairs`, (t) => {
      const random = seededRandom(1000 + count)
      for (const name of ['score.quality', 'cost'] as const) {
        let coverage = 0
        for (let run = 0; run < 2000; run++) {
          const differences = Array.from({ length: count }, () => draws[name]!(random) - draws[name]!(random))
          const interval = intervalOfMean(differences)
          if (interval !== undefined && interval.low <= 0 && interval.high >= 0) coverage += 1
        }
        t.diagnostic(`${name}, ${count} pairs: ${(coverage / 20).toFixed(1)} %`)
        assert.ok(coverage / 2000 > 0.935, `${name}: ${coverage} of 2000`)
      }
    })
})
