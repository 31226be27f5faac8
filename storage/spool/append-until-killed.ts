/** Run by the crash tests as a separate process: appends until it is killed or rejected, and reports each id. */
import { setTimeout as pause } from 'node:timers/promises'
import { readSegment } from './index.ts'
import { openTestSpool } from './testing.ts'

const [folder = '', prefix = '', refusalsMax = '0', drains = ''] = process.argv.slice(2)
const isDraining = drains === 'drains'
const segmentBytesMax = isDraining ? 4 * 2 ** 20 : 100_000
// Without a reserve, so that the disk itself fails when it is full.
const diskSpace = async () => ({ sizeBytes: 2 ** 40, freeBytes: 2 ** 40 })
const { spool } = await openTestSpool(folder, { segmentBytesMax, diskSpace })
let appended = 0
/** Large enough that segments fill up and their files are reused. */
const extraBytes = isDraining ? 100_000 : 0
let refused = 0

async function write(): Promise<void> {
  while (refused <= Number(refusalsMax)) {
    const id = `${prefix}-${appended++}`
    try {
      await spool.append(id, [Buffer.alloc(extraBytes + 1000 + (appended % 7) * 997, id)])
      process.stdout.write(`kept ${id}\n`)
    } catch (error) {
      refused++
      process.stdout.write(`${error instanceof Error ? error.name : ''} ${id}\n`)
    }
  }
}

/** Removes segments as soon as they are full, as the drain does under load. */
async function drain(): Promise<void> {
  while (isDraining) {
    for (const segment of spool.sealed()) {
      for (const { id } of readSegment(segment).records) process.stdout.write(`drained ${id}\n`)
      await spool.remove(segment)
    }
    await pause(5)
  }
}

void drain()
await Promise.all(Array.from({ length: 8 }, write))
await spool.close()
for (const { id } of spool.sealed().flatMap((segment) => readSegment(segment).records)) {
  process.stdout.write(`sealed ${id}\n`)
}
