/** `plumbline traces export`: complete traces as JSON lines, or a table of traces; latest start first. */
import { readLines } from '../datasets/formats.ts'
import { asText, download } from '../download.ts'
import { startProgress } from '../progress.ts'
import { CommandFailed, type Session } from '../session.ts'
import { writeWhole } from '../whole-file.ts'
import { type FilterOptions, type TimeRange, toFilters } from './filters.ts'

export const traceFormats = ['jsonl', 'csv', 'parquet'] as const

interface ExportOptions extends FilterOptions, TimeRange {
  readonly format?: (typeof traceFormats)[number]
}

export async function exportTraces(
  session: Session,
  file: string | undefined,
  options: ExportOptions,
): Promise<void> {
  const format =
    options.format ?? traceFormats.find((candidate) => file?.endsWith(`.${candidate}`)) ?? 'jsonl'
  const pieces = download(session, '/monitor/traces/export', { ...toFilters(options), format })
  if (format !== 'jsonl') {
    await writeWhole(session, file, pieces)
    if (file !== undefined && file !== '-') session.print({ file }, `The traces are in ${file}.`)
    return
  }
  const progress = startProgress(session, 'traces', undefined)
  let count = 0
  let last: string | undefined
  // Writes only complete lines, so that a partial export is usable.
  async function* lines(): AsyncGenerator<string> {
    for await (const line of readLines(asText(pieces))) {
      yield `${line}\n`
      last = line
      count++
      progress.advance()
    }
  }
  try {
    await writeWhole(session, file, lines())
  } catch (error) {
    if (!(error instanceof CommandFailed) || last === undefined) throw error
    const { startTime } = JSON.parse(last) as { startTime: string }
    // Includes the last instant again, since other traces may share it.
    const resume = `It has ${count} traces; fetch the rest with --to ${nextMicrosecond(startTime)}, which repeats traces of the last instant.`
    throw new CommandFailed(`${error.message} ${resume}`, { cause: error })
  } finally {
    progress.end()
  }
  if (file !== undefined && file !== '-')
    session.print({ file, traces: count }, `${count} traces are in ${file}.`)
}

/** The next microsecond, because the end of a time range is exclusive. */
function nextMicrosecond(instant: string): string {
  const [, second = '', fraction = '0'] = /^(.*?)(?:\.(\d+))?Z$/.exec(instant) ?? []
  const micros = Number(fraction.padEnd(6, '0').slice(0, 6)) + 1
  if (micros < 1_000_000) return `${second}.${String(micros).padStart(6, '0')}Z`
  return new Date(Date.parse(`${second}Z`) + 1000).toISOString()
}
