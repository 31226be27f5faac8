/** Keeps records that no store accepts in files, so that no acknowledged record is lost. */
import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type SharedRejections, syncFolder } from '@plumbline/storage/spool'
import type { RejectedRow } from '@plumbline/storage/traces'
import type { PutAside } from '../ledger/ledger.ts'

export interface RefusedRecord {
  /** The table whose row the trace store rejected, or `spool` if the rows could not be built. */
  readonly table: string
  readonly line: number
  readonly error: string
  /** The row's texts by column as JSON, or the spool record in base64. */
  readonly content: string
  /** The workspace and the API key for the ledger; undefined if the record names none. */
  readonly origin: PutAside | undefined
}

export interface RefusedRecords {
  /** Writes the rejected records of one batch; repeating a batch writes the same file. */
  keep(token: string, records: readonly RefusedRecord[]): Promise<void>
  /** Removes the records that `isSelected` selects; returns how many. Damaged lines stay. */
  remove(isSelected: (record: RefusedRecord) => boolean, mode?: 'remove' | 'count'): Promise<number>
  countBatches(): Promise<number>
}

/** A trace's row that the trace store rejected, kept without its content, since the spans remain. */
export const withoutContent = ({ table, row, error }: RejectedRow): RefusedRecord => ({
  table,
  line: row,
  error,
  content: '',
  origin: undefined,
})

/** Keeps rejected records in the shared spool, for all nodes. */
export function makeSharedRefusedRecords(rejections: SharedRejections): RefusedRecords {
  return {
    keep: (token, records) =>
      rejections.keep(
        token,
        records.map((record) => JSON.stringify(record)),
      ),
    async remove(isSelected, mode = 'remove') {
      const selected = (await rejections.list()).filter(({ record }) => isSelectedLine(record, isSelected))
      if (mode === 'remove')
        for (const { batch, position } of selected) await rejections.remove(batch, position)
      return selected.length
    },
    countBatches: () => rejections.countBatches(),
  }
}

/** Keeps rejected records in `folder`, one file per batch. */
export function makeRefusedRecords(folder: string): RefusedRecords {
  return {
    async keep(token, records) {
      if ((await mkdir(folder, { recursive: true })) !== undefined) await syncFolder(dirname(folder))
      const lines = records.map((record) => `${JSON.stringify(record)}\n`)
      await writeDurably(join(folder, `${token}.ndjson`), lines.join(''))
      // Synced first, since the segment that holds the records is removed next.
      await syncFolder(folder)
    },
    async remove(isSelected, mode = 'remove') {
      let removed = 0
      const names = await readdir(folder).catch(ignoreAbsent)
      for (const name of names.filter((file) => file.endsWith('.partial'))) await rm(join(folder, name))
      for (const name of names.filter((file) => file.endsWith('.ndjson'))) {
        const path = join(folder, name)
        const lines = (await readFile(path, 'utf8')).split('\n').filter((line) => line !== '')
        const remaining = lines.filter((line) => !isSelectedLine(line, isSelected))
        if (remaining.length === lines.length) continue
        removed += lines.length - remaining.length
        if (mode === 'count') continue
        if (remaining.length === 0) {
          await rm(path)
          continue
        }
        // A crash leaves either the old file or the new one.
        await writeDurably(`${path}.partial`, remaining.map((line) => `${line}\n`).join(''))
        await rename(`${path}.partial`, path)
      }
      // Erased records must not come back after a power loss.
      if (removed > 0 && mode === 'remove') await syncFolder(folder)
      return removed
    },
    async countBatches() {
      const names = await readdir(folder).catch(ignoreAbsent)
      return names.filter((name) => name.endsWith('.ndjson')).length
    },
  }
}

function isSelectedLine(line: string, isSelected: (record: RefusedRecord) => boolean): boolean {
  try {
    // Safe: only `keep` writes these files.
    return isSelected(JSON.parse(line) as RefusedRecord)
  } catch {
    return false
  }
}

async function writeDurably(path: string, text: string): Promise<void> {
  const file = await open(path, 'w')
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
}

function ignoreAbsent(error: NodeJS.ErrnoException): string[] {
  if (error.code !== 'ENOENT') throw error
  return []
}
