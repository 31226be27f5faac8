/** `node scripts/scale.ts`: the tables of docs/scale.md. */
import { seededRandom } from '../server/src/statistics/seeded-random.ts'
import { measuredSharedSpool } from './scale/costs.ts'
import { planFor } from './scale/plan.ts'
import { simulateNode, sustainedPerSecond } from './scale/simulate-node.ts'
import { simulateSharedSpool } from './scale/simulate-shared-spool.ts'

const round = (value: number): string => value.toLocaleString('en', { maximumSignificantDigits: 2 })
const print = (cells: readonly (string | number)[]): void => console.log(`| ${cells.join(' | ')} |`)

print(['Offered per second', 'Cores', 'ack p50', 'p99', 'Cores in use', 'Waiting after 60 s'])
for (const cores of [2, 8])
  for (const tracesPerSecond of [100, 500, 2000, 4000, 8000, 16_000]) {
    const random = seededRandom(1)
    const { ackP50Ms, ackP99Ms, cpu, backlog } = simulateNode({ tracesPerSecond, cores, seconds: 60, random })
    print([tracesPerSecond, cores, `${round(ackP50Ms)} ms`, `${round(ackP99Ms)} ms`, cpu.toFixed(2), backlog])
  }
console.log(
  `\nSustained: ${[2, 4, 8, 16].map((cores) => `${cores} cores ${sustainedPerSecond(cores)}`).join(', ')}\n`,
)
print(['Nodes', 'Writers', 'Records/s', 'ack p50', 'Cores, PostgreSQL and nodes'])
for (const [nodes, writers] of [
  [1, 64],
  [3, 64],
  [3, 192],
  [9, 576],
] as const) {
  const { recordUs } = measuredSharedSpool[0].threeNodes
  const load = { nodes, writers, recordUs, coreShare: 1, seconds: 10, random: seededRandom(1) }
  const { recordsPerSecond, ackP50Ms, cpu } = simulateSharedSpool(load)
  print([nodes, writers, round(recordsPerSecond), `${round(ackP50Ms)} ms`, cpu.toFixed(1)])
}
console.log()
print([
  'Logs per day',
  'Traces/s, peak',
  'Cores to accept',
  'Cores to drain',
  'Nodes with 8 cores',
  'TB for 30 days',
  'MB/s in',
])
for (const logsPerDay of [1e7, 1e8, 1e9, 1e10, 1e11]) {
  const plan = planFor(logsPerDay)
  print([
    round(logsPerDay),
    round(plan.peakTracesPerSecond),
    round(plan.acceptCores),
    round(plan.drainCores),
    plan.nodes,
    round(plan.terabytesForThirtyDays),
    round(plan.receivedMegabytesPerSecond),
  ])
}
