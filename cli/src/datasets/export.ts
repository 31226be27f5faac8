/** `plumbline datasets export`: all rows, streamed, whole or not at all. */
import type { Plumbline } from '@plumbline/sdk'
import { startProgress } from '../progress.ts'
import { CommandFailed, type Session } from '../session.ts'
import { writeWhole } from '../whole-file.ts'
import { type Cell, csvLine } from './csv.ts'
import { type Format, formatOf } from './formats.ts'
import { readJsonRows } from './json-rows.ts'

type Summary = Awaited<ReturnType<Plumbline['datasets']['list']>>['datasets'][number]
type Row = Awaited<ReturnType<Plumbline['datasets']['get']>>['dataset']['rows'][number]

export interface ExportOptions {
  readonly format?: Format
}

export const besideColumns = ['idealOutput', 'name', 'metadata'] as const

export async function exportRows(
  session: Session,
  slug: string,
  file: string | undefined,
  options: ExportOptions,
): Promise<void> {
  const format = formatOf(file, options.format)
  const { datasets } = await session.client.datasets.list()
  const dataset = datasets.find((one) => one.slug === slug)
  if (dataset === undefined) throw new CommandFailed(`No dataset has the slug "${slug}".`)
  const clash = dataset.columns.find(({ name }) => besideColumns.some((beside) => beside === name))
  if (format === 'csv' && clash !== undefined)
    throw new CommandFailed(`CSV cannot tell the column "${clash.name}" from the row's own; export JSONL.`)
  const progress = startProgress(session, 'rows', dataset.rowCount)
  let count = 0
  async function* pieces(): AsyncGenerator<string> {
    if (format === 'csv') yield csvLine([...dataset!.columns.map(({ name }) => name), ...besideColumns])
    if (format === 'json') yield '['
    for await (const text of readJsonRows(answerOf(session, slug), (rest) => tellWarning(session, rest))) {
      yield format === 'csv'
        ? rowAsCsv(dataset!, text)
        : format === 'json'
          ? `${count === 0 ? '' : ','}\n${text}`
          : `${text}\n`
      count++
      progress.advance()
    }
    if (format === 'json') yield '\n]\n'
  }
  try {
    await writeWhole(session, file, pieces())
  } finally {
    progress.end()
  }
  if (file === undefined || file === '-') return
  session.print({ slug, file, rows: count }, `${count} rows are in ${file}.`)
}

/** The client would read the whole answer first; here it passes through. */
async function* answerOf({ url, key, signal }: Session, slug: string): AsyncGenerator<string> {
  const response = await fetch(`${url}/datasets/${encodeURIComponent(slug)}`, {
    headers: { authorization: `Bearer ${key}` },
    signal,
  })
  if (!response.ok || response.body === null)
    throw new CommandFailed(`The service answered ${response.status} to the export.`)
  yield* response.body.pipeThrough(new TextDecoderStream())
}

function tellWarning({ tell }: Session, rest: string): void {
  const { warning } = JSON.parse(rest) as { warning?: string }
  if (warning !== undefined) tell(warning)
}

function rowAsCsv({ columns }: Summary, text: string): string {
  // Safe: a row of the interface.
  const { values, idealOutput, name, metadata } = JSON.parse(text) as Row
  const cells = columns.map((column): Cell => {
    const value = values[column.name]
    if (value === undefined) return undefined
    return typeof value === 'string' && column.type !== 'json' ? value : JSON.stringify(value)
  })
  return csvLine([...cells, idealOutput, name, metadata === undefined ? undefined : JSON.stringify(metadata)])
}
