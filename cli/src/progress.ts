/** A progress bar on standard error; does nothing unless that is a terminal. */
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
  if (stderr.isTTY !== true) return { advance() {}, end() {} }
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
