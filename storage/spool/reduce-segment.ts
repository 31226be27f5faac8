/** Rewrites a segment file with some of its records; the others are in the trace store. */
import fs from 'node:fs'
import { failureOf } from './errors.ts'
import { markerOf, RECORD_HEADER_BYTES, SEGMENT_HEADER, writeRecord } from './format.ts'
import type { HeldSegment } from './held-segment.ts'
import { readSegment } from './read-segment.ts'

/** The suffix of a file that is not finished. */
export const partialEnding = '.partial'

export async function reduceSegment(segment: HeldSegment, ids: ReadonlySet<string>): Promise<HeldSegment> {
  const marker = markerOf(segment.id)
  const offsets = new Map<string, number>()
  const chunks: Buffer[] = [SEGMENT_HEADER]
  let position = SEGMENT_HEADER.length
  for (const { id, payload } of readSegment({ path: segment.path, bytes: segment.bytes }).records) {
    if (!ids.has(id)) continue
    const record = Buffer.allocUnsafe(RECORD_HEADER_BYTES + Buffer.byteLength(id) + payload.length)
    writeRecord(record, 0, marker, id, [payload])
    offsets.set(id, position)
    chunks.push(record)
    position += record.length
  }
  try {
    await replaceFile(segment.path, Buffer.concat(chunks))
  } catch (cause) {
    throw failureOf(cause)
  }
  return { id: segment.id, path: segment.path, records: offsets.size, bytes: position, offsets }
}

/**
 * Renames synchronously, so that the caller can switch to the new offsets before any other request reads the file. A
 * power loss may undo the rename: the old file is just as good.
 */
async function replaceFile(path: string, bytes: Buffer): Promise<void> {
  const partialPath = path + partialEnding
  try {
    await fs.promises.writeFile(partialPath, bytes, { flush: true })
    fs.renameSync(partialPath, path)
  } catch (error) {
    await fs.promises.rm(partialPath, { force: true }).catch(() => undefined)
    throw error
  }
}
