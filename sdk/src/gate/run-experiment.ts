/** Starts experiment runs in the service, and waits for them and for their evaluations. */
import type { ExperimentRun, InputOf, OutputOf, operations } from '@plumbline/contract'
import { RequestFailed, ServiceUnreachable } from '../client/errors.ts'
import type { Operations } from '../client/operations.ts'
import { transientStatuses } from '../client/send-once.ts'

type Client = Pick<Operations, 'experimentRuns' | 'experiments'>
type EvaluationProgress = OutputOf<typeof operations.experiments.judging>

interface WaitOptions<Progress> {
  /** Called with each progress update. */
  readonly onProgress?: (progress: Progress) => void
  /** Timeout in milliseconds; half an hour by default. */
  readonly timeoutMs?: number
  readonly signal?: AbortSignal
}

const defaultTimeoutMs = 30 * 60_000
const pollIntervalMs = { first: 250, most: 3000 }
/** How long a service that has responded before may be restarting or busy. */
const outageMaxMs = 2 * 60_000

/** The run or its evaluations did not end in time. */
export class WaitedTooLong extends Error {
  override readonly name = 'WaitedTooLong'
}

/** Runs a prompt version or an endpoint over a dataset, in the service; resolves when its last case has ended. */
export async function startExperiment(
  client: Client,
  input: InputOf<typeof operations.experimentRuns.create>,
  options: WaitOptions<ExperimentRun> = {},
): Promise<ExperimentRun> {
  const { run } = await client.experimentRuns.create(input)
  options.onProgress?.(run)
  return followRun(client, run.id, options)
}

/** Resolves when the last case of a run has ended. */
export const followRun = (
  client: Client,
  id: string,
  options: WaitOptions<ExperimentRun> = {},
): Promise<ExperimentRun> =>
  pollUntil(
    async () => (await client.experimentRuns.get({ id })).run,
    ({ status }) => status !== 'running',
    {
      ...options,
      what: 'The run',
    },
  )

/** Resolves when an experiment has run and all of its traces have been judged. */
export const waitForJudging = (
  client: Client,
  experimentId: string,
  options: WaitOptions<EvaluationProgress> = {},
): Promise<EvaluationProgress> =>
  pollUntil(
    () => client.experiments.judging({ id: experimentId }),
    ({ hasEnded }) => hasEnded,
    {
      ...options,
      what: 'The judging',
    },
  )

async function pollUntil<Progress>(
  fetchProgress: () => Promise<Progress>,
  isDone: (progress: Progress) => boolean,
  {
    what,
    onProgress,
    timeoutMs = defaultTimeoutMs,
    signal,
  }: WaitOptions<Progress> & { readonly what: string },
): Promise<Progress> {
  const deadline = performance.now() + timeoutMs
  let answeredAt: number | undefined
  for (let pause = pollIntervalMs.first; ; pause = Math.min(pollIntervalMs.most, pause * 1.5)) {
    try {
      const progress = await fetchProgress()
      answeredAt = performance.now()
      onProgress?.(progress)
      if (isDone(progress)) return progress
    } catch (error) {
      const isOutage = answeredAt !== undefined && performance.now() - answeredAt < outageMaxMs
      if (!isOutage || !isTransient(error)) throw error
    }
    signal?.throwIfAborted()
    if (performance.now() + pause > deadline)
      throw new WaitedTooLong(`${what} did not end within ${Math.round(timeoutMs / 1000)} seconds.`)
    await new Promise((resolve) => setTimeout(resolve, pause))
    signal?.throwIfAborted()
  }
}

const isTransient = (error: unknown): boolean =>
  error instanceof ServiceUnreachable ||
  (error instanceof RequestFailed && transientStatuses.has(error.status))
