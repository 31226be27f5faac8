/** `plumbline datasets export`: streams all rows to a file, completely or not at all. */
import { download } from '../download.ts'
import { CommandFailed, type Session } from '../session.ts'
import { writeWhole } from '../whole-file.ts'
import { chooseFormat, type Format } from './formats.ts'
import { type RowSelection, selectionOf } from './selection.ts'

export interface ExportOptions extends RowSelection {
  readonly format?: Format
}

export async function exportRows(
  session: Session,
  slug: string,
  file: string | undefined,
  options: ExportOptions,
): Promise<void> {
  const format = chooseFormat(file, options.format)
  const { datasets } = await session.client.datasets.list()
  const dataset = datasets.find((candidate) => candidate.slug === slug)
  if (dataset === undefined) throw new CommandFailed(`No dataset has the slug "${slug}".`)
  const selection = selectionOf(options)
  await writeWhole(
    session,
    file,
    download(session, `/datasets/${encodeURIComponent(slug)}/export`, { format, ...selection }),
  )
  if (file === undefined || file === '-') return
  if (Object.keys(selection).length > 0)
    return session.print({ slug, file, ...selection }, `The rows are in ${file}.`)
  session.print({ slug, file, rows: dataset.rowCount }, `${dataset.rowCount} rows are in ${file}.`)
}
