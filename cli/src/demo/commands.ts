/** `plumbline demo`: believable data for a workspace of a running service. */
import { setTimeout as pause } from 'node:timers/promises'
import { InvalidArgumentError } from 'commander'
import { type Progress, startProgress } from '../progress.ts'
import type { CommandParts, Session } from '../session.ts'
import { connect } from './client.ts'
import { describeMade, describeNextSteps, describeTotals } from './report.ts'

interface DemoOptions {
  readonly traces: number
  readonly days: number
  readonly seed: number
}

export function addDemo({ program, action }: CommandParts): void {
  program
    .command('demo')
    .description(
      'Fills a workspace with believable data: features, prompts, datasets, experiments, evaluators, keys, and traces of the last days.',
    )
    .option('--traces <count>', 'total number of traces', whole(1, 10_000_000), 2000)
    .option('--days <count>', 'number of days over which they are spread', whole(1, 3650), 30)
    .option(
      '--seed <number>',
      'seed of the sample data; a different seed adds different traces',
      whole(0, 2 ** 31 - 1),
      1,
    )
    .addHelpText('after', '\nIf you run it again, it keeps existing data and adds what is missing.')
    .action(action(demo))
}

/** Lists show new records within a second. */
const listDelayMs = 1500

async function demo(session: Session, { traces, days, seed }: DemoOptions): Promise<void> {
  const { url, signal, isJson } = session
  const client = connect(session)
  // Imported here, so that only this command loads the sample data.
  const { fillWorkspace } = await import('./fill-workspace.ts')
  const { readFixtureTraces } = await import('./fixture-traces.ts')
  const { runExperiment } = await import('./experiment-run.ts')
  session.tell(`Filling ${url} (seed ${seed}).`)
  let progress: Progress | undefined
  const filled = await fillWorkspace({
    client,
    connectAs: (key) => connect({ url, key }),
    seed,
    traces,
    days,
    now: new Date(),
    local: { readFixtureTraces, runExperiment },
    onTraces(toRecord) {
      progress = startProgress(session, 'traces', toRecord)
      return () => {
        signal.throwIfAborted()
        progress?.advance()
      }
    },
  }).finally(() => progress?.end())
  await pause(listDelayMs)
  const { setupCounts, keptTraces, traces: recorded, scores, warnings } = filled
  session.print(
    {
      made: Object.fromEntries(setupCounts),
      keptTraces,
      traces: recorded,
      scores,
      warnings: Object.fromEntries(warnings),
    },
    isJson ? '' : `${describeMade(filled)}\n\n${await describeTotals(client)}\n\n${describeNextSteps()}`,
  )
}

const whole =
  (min: number, max: number) =>
  (text: string): number => {
    const value = Number(text)
    if (!Number.isInteger(value) || value < min || value > max)
      throw new InvalidArgumentError(`It must be a whole number from ${min} to ${max}.`)
    return value
  }
