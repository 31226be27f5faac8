/** Run by the crash tests as a process of its own: appends until it is killed or rejected, and reports each id. */
import { readSegment } from './index.ts'
import { openTestSpool } from './testing.ts'

const [folder = '', prefix = '', refusalsMax = '0'] = process.argv.slice(2)
// Without a reserve: the disk itself refuses what it cannot hold.
const diskSpace = async () => ({ sizeBytes: 2 ** 40, freeBytes: 2 ** 40 })
const { spool } = await openTestSpool(folder, { segmentBytesMax: 100_000, diskSpace })
let appended = 0
let refused = 0

async function write(): Promise<void> {
  while (refused <= Number(refusalsMax)) {
    const id = `${prefix}-${appended++}`
    try {
      await spool.append(id, [Buffer.alloc(1000 + (appended % 7) * 997, id)])
      process.stdout.write(`kept ${id}\n`)
    } catch (error) {
      refused++
      process.stdout.write(`${error instanceof Error ? error.name : ''} ${id}\n`)
    }
  }
}

await Promise.all(Array.from({ length: 8 }, write))
await spool.close()
for (const { id } of spool.sealed().flatMap((segment) => readSegment(segment).records)) {
  process.stdout.write(`sealed ${id}\n`)
}
