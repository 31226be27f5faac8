/**
 * `node scripts/bench/shared-spool.ts [SECONDS]`: the throughput of the spool in PostgreSQL, for docs/scale.md. Writes
 * 4 KB records from 64 writers on one and three nodes, each of which drains once a second; the database is on the same
 * machine and syncs to its disk. CPU times are more meaningful than rates if other programs use the same cores.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { openSharedSpool, type SharedSpool } from '../../storage/spool/index.ts'
import { startPostgres } from '../test/postgres-for-tests.ts'

const seconds = Number(process.argv[2] ?? 10)
const recordBytes = 4096
const writers = 64
const drainEveryMs = 1000
/** Linux counts the times of `/proc` in hundredths of a second. */
const ticksPerSecond = 100

/** CPU-seconds of a process and its children. */
function cpuSeconds(parentId: number): number {
  let ticks = 0
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    try {
      const text = readFileSync(`/proc/${name}/stat`, 'latin1')
      const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
      if (Number(name) === parentId || Number(fields[1]) === parentId)
        ticks += Number(fields[11]) + Number(fields[12])
    } catch {
      // It ended meanwhile.
    }
  }
  return ticks / ticksPerSecond
}

async function measure(url: string, databasePid: number, nodes: number, hasTags: boolean): Promise<void> {
  const spools = await Promise.all(
    Array.from({ length: nodes }, () =>
      openSharedSpool({ url, bytesMax: 2 ** 40, recordsMax: 2 ** 30, segmentBytesMax: 2 ** 24 }),
    ),
  )
  const ackMs: number[] = []
  let isOver = false
  let next = 0
  const write = async (spool: SharedSpool): Promise<void> => {
    while (!isOver) {
      const startedAt = performance.now()
      const id = `${nodes} ${hasTags} ${next++}`
      const tags = hasTags ? { tags: [`moment ${Date.now()}`], orderedTags: [`spans ${id}`] } : {}
      await spool.append(id, [Buffer.alloc(recordBytes, next & 127)], tags)
      ackMs.push(performance.now() - startedAt)
    }
  }
  const drain = async (spool: SharedSpool): Promise<void> => {
    while (!isOver) {
      await pause(drainEveryMs)
      await spool.seal()
      for (const segment of spool.sealed()) {
        await spool.source(segment)
        await spool.remove(segment)
      }
    }
  }
  const startedAt = performance.now()
  const [databaseCpu, own] = [cpuSeconds(databasePid), process.cpuUsage()]
  const running = [
    ...Array.from({ length: writers }, (_, index) => write(spools[index % nodes]!)),
    ...spools.map(drain),
  ]
  await pause(seconds * 1000)
  isOver = true
  await Promise.all(running)
  const tookSeconds = (performance.now() - startedAt) / 1000
  const { user, system } = process.cpuUsage(own)
  const perRecord = (cpu: number): number => Math.round((cpu * 1e6) / ackMs.length)
  ackMs.sort((a, b) => a - b)
  const percentile = (share: number): string => `${ackMs[Math.floor(ackMs.length * share)]!.toFixed(1)} ms`
  console.log(
    `| ${[nodes, hasTags ? 'spans' : 'traces', Math.round(ackMs.length / tookSeconds), percentile(0.5), percentile(0.99), `${perRecord(cpuSeconds(databasePid) - databaseCpu)} µs`, `${perRecord((user + system) / 1e6)} µs`].join(' | ')} |`,
  )
  await Promise.all(spools.map((spool) => spool.close()))
}

const { url, pid, stop } = await startPostgres({ isDurable: true })
try {
  console.log('| Nodes | Records | Records/s | ack p50 | p99 | CPU of PostgreSQL a record | of the nodes |')
  console.log('|---|---|---|---|---|---|---|')
  for (const nodes of [1, 3]) for (const tagged of [false, true]) await measure(url, pid, nodes, tagged)
} finally {
  await stop()
}
