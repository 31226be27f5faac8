import fs from 'node:fs'
import path from 'node:path'
import { segmentIdOf } from './format.ts'
import type { HeldSegment } from './held-segment.ts'
import { readSegment } from './read-segment.ts'
import { syncFolder } from './segment-file.ts'

/** What a start found wrong with a segment. */
export interface SegmentDamage {
  readonly path: string
  /** Records that were acknowledged and are lost, or whose write was under way when the power went. */
  readonly damagedRecords: number
  /** Bytes of a write that was cut short, which have been removed. Such a write was never acknowledged. */
  readonly tornBytes: number
}

/** What the last process left, oldest first, each file cut back to its whole records. */
export async function recoverSegments(
  folder: string,
  onDamage: (damage: SegmentDamage) => void,
): Promise<HeldSegment[]> {
  await fs.promises.mkdir(folder, { recursive: true })
  await syncFolder(path.dirname(path.resolve(folder)))
  const segments: HeldSegment[] = []
  for (const name of (await fs.promises.readdir(folder)).sort()) {
    const id = segmentIdOf(name)
    if (id === undefined) continue
    const segment = await recoverSegment(id, path.join(folder, name), onDamage)
    if (segment !== undefined) segments.push(segment)
  }
  return segments
}

async function recoverSegment(
  id: string,
  file: string,
  onDamage: (damage: SegmentDamage) => void,
): Promise<HeldSegment | undefined> {
  const { records, offsets, damagedRecords, wholeBytes, tornBytes } = readSegment({ path: file })
  if (damagedRecords > 0 || tornBytes > 0) onDamage({ path: file, damagedRecords, tornBytes })
  if (records.length === 0) {
    await fs.promises.unlink(file)
    return undefined
  }
  await cutAndSync(file, wholeBytes)
  return {
    id,
    path: file,
    records: records.length,
    bytes: wholeBytes,
    offsets: new Map(records.map((record, at) => [record.id, offsets[at]!])),
  }
}

/** Syncs even an undamaged file: what a killed process wrote last may be in the page cache only. */
async function cutAndSync(file: string, bytes: number): Promise<void> {
  const handle = await fs.promises.open(file, 'r+')
  try {
    await handle.truncate(bytes)
    await handle.datasync()
  } finally {
    await handle.close()
  }
}
