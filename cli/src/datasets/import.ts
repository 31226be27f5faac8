/** `plumbline datasets import`: validates every row before it sends the first. */
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import type { Plumbline } from '@plumbline/sdk'
import { parseExactJson, readCsv, titlesOf } from '@plumbline/sdk/import'
import { readParquet } from '../parquet.ts'
import { startProgress } from '../progress.ts'
import { CommandFailed, type Session, WrongUsage } from '../session.ts'
import { chooseFormat, type Format, readLines, readPieces } from './formats.ts'
import { readJsonRows } from './json-rows.ts'
import { type Mapping, RowProblem, toRow } from './to-row.ts'

type NewRow = Omit<Parameters<Plumbline['datasets']['add']>[0], 'slug'>

export interface ImportOptions {
  readonly map?: readonly string[]
  readonly ideal?: string
  readonly name?: string
  readonly format?: Format
  readonly dryRun?: boolean
}

/** Limits the errors shown; all are counted. */
const errorsShown = 20

export async function importRows(
  session: Session,
  slug: string,
  file: string,
  options: ImportOptions,
): Promise<void> {
  const { client, print, tell } = session
  const { dryRun = false } = options
  if (!existsSync(file)) throw new CommandFailed(`There is no file ${file}.`)
  const format = chooseFormat(file, options.format)
  const before = await getDataset(client, slug)
  const mapping: Mapping = {
    columns: before.columns,
    from: readMap(options.map ?? [], before.columns),
    ...pick(options),
  }

  const errors: { row: number; problem: string }[] = []
  const unused = new Set<string>()
  let errorCount = 0
  let total = 0
  for await (const row of readRows(file, format, mapping, unused)) {
    total++
    if (!(row instanceof RowProblem)) continue
    errorCount++
    if (errors.length < errorsShown) errors.push({ row: total, problem: row.message })
  }
  if (unused.size > 0) tell(`Skipped fields without a matching column: ${[...unused].join(', ')}.`)
  for (const { row, problem } of errors) tell(`Row ${row}: ${problem}.`)
  if (errorCount > 0) {
    if (session.isJson) print({ slug, rows: total, errorCount, errors, added: 0 }, '')
    throw new CommandFailed(`${errorCount} of ${total} rows cannot be imported; nothing was written.`)
  }
  if (dryRun)
    return print({ slug, rows: total, errorCount, errors, added: 0 }, `${total} rows can be imported.`)

  const progress = startProgress(session, 'rows', total)
  let sentCount = 0
  try {
    for await (const row of readRows(file, format, mapping, unused)) {
      session.signal.throwIfAborted()
      if (row instanceof RowProblem) throw new Error('the file changed during the import')
      // The key makes it safe to repeat an interrupted import: the service does not store a row twice. A dataset that was
      // deleted and created again counts as a different one.
      const idempotencyKey = createHash('sha256')
        .update(JSON.stringify([slug, before.createdAt, sentCount, row]))
        .digest('hex')
      await client.datasets.add({ slug, ...row }, { idempotencyKey })
      sentCount++
      progress.advance()
    }
  } catch (cause) {
    const why = session.signal.aborted ? 'it was interrupted' : (cause as Error).message.replace(/\.$/, '')
    throw new CommandFailed(
      `The import stopped after ${sentCount} of ${total} rows: ${why}. Run it again within 24 hours to add the rest.`,
      { cause },
    )
  } finally {
    progress.end()
  }
  const { rowCount } = await getDataset(client, slug)
  const added = Math.min(total, rowCount - before.rowCount)
  const repeatNote =
    added < total ? ` ${total - added} were already added by the same import in the last 24 hours.` : ''
  print(
    { slug, rows: total, errorCount: 0, errors, added },
    `Added ${added} rows; "${slug}" now has ${rowCount}.${repeatNote}`,
  )
}

async function getDataset(client: Plumbline, slug: string) {
  const dataset = (await client.datasets.list()).datasets.find((candidate) => candidate.slug === slug)
  if (dataset === undefined) throw new CommandFailed(`No dataset has the slug "${slug}".`)
  return dataset
}

const pick = ({ ideal, name }: ImportOptions): Pick<Mapping, 'ideal' | 'name'> => ({
  ...(ideal === undefined ? {} : { ideal }),
  ...(name === undefined ? {} : { name }),
})

/** Parses `column=field` pairs. */
function readMap(pairs: readonly string[], columns: Mapping['columns']): Map<string, string> {
  return new Map(
    pairs.map((pair) => {
      const separator = pair.indexOf('=')
      const column = pair.slice(0, separator)
      if (separator < 1) throw new WrongUsage(`--map takes column=field, not "${pair}".`)
      if (!columns.some(({ name }) => name === column)) {
        const names = columns.map(({ name }) => `"${name}"`).join(', ')
        throw new CommandFailed(`The dataset has no column "${column}"; it has ${names}.`)
      }
      return [column, pair.slice(separator + 1)]
    }),
  )
}

async function* readRows(
  file: string,
  format: Format,
  mapping: Mapping,
  unknownColumns: Set<string>,
): AsyncGenerator<NewRow | RowProblem> {
  const pieces = readPieces(file)
  try {
    if (format === 'parquet') {
      for await (const row of readParquet(file)) yield toRow(row, mapping, 'texts', unknownColumns)
      return
    }
    if (format === 'csv') {
      let titles: readonly string[] | undefined
      for await (const cells of readCsv(pieces)) {
        if (titles === undefined) {
          titles = titlesOf(cells)
          continue
        }
        if (cells.length !== titles.length) {
          yield new RowProblem(`has ${cells.length} cells, but the header has ${titles.length}`)
          continue
        }
        yield toRow(
          Object.fromEntries(titles.map((title, index) => [title, cells[index]])),
          mapping,
          'texts',
          unknownColumns,
        )
      }
      return
    }
    for await (const text of format === 'jsonl' ? readLines(pieces) : readJsonRows(pieces)) {
      yield toRow(parseRow(text), mapping, 'values', unknownColumns)
    }
  } catch (cause) {
    throw new CommandFailed(`${file} cannot be read as ${format}: ${(cause as Error).message}.`, { cause })
  }
}

function parseRow(text: string): unknown {
  try {
    return parseExactJson(text)
  } catch (error) {
    return new RowProblem(`is not valid JSON: ${(error as Error).message}`)
  }
}
