import { Readable } from 'node:stream'
import type { operations } from '@plumbline/contract'
import type { AuditFilters } from '@plumbline/storage/control'
import { FileBytes } from '../../requests/responses.ts'
import type { Verb } from '../../requests/verb.ts'
import { inPieces } from '../../table-files/pieces.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { readAuditFilters, toAuditEntry } from './view.ts'

const pageSize = 500

/** All entries that match, a page at a time; exported as `export`. */
const write: Verb<typeof operations.audit.export> = async (input, { workspace, now }) => {
  const filters = readAuditFilters(input)
  // What is written while it is read, the entry about this request among it, is not part of it.
  const lines = linesOf(workspace, { ...filters, to: filters.to ?? now })
  const file = Readable.from(inPieces(lines), { objectMode: false })
  return new FileBytes(file, 'application/x-ndjson', `audit-${now.toISOString().slice(0, 10)}.jsonl`)
}

export { write as export }

async function* linesOf({ auditEntries }: Workspace, filters: AuditFilters): AsyncGenerator<string> {
  let page = await auditEntries.list({ ...filters, limit: pageSize })
  for (;;) {
    for (const entry of page.items) yield `${JSON.stringify(toAuditEntry(entry))}\n`
    if (page.next === undefined) return
    page = await auditEntries.list({ ...filters, limit: pageSize, after: page.next })
  }
}
