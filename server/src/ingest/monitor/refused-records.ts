/** Keeps records in files that no store accepts, so that nothing acknowledged is lost. */
import { mkdir, open } from 'node:fs/promises'
import { join } from 'node:path'
import type { PutAside } from '../ledger/ledger.ts'

export interface RefusedRecord {
  /** The table of the trace store that rejected it, or `spool` if its rows could not be built. */
  readonly table: string
  readonly line: number
  readonly error: string
  /** The NDJSON line, or the spool's record in base64. */
  readonly content: string
  /** The workspace and the API key for the ledger; undefined if the record does not have them. */
  readonly origin: PutAside | undefined
}

export interface RefusedRecords {
  /** Writes the rejected records of one batch; a repeated batch writes the same file. */
  keep(token: string, records: readonly RefusedRecord[]): Promise<void>
}

/** Keeps rejected records in `folder`, one file per batch. */
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
