import assert from 'node:assert/strict'
import { test } from 'node:test'
import { seededRandom } from '../../server/src/statistics/seeded-random.ts'
import { measuredSharedSpool } from './costs.ts'
import { simulateSharedSpool } from './simulate-shared-spool.ts'

const writers = 64
const simulate = (nodes: number, recordUs: number, coreShare: number) =>
  simulateSharedSpool({ nodes, writers, recordUs, coreShare, seconds: 5, random: seededRandom(1) })

/** The share of a core with which one node reaches the measured rate. */
function fitCoreShare(recordUs: number, recordsPerSecond: number): number {
  let [low, high] = [0.01, 1]
  for (let step = 0; step < 30; step++) {
    const middle = (low + high) / 2
    if (simulate(1, recordUs, middle).recordsPerSecond < recordsPerSecond) low = middle
    else high = middle
  }
  return low
}

for (const { records, oneNode, threeNodes } of measuredSharedSpool)
  test(`the rate of one node predicts that of three, within a third: ${records}`, (t) => {
    const coreShare = fitCoreShare(oneNode.recordUs, oneNode.recordsPerSecond)
    const simulated = simulate(3, threeNodes.recordUs, coreShare)
    t.diagnostic(
      `${Math.round(coreShare * 100)} % of a core; three nodes: ${Math.round(simulated.recordsPerSecond)} simulated, ${threeNodes.recordsPerSecond} measured`,
    )
    const ratio = simulated.recordsPerSecond / threeNodes.recordsPerSecond
    assert.ok(ratio > 2 / 3 && ratio < 4 / 3, `${ratio}`)
  })

test('on a dedicated machine, PostgreSQL acknowledges in milliseconds, and nodes commit independently', () => {
  const random = seededRandom(1)
  const rested = { writers: 300, recordUs: 100, coreShare: 1, seconds: 5, pauseUs: 100_000, random }
  const [oneNode, threeNodes] = [1, 3].map((nodes) => simulateSharedSpool({ ...rested, nodes }))
  assert.ok(oneNode!.recordsPerSecond > 2800 && threeNodes!.recordsPerSecond > 2800)
  assert.ok(threeNodes!.ackP50Ms < oneNode!.ackP50Ms && oneNode!.ackP50Ms < 6)
  const alone = { nodes: 1, writers: 1, recordUs: 100, coreShare: 1, seconds: 1, random }
  assert.equal(simulateSharedSpool(alone).ackP50Ms, 1.6)
})
