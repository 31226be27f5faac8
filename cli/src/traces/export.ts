/** `plumbline traces export`: whole traces as JSON lines, the latest start first. */
import { startProgress } from '../progress.ts'
import { CommandFailed, type Session } from '../session.ts'
import { writeWhole } from '../whole-file.ts'
import { type FilterOptions, type Span, type TraceSummary, toFilters, walk } from './filters.ts'

/** Traces read at a time. */
const concurrency = 8
const pageSize = 200

export async function exportTraces(
  session: Session,
  file: string | undefined,
  options: FilterOptions & Span,
): Promise<void> {
  const { client, print } = session
  const progress = startProgress(session, 'traces', undefined)
  let count = 0
  let last: TraceSummary | undefined
  async function* lines(): AsyncGenerator<string> {
    const waiting: { summary: TraceSummary; line: Promise<string> }[] = []
    const next = async (): Promise<string> => {
      const { summary, line } = waiting.shift()!
      const text = await line
      last = summary
      count++
      progress.advance()
      return text
    }
    for await (const summary of walk(client, toFilters(options), pageSize)) {
      const line = client.traces.get({ id: summary.id }).then(({ trace }) => `${JSON.stringify(trace)}\n`)
      // A failure is met when its turn comes.
      line.catch(() => {})
      waiting.push({ summary, line })
      if (waiting.length >= concurrency) yield await next()
    }
    while (waiting.length > 0) yield await next()
  }
  try {
    await writeWhole(session, file, lines())
  } catch (error) {
    if (!(error instanceof CommandFailed) || last === undefined) throw error
    // The instant itself is asked for again, since other traces may share it.
    const resume = `It has ${count} traces; get the rest with --to ${justAfter(last.startTime)}, which repeats some of the last instant.`
    throw new CommandFailed(`${error.message} ${resume}`, { cause: error })
  } finally {
    progress.end()
  }
  if (file !== undefined && file !== '-') print({ file, traces: count }, `${count} traces are in ${file}.`)
}

/** The next microsecond: the end of a span of time is not part of it. */
function justAfter(instant: string): string {
  const [, second = '', fraction = '0'] = /^(.*?)(?:\.(\d+))?Z$/.exec(instant) ?? []
  const micros = Number(fraction.padEnd(6, '0').slice(0, 6)) + 1
  if (micros < 1_000_000) return `${second}.${String(micros).padStart(6, '0')}Z`
  return new Date(Date.parse(`${second}Z`) + 1000).toISOString()
}
