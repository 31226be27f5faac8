/** Progress on standard error: a bar in a terminal; elsewhere, occasional lines if there is much to do. */
import cliProgress from 'cli-progress'
import type { Session } from './session.ts'

export interface Progress {
  advance(): void
  end(): void
}

/** Shows only the count when there is no total. */
export function startProgress(
  { stderr }: Pick<Session, 'stderr'>,
  what: string,
  total: number | undefined,
): Progress {
  if (stderr.isTTY !== true) return writeLines(stderr, what, total)
  const format =
    total === undefined
      ? `{value} ${what}  {duration_formatted}`
      : `{bar} {value}/{total} ${what}  {eta_formatted} left`
  const bar = new cliProgress.SingleBar(
    { format, stream: stderr, clearOnComplete: true, hideCursor: true },
    cliProgress.Presets.shades_classic,
  )
  bar.start(total ?? 0, 0)
  return { advance: () => bar.increment(), end: () => bar.stop() }
}

/** Work that takes less than a minute needs no lines. */
const linesFrom = 10_000

/** A line for each tenth, or for each 10,000 if the total is unknown. */
function writeLines(stderr: Session['stderr'], what: string, total: number | undefined): Progress {
  const step = Math.max(linesFrom, Math.ceil((total ?? 0) / 10))
  let count = 0
  return {
    advance: () => {
      count += 1
      if (count % step !== 0) return
      const end = total === undefined ? '' : ` of ${total.toLocaleString('en-US')}`
      stderr.write(`${count.toLocaleString('en-US')}${end} ${what}\n`)
    },
    end() {},
  }
}
