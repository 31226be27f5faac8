import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { operations } from '@plumbline/contract'
import { bundledTables } from '@plumbline/storage/control'
import { readFileKey } from '../../datasets/files/file-key.ts'
import { FileBytes } from '../../requests/responses.ts'
import type { Verb } from '../../requests/verb.ts'
import { inPieces } from '../../table-files/pieces.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { type BundleLine, bundleVersion, Seal } from './bundle.ts'
import { writeTraceLine } from './trace-line.ts'

/** The whole workspace, line by line as it is read; exported as `export`. */
const write: Verb<typeof operations.exchange.export> = async (_input, { workspace, now }) => {
  // Everything acknowledged before the export began is included.
  await workspace.settle()
  const name = `plumbline-${now.toISOString().slice(0, 10)}.ndjson`
  const pieces = inPieces(sealLines(linesOf(workspace, now)))
  return new FileBytes(Readable.from(pieces, { objectMode: false }), 'application/x-ndjson', name)
}

export { write as export }

async function* linesOf(workspace: Workspace, now: Date): AsyncGenerator<string> {
  yield json({ type: 'bundle', version: bundleVersion, exportedAt: now.toISOString() })
  for (const table of Object.keys(bundledTables)) {
    for await (const row of workspace.bundle.rowsOf(table)) {
      yield json({ type: 'row', table, row })
      // Uploads to a bucket were once not reported, so that files without an upload time may exist.
      if (table !== 'files') continue
      const fileKey = readFileKey(row.file_key)
      const bytes = fileKey && (await workspace.fileStore.read(fileKey))
      if (fileKey === undefined || bytes === undefined) continue
      yield json({ type: 'file', fileKey, base64: (await buffer(bytes)).toString('base64') })
    }
  }
  for await (const trace of workspace.traces.walk({})) yield writeTraceLine(trace)
}

const json = (line: BundleLine): string => JSON.stringify(line)

async function* sealLines(lines: AsyncIterable<string>): AsyncGenerator<string> {
  const seal = new Seal()
  for await (const line of lines) {
    seal.add(line)
    yield `${line}\n`
  }
  yield `${json(seal.end())}\n`
}
