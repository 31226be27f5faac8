import { createHash } from 'node:crypto'
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { invalid, type operations, ServiceError } from '@plumbline/contract'
import { type BundledRow, bundledTables } from '@plumbline/storage/control'
import { parseJsonBytes } from '@plumbline/storage/parse-json-text'
import type { StoredTrace } from '@plumbline/storage/traces'
import { arrivalMs } from '@plumbline/storage/traces/rows'
import type { UploadedFile, Verb } from '../../requests/verb.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { type BundleLine, bundleVersion, Seal } from './bundle.ts'
import { checkRow, reasonOf } from './check-row.ts'
import { ImportProgress } from './import-progress.ts'
import { type BundleLimits, linesOf } from './lines.ts'
import { restoreFile } from './restore-file.ts'
import { readTraceLine } from './trace-line.ts'

/** The limits of a batch, whichever is reached first. */
const batchMax = { lines: 500, bytes: 8 * 1024 * 1024 }

/** Lines that are stored together: rows of one table, or traces that arrived in one month. */
interface Batch {
  readonly what: string
  readonly month: string
  readonly firstLine: number
  readonly lines: { readonly number: number; readonly line: BundleLine }[]
  readonly hash: ReturnType<typeof createHash>
  bytes: number
}

/** Imports a bundle, batch by batch as it arrives; exported as `import` of the interface. */
export const makeImport =
  (limits: BundleLimits): Verb<typeof operations.exchange.import> =>
  async (_input, { workspace, file }) => {
    const counts = new Map<string, { read: number; added: number }>()
    const progress = new ImportProgress()
    let batch: Batch | undefined
    const write = async (): Promise<void> => {
      if (batch === undefined) return
      const { what, lines } = batch
      const count = counts.get(what) ?? { read: 0, added: 0 }
      counts.set(what, count)
      count.added += await writeBatch(batch, workspace, progress)
      count.read += lines.length
      batch = undefined
    }
    try {
      for await (const { number, line, bytes } of checkedLines(file!, limits)) {
        const what = whatOf(line)
        const month = line.type === 'trace' ? monthOf(line.trace) : ''
        const isFull =
          batch !== undefined && (batch.lines.length >= batchMax.lines || batch.bytes >= batchMax.bytes)
        if (batch?.what !== what || batch.month !== month || isFull) await write()
        batch ??= { what, month, firstLine: number, lines: [], hash: createHash('sha256'), bytes: 0 }
        batch.lines.push({ number, line })
        batch.hash.update(bytes).update('\n')
        batch.bytes += bytes.length
      }
      await write()
    } finally {
      // If the bundle breaks off, what was imported before is kept.
      await workspace.bundle.recount(progress.parents())
    }
    const { refusedRows, refusedCount } = progress
    return {
      counts: [...counts].map(([what, count]) => ({ what, ...count })),
      refusedCount,
      refused: refusedRows,
    }
  }

/** Yields the lines between the first and the last, and validates both of these. */
async function* checkedLines(
  file: UploadedFile,
  limits: BundleLimits,
): AsyncGenerator<{ number: number; line: BundleLine; bytes: Buffer }> {
  const seal = new Seal()
  let number = 0
  let isEnded = false
  for await (const bytes of linesOf(plainBytes(file), limits)) {
    number += 1
    if (isEnded) throw invalid(`line ${number}`, 'must not follow the end of the bundle')
    const line = parseLine(bytes, number)
    if ((number === 1) !== (line.type === 'bundle'))
      throw invalid(
        `line ${number}`,
        number === 1 ? 'must be the header of a bundle' : 'begins another bundle',
      )
    if (line.type === 'bundle' && line.version !== bundleVersion)
      throw invalid('line 1.version', `must be ${bundleVersion}; this service reads no other version`)
    if (line.type === 'end') {
      const { lines, sha256 } = seal.end()
      if (line.lines !== lines || line.sha256 !== sha256)
        throw invalid(
          `line ${number}`,
          'does not match the lines before it: the bundle was changed or damaged',
        )
      isEnded = true
      continue
    }
    seal.add(bytes)
    if (line.type !== 'bundle') yield { number, line, bytes }
  }
  if (!isEnded) throw invalid('body', `ends after line ${number} without an end line: the bundle was cut off`)
}

function plainBytes({ mediaType, bytes }: UploadedFile): AsyncIterable<Buffer> {
  if (mediaType !== 'application/gzip') return bytes
  // The consumer gets the errors of both streams.
  return unzip(pipeline(bytes, createGunzip(), () => {}))
}

async function* unzip(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* bytes
  } catch (cause) {
    if (cause instanceof ServiceError) throw cause
    throw invalid('body', 'is not gzip data, or was cut off')
  }
}

