/** The main thread's side of the recording worker. */
import { ServiceError } from '@plumbline/contract'
import type { SegmentSource } from '@plumbline/storage/spool/read-segment'
import { isSystemError } from '../../../process/system-error.ts'
import { PoolClosed, WorkerEnded, WorkerPool } from '../../../process/threads/worker-pool.ts'
import type { AssembledRows, AssembleTask } from '../../otlp/assembly/assemble.ts'
import type { OpenTraceTask } from '../../otlp/assembly/make-open-trace.ts'
import type { OpenTrace } from '../../otlp/assembly/open-traces.ts'
import type { PricedTask, RecordRows, Result, SegmentRows, Task } from './worker-messages.ts'

type Overrides = Task['overrides']

/** The worker died, probably because of the record that it worked on. */
export class WorkerDied extends Error {
  override readonly name = 'WorkerDied'
  /** The record's position in the segment, if one was in progress. */
  readonly position: number | undefined

  constructor(position: number | undefined, options: ErrorOptions) {
    super('The recording worker died.', options)
    this.position = position
  }
}

/** An idle worker stops: its vocabularies take as much memory as the rest of the service. */
const idleTimeoutMs = 30_000

/** The second thread only makes rows of segments, while more than one waits. */
export const recordingThreads = ['first', 'second'] as const
export type RecordingThread = (typeof recordingThreads)[number]

const makePool = (): WorkerPool<PricedTask, Result> =>
  new WorkerPool(new URL('./worker.ts', import.meta.url), {
    // The thread yields within a segment, so that reads of pending records do not wait for the whole segment.
    tasksPerThread: Number.POSITIVE_INFINITY,
    idleTimeoutMs,
  })

/** Worker threads that build rows. Each starts when there is work, and restarts after it died. */
export class RecordingWorker {
  readonly #pools: Readonly<Record<RecordingThread, WorkerPool<PricedTask, Result>>> = {
    first: makePool(),
    second: makePool(),
  }

  /** The file of a price list that was installed after the release. */
  #priceList: string | undefined

  /** Sets the price list file that rows are built with from now on; undefined for the list of the release. */
  setPriceList(path: string | undefined): void {
    this.#priceList = path
  }

  /** Builds the rows of a sealed segment, as lines for the trace store. */
  async rowsOfSegment(
    source: SegmentSource,
    overrides: Overrides,
    {
      thread,
      ...options
    }: Pick<
      Extract<Task, { type: 'segment' }>,
      'skip' | 'workspaceIds' | 'makesWholeTraces' | 'liveRates' | 'listsRecords'
    > & { readonly thread: RecordingThread },
  ): Promise<SegmentRows> {
    // Safe: the worker returns the result type of each task type.
    return (await this.#run({ type: 'segment', source, overrides, ...options }, thread)) as SegmentRows
  }

  /** Builds the rows of one record that is still in the spool. */
  async rowsOfRecord(record: Uint8Array, overrides: Overrides): Promise<RecordRows> {
    // Safe: the worker returns the result type of each task type.
    return (await this.#run({ type: 'record', record, overrides })) as RecordRows
  }

  /** Builds the rows of OpenTelemetry traces from their stored spans. */
  async assemble(task: AssembleTask, overrides: Overrides): Promise<AssembledRows> {
    // Safe: the worker returns the result type of each task type.
    return (await this.#run({ type: 'assembly', overrides, ...task })) as AssembledRows
  }

  /** Builds the rows of one OpenTelemetry trace from stored spans and from exports in the spool. */
  async openTrace(task: OpenTraceTask, overrides: Overrides): Promise<OpenTrace> {
    // Safe: the worker returns the result type of each task type.
    return (await this.#run({ type: 'open trace', overrides, ...task })) as OpenTrace
  }

  async close(): Promise<void> {
    await Promise.all(Object.values(this.#pools).map((pool) => pool.close()))
  }

  async #run(task: Task, thread: RecordingThread = 'first'): Promise<Result> {
    try {
      return await this.#pools[thread].run({ ...task, priceList: this.#priceList })
    } catch (error) {
      // For every task: it is left for the next start, or until a thread can start again.
      if (error instanceof PoolClosed)
        throw new ServiceError('unavailable', { problem: 'The service is stopping.' }, { cause: error })
      if (!(error instanceof WorkerEnded) || isSystemError(error.cause)) throw error
      const { progress, cause } = error
      throw new WorkerDied(task.type === 'segment' && progress >= 0 ? progress : undefined, { cause })
    }
  }
}
