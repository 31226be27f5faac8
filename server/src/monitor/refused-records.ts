/** Records that no store can take: kept in files, so that nothing acknowledged is ever thrown away. */
import { mkdir, open } from 'node:fs/promises'
import { join } from 'node:path'
import type { PutAside } from '../ledger/ledger.ts'

export interface RefusedRecord {
  /** Where it was refused: a table of the trace store, or the spool if no rows could be made of it. */
  readonly table: string
  readonly line: number
  readonly error: string
  /** The NDJSON line, or the spool's record in base64. */
  readonly content: string
  /** Whose it was, for the ledger; undefined where the record does not tell. */
  readonly origin: PutAside | undefined
}

export interface RefusedRecords {
  /** Writes the refused records of one batch; a batch that comes again writes the same file. */
  keep(token: string, records: readonly RefusedRecord[]): Promise<void>
}

/** Keeps refused records in `folder`, a file for each batch. */
export function makeRefusedRecords(folder: string): RefusedRecords {
  return {
    async keep(token, records) {
      await mkdir(folder, { recursive: true })
      const file = await open(join(folder, `${token}.ndjson`), 'w')
      try {
        await file.writeFile(records.map((record) => `${JSON.stringify(record)}\n`).join(''))
        await file.sync()
      } finally {
        await file.close()
      }
    },
  }
}