function parseLine(bytes: Buffer, number: number): BundleLine {
  let line: unknown
  try {
    line = parseJsonBytes(bytes)
  } catch {
    throw invalid(`line ${number}`, 'must be JSON')
  }
  const { type } = Object(line) as { type?: unknown }
  if (!['bundle', 'row', 'file', 'trace', 'end'].includes(String(type)))
    throw invalid(`line ${number}.type`, 'must be one of bundle, row, file, trace, end')
  // Safe: the contents of a line are checked where they are used.
  return line as BundleLine
}

const whatOf = (line: BundleLine): string =>
  line.type === 'row' ? String(line.table) : line.type === 'trace' ? 'traces' : `bytes of ${line.type}s`

/** A batch within one partition of the trace store is stored completely or not at all. */
function monthOf(trace: object): string {
  const { traceId } = Object(trace) as { traceId?: unknown }
  const ms = typeof traceId === 'string' ? arrivalMs(traceId) : Number.NaN
  return Number.isFinite(ms) ? new Date(ms).toISOString().slice(0, 7) : ''
}

function writeBatch(batch: Batch, workspace: Workspace, progress: ImportProgress): Promise<number> {
  switch (batch.lines[0]!.line.type) {
    case 'row':
      return writeRows(batch, workspace, progress)
    case 'file':
      return writeFiles(batch, workspace, progress)
    default:
      return writeTraces(batch, workspace, progress)
  }
}

async function writeRows(
  { what, lines }: Batch,
  workspace: Workspace,
  progress: ImportProgress,
): Promise<number> {
  const checked: { readonly number: number; readonly row: BundledRow }[] = []
  for (const { number, line } of lines) {
    const row = (line as { row?: unknown }).row
    try {
      if (!Object.hasOwn(bundledTables, what)) throw invalid('table', 'must be a table that this version has')
      if (typeof row !== 'object' || row === null) throw invalid('row', 'must be an object')
      const fields = row as Readonly<Record<string, unknown>>
      progress.checkParents(what, fields)
      checked.push({ number, row: await checkRow(what, fields, workspace) })
      progress.addTaken(what, fields)
    } catch (error) {
      progress.refuse(number, what, reasonOf(error), Object(row))
    }
  }
  if (checked.length === 0) return 0
  const { added, leftOut } = await workspace.bundle.restore(
    what,
    checked.map(({ row }) => row),
  )
  for (const { rowIndex: index, reason, missingParent } of leftOut) {
    const { number, row } = checked[index]!
    // If the parent was in the bundle, an existing row has its place here, which is kept as it is.
    if (missingParent === undefined || !progress.hasTaken(missingParent))
      progress.refuse(number, what, reason, row)
  }
  return added
}

async function writeFiles(
  { what, lines }: Batch,
  workspace: Workspace,
  progress: ImportProgress,
): Promise<number> {
  const restored = await Promise.all(
    lines.map(async ({ number, line }) => {
      try {
        return await restoreFile(line, workspace)
      } catch (error) {
        progress.refuse(number, what, reasonOf(error))
        return 0
      }
    }),
  )
  return restored.reduce((total, value) => total + value, 0)
}

/** Stores traces that are missing here, with the ids that their experiments have here. */
async function writeTraces(
  { what, lines, hash }: Batch,
  workspace: Workspace,
  progress: ImportProgress,
): Promise<number> {
  const traces = lines.flatMap(({ number, line }) => {
    try {
      return [readTraceLine(line)]
    } catch (error) {
      progress.refuse(number, what, reasonOf(error))
      return []
    }
  })
  const here = await workspace.traces.existing(traces.map(({ trace }) => trace.traceId))
  const missing = new Map(traces.map((trace) => [trace.trace.traceId, trace]))
  for (const id of here) missing.delete(id)
  if (missing.size === 0) return 0
  const experiments = new Set([...missing.values()].flatMap(({ trace }) => trace.experimentId ?? []))
  const idsHere = await workspace.bundle.idsHere('experiments', [...experiments])
  // Data from another installation is masked by the rules of this workspace.
  const masked = await workspace.masking.traces([...missing.values()])
  const restored = masked.map((trace) => withExperiment(trace, idsHere))
  const { rejectedRows } = await workspace.restoreTraces(
    `import/${hash.digest('hex')}/${missing.size}`,
    restored,
  )
  if (rejectedRows.length > 0)
    throw invalid(
      `line ${lines[0]!.number} or one of the ${lines.length - 1} after it`,
      rejectedRows[0]!.error,
    )
  return restored.length
}

function withExperiment(storedTrace: StoredTrace, idsHere: ReadonlyMap<string, string>): StoredTrace {
  const { experimentId } = storedTrace.trace
  const id = experimentId === null ? undefined : idsHere.get(experimentId)
  if (id === undefined || id === experimentId) return storedTrace
  return {
    ...storedTrace,
    trace: { ...storedTrace.trace, experimentId: id },
    logs: storedTrace.logs.map((log) => ({ ...log, experimentId: id })),
  }
}
