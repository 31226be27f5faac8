import { Readable } from 'node:stream'
import type { operations } from '@plumbline/contract'
import { FileBytes } from '../../requests/responses.ts'
import type { Verb } from '../../requests/verb.ts'
import { inPieces } from '../../table-files/pieces.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { readAuditFilters, toAuditEntry } from './view.ts'

const pageSize = 500

/** All matching entries, page by page; exported as `export`. */
const write: Verb<typeof operations.audit.export> = async (input, { workspace: { auditEntries }, now }) => {
  const query = { ...readAuditFilters(input), limit: pageSize }
  // Read before the entry about this request is written. Later pages are older, so they contain nothing new.
  const newest = await auditEntries.list(query)
  const file = Readable.from(inPieces(linesOf(auditEntries, query, newest)), { objectMode: false })
  return new FileBytes(file, 'application/x-ndjson', `audit-${now.toISOString().slice(0, 10)}.jsonl`)
}

export { write as export }

type AuditEntries = Workspace['auditEntries']

async function* linesOf(
  auditEntries: AuditEntries,
  query: Parameters<AuditEntries['list']>[0],
  newest: Awaited<ReturnType<AuditEntries['list']>>,
): AsyncGenerator<string> {
  for (let page = newest; ; page = await auditEntries.list({ ...query, after: page.next })) {
    for (const entry of page.items) yield `${JSON.stringify(toAuditEntry(entry))}\n`
    if (page.next === undefined) return
  }
}
