/** `plumbline traces export`: whole traces as JSON lines, or a table of them; the latest start first. */
import { readLines } from '../datasets/formats.ts'
import { asText, download } from '../download.ts'
import { startProgress } from '../progress.ts'
import { CommandFailed, type Session } from '../session.ts'
import { writeWhole } from '../whole-file.ts'
import { type FilterOptions, type Span, toFilters } from './filters.ts'

export const traceFormats = ['jsonl', 'csv', 'parquet'] as const

interface ExportOptions extends FilterOptions, Span {
  readonly format?: (typeof traceFormats)[number]
}

export async function exportTraces(
  session: Session,
  file: string | undefined,
  options: ExportOptions,
): Promise<void> {
  const format = options.format ?? traceFormats.find((known) => file?.endsWith(`.${known}`)) ?? 'jsonl'
  const answer = download(session, '/monitor/traces/export', { ...toFilters(options), format })
  if (format !== 'jsonl') {
    await writeWhole(session, file, answer)
    if (file !== undefined && file !== '-') session.print({ file }, `The traces are in ${file}.`)
    return
  }
  const progress = startProgress(session, 'traces', undefined)
  let count = 0
  let last: string | undefined
  // Only whole lines are written, so that what is there of an export that broke off can be used.
  async function* lines(): AsyncGenerator<string> {
    for await (const line of readLines(asText(answer))) {
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
    // The instant itself is asked for again, since other traces may share it.
    const resume = `It has ${count} traces; get the rest with --to ${justAfter(startTime)}, which repeats some of the last instant.`
    throw new CommandFailed(`${error.message} ${resume}`, { cause: error })
  } finally {
    progress.end()
  }
  if (file !== undefined && file !== '-')
    session.print({ file, traces: count }, `${count} traces are in ${file}.`)
}

/** The next microsecond: the end of a span of time is not part of it. */
function justAfter(instant: string): string {
  const [, second = '', fraction = '0'] = /^(.*?)(?:\.(\d+))?Z$/.exec(instant) ?? []
  const micros = Number(fraction.padEnd(6, '0').slice(0, 6)) + 1
  if (micros < 1_000_000) return `${second}.${String(micros).padStart(6, '0')}Z`
  return new Date(Date.parse(`${second}Z`) + 1000).toISOString()
}
