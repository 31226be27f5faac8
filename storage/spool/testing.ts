import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import {
  type FileSpool,
  type FileSpoolOptions,
  openFileSpool,
  readSegment,
  type SegmentDamage,
} from './index.ts'

/** An empty folder that is deleted after the test. */
export function temporaryFolder(test: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-'))
  test.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** A spool with ample quotas, and the damage reported while opening. */
export async function openTestSpool(
  folder: string,
  options: Partial<FileSpoolOptions> = {},
): Promise<{ spool: FileSpool; damages: SegmentDamage[] }> {
  const damages: SegmentDamage[] = []
  const spool = await openFileSpool({
    folder,
    bytesMax: 2 ** 30,
    recordsMax: 1_000_000,
    segmentBytesMax: 2 ** 20,
    onDamage: (damage) => damages.push(damage),
    ...options,
  })
  return { spool, damages }
}

/** The ids in every segment file of a folder, in the order in which they are drained. */
export function idsIn(folder: string): string[] {
  return readdirSync(folder)
    .sort()
    .flatMap((name) => readSegment({ path: join(folder, name) }).records.map(({ id }) => id))
}
