/** Runs of the service, followed from here: start one, wait for it, wait for what judges it. */
import type { ExperimentRun, InputOf, OutputOf, operations } from '@plumbline/contract'
import type { Operations } from '../operations.ts'

type Client = Pick<Operations, 'experimentRuns' | 'experiments'>
type Judging = OutputOf<typeof operations.experiments.judging>

interface Waiting<Told> {
  /** Told each time that there is something to tell. */
  readonly onProgress?: (told: Told) => void
  /** How long it is waited for, in milliseconds; half an hour by default. */
  readonly timeoutMs?: number
  readonly signal?: AbortSignal
}

const defaultTimeoutMs = 30 * 60_000
const pauseMs = { first: 250, most: 3000 }

/** What was waited for did not end in time. */
export class WaitedTooLong extends Error {
  override readonly name = 'WaitedTooLong'
}

/** Runs a prompt version or an endpoint over a dataset, in the service; resolves when its last case has ended. */
export async function startExperiment(
  client: Client,
  asked: InputOf<typeof operations.experimentRuns.create>,
  waiting: Waiting<ExperimentRun> = {},
): Promise<ExperimentRun> {
  const { run } = await client.experimentRuns.create(asked)
  waiting.onProgress?.(run)
  return followRun(client, run.id, waiting)
}

/** Resolves when the last case of a run has ended. */
export const followRun = (
  client: Client,
  id: string,
  waiting: Waiting<ExperimentRun> = {},
): Promise<ExperimentRun> =>
  until(
    async () => (await client.experimentRuns.get({ id })).run,
    ({ status }) => status !== 'running',
    {
      ...waiting,
      what: 'The run',
    },
  )

/** Resolves when an experiment has run and every one of its traces was judged. */
export const waitForJudging = (
  client: Client,
  experimentId: string,
  waiting: Waiting<Judging> = {},
): Promise<Judging> =>
  until(
    () => client.experiments.judging({ id: experimentId }),
    ({ hasEnded }) => hasEnded,
    {
      ...waiting,
      what: 'The judging',
    },
  )

async function until<Told>(
  ask: () => Promise<Told>,
  isOver: (told: Told) => boolean,
  { what, onProgress, timeoutMs = defaultTimeoutMs, signal }: Waiting<Told> & { readonly what: string },
): Promise<Told> {
  const deadline = Date.now() + timeoutMs
  for (let pause = pauseMs.first; ; pause = Math.min(pauseMs.most, pause * 1.5)) {
    const told = await ask()
    onProgress?.(told)
    if (isOver(told)) return told
    signal?.throwIfAborted()
    if (Date.now() + pause > deadline)
      throw new WaitedTooLong(`${what} did not end within ${Math.round(timeoutMs / 1000)} seconds.`)
    await new Promise((resolve) => setTimeout(resolve, pause))
    signal?.throwIfAborted()
  }
}
