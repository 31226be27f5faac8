import fs from 'node:fs'
import path from 'node:path'
import { segmentIdOf } from './format.ts'
import type { HeldSegment } from './held-segment.ts'
import { readSegment } from './read-segment.ts'
import { partialEnding } from './reduce-segment.ts'
import { syncFolder } from './segment-file.ts'
import { spareEnding } from './spare-files.ts'

/** Damage to a segment, found at startup. */
export interface SegmentDamage {
  readonly segmentId: string
  readonly path: string
  /** Acknowledged records that were lost, or records that were being written during a power loss. */
  readonly damagedRecords: number
  /** Removed bytes of an interrupted write, which was never acknowledged. */
  readonly tornBytes: number
}

/** Segments left by the last process, oldest first, each truncated to its intact records. */
export async function recoverSegments(
  folder: string,
  onDamage: (damage: SegmentDamage) => void,
): Promise<HeldSegment[]> {
  await fs.promises.mkdir(folder, { recursive: true })
  await syncFolder(path.dirname(path.resolve(folder)))
  const segments: HeldSegment[] = []
  for (const name of (await fs.promises.readdir(folder)).sort()) {
    const id = segmentIdOf(name)
    if (name.endsWith(partialEnding) || name.endsWith(spareEnding))
      await fs.promises.rm(path.join(folder, name))
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
  if (damagedRecords > 0 || tornBytes > 0) onDamage({ segmentId: id, path: file, damagedRecords, tornBytes })
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
    offsets: new Map(records.map((record, index) => [record.id, offsets[index]!])),
  }
}

/** Syncs even an intact file: the last writes of a killed process may be in the page cache only. */
async function cutAndSync(file: string, bytes: number): Promise<void> {
  const handle = await fs.promises.open(file, 'r+')
  try {
    await handle.truncate(bytes)
    await handle.datasync()
  } finally {
    await handle.close()
  }
}
