/**
 * Tests that are recorded as an experiment: `const test = experimentTest({ plumbline, test, after, name, featureSlug })`,
 * with `test` and `after` of `node:test`, or `test` and `afterAll` of Vitest.
 */
import type { Plumbline } from './client/client.ts'
import type { TraceRecording } from './recording/recording.ts'

type Body = (trace: TraceRecording) => unknown

export interface ExperimentTestOptions {
  readonly plumbline: Pick<Plumbline, 'trace' | 'score' | 'flush' | 'experiments'>
  /** Declares a test: `test` of `node:test` or of Vitest. */
  readonly test: (title: string, body: () => Promise<void>) => unknown
  /** Registers a function that runs after all tests: `after` of `node:test`, `afterAll` of Vitest. */
  readonly after: (body: () => Promise<void>) => unknown
  /** The name of the experiment. */
  readonly name: string
  /** The feature under test; it must exist. */
  readonly featureSlug: string
  /** Whether to record the tests, for example from a variable of your own such as `PLUMBLINE_EXPERIMENT`. True by default. */
  readonly enabled?: boolean
}

/**
 * Returns a function that declares tests: each one is recorded as a trace of the experiment, with the score `passed`. A
 * failure to record never fails a test.
 */
export function experimentTest(options: ExperimentTestOptions): (title: string, body: Body) => void {
  const { plumbline, test, after, name, featureSlug, enabled = true } = options
  let experimentId: Promise<string | undefined> | undefined
  const findExperiment = (): Promise<string | undefined> => {
    experimentId ??= enabled
      ? plumbline.experiments.create({ name, featureSlug }).then(
          ({ id }) => id,
          () => undefined,
        )
      : Promise.resolve(undefined)
    return experimentId
  }
  if (enabled) after(async () => void (await plumbline.flush()))

  return (title, body) => {
    test(title, async () => {
      const id = await findExperiment()
      const experiment = id === undefined ? {} : { experiment: { id }, featureSlug }
      const run = plumbline.trace({ name: title, ...experiment })
      const finish = (isPassed: boolean, error?: unknown): void => {
        run.end({ error })
        if (id !== undefined) plumbline.score({ traceId: run.traceId, name: 'passed', value: isPassed })
      }
      try {
        await body(run)
      } catch (error) {
        finish(false, error)
        throw error
      }
      finish(true)
    })
  }
}
