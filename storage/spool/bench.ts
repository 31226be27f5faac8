/** `node storage/spool/bench.ts [folder]`: the cost of a 4 KB append, by number of concurrent writers. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openFileSpool } from './index.ts'

const RECORD_BYTES = 4096
const RECORDS = 40_000
const WRITERS = [1, 64, 256]

interface Figures {
  readonly recordsPerSecond: number
  readonly cpuUs: number
  readonly loopUs: number
  readonly p50Ms: number
  readonly p99Ms: number
}

/** Appends with concurrent writers, each of which awaits an acknowledgement before the next append. */
async function measure(
  append: (id: string, payload: readonly Uint8Array[]) => Promise<void>,
  writers: number,
  records: number,
): Promise<Figures> {
  const ackMs: number[] = []
  const cpuBefore = process.cpuUsage()
  const loopBefore = performance.eventLoopUtilization()
  const startedAtMs = performance.now()
  let remaining = records
  async function write(): Promise<void> {
    while (remaining-- > 0) {
      const calledAtMs = performance.now()
      // New bytes each time, as in a request, so that none are warm in a cache.
      const body = Buffer.allocUnsafeSlow(RECORD_BYTES - 256).fill(remaining & 127)
      await append(`0190b5a0-0000-7000-8000-${String(remaining).padStart(12, '0')}`, [
        Buffer.alloc(256, 97),
        body,
      ])
      ackMs.push(performance.now() - calledAtMs)
    }
  }
  await Promise.all(Array.from({ length: writers }, write))
  const tookMs = performance.now() - startedAtMs
  const cpu = process.cpuUsage(cpuBefore)
  ackMs.sort((a, b) => a - b)
  return {
    recordsPerSecond: Math.round((records * 1000) / tookMs),
    cpuUs: (cpu.user + cpu.system) / records,
    loopUs: (performance.eventLoopUtilization(loopBefore).active * 1000) / records,
    p50Ms: ackMs[Math.floor(ackMs.length / 2)]!,
    p99Ms: ackMs[Math.floor(ackMs.length * 0.99)]!,
  }
}

if (import.meta.main) {
  for (const isDurable of [true, false]) {
    for (const writers of WRITERS) {
      const folder = mkdtempSync(join(process.argv[2] ?? tmpdir(), 'plumbline-'))
      const spool = await openFileSpool({
        folder,
        bytesMax: 2 ** 40,
        recordsMax: 2 ** 30,
        segmentBytesMax: 2 ** 26,
        onDamage: console.error,
        isDurable,
      })
      const records = isDurable && writers === 1 ? RECORDS / 10 : RECORDS
      await measure((id, payload) => spool.append(id, payload), writers, records / 4)
      console.log({
        isDurable,
        writers,
        ...(await measure((id, payload) => spool.append(id, payload), writers, records)),
      })
      await spool.close()
      rmSync(folder, { recursive: true })
    }
  }
}
