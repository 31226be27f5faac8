/**
 * OpenTelemetry traces in their current state, built from all acknowledged spans wherever they are. Spans are first in the
 * spool, then in the trace store's table of spans, and finally in the rows of their trace. Reading follows them in that
 * order, so that it never misses a span that moves. Only the control plane knows which spans the rows lack: while it is
 * away, a trace is built from the spans in the spool and in the table of spans.
 */
import { type Assembly, type AssemblyStore, ControlStoreAway } from '@plumbline/storage/control'
import type { ScoreRow, TraceStore } from '@plumbline/storage/traces'
import type { TraceRows } from '../../monitor/worker/make-rows.ts'
import { type RecordingWorker, WorkerDied } from '../../monitor/worker/recording-worker.ts'
import type { Overrides } from '../../monitor/worker/worker-messages.ts'
import { traceIdOf } from '../trace-id.ts'
import { type AssemblyRequest, arrivalsOf } from './assemble.ts'
import type { OpenTraceTask } from './make-open-trace.ts'
import type { PendingSpans, PendingTrace } from './pending-spans.ts'

/** The traces of one OpenTelemetry trace. */
export interface OpenTrace {
  /** The earliest first. */
  readonly traces: readonly TraceRows[]
  /** The scores that its spans report. */
  readonly scores: readonly ScoreRow[]
}

declare module '../../../workspace/workspace.ts' {
  interface Workspace {
    /** OpenTelemetry traces with spans that `traces` lacks. */
    readonly openTraces: {
      find(otelTraceId: string): Promise<OpenTrace | undefined>
      findByOurs(traceId: string): Promise<OpenTrace | undefined>
    }
  }
}

export interface OpenTraces {
  /**
   * The traces of an OpenTelemetry trace with spans that their stored rows lack; undefined if there are none. Throws
   * `ControlStoreAway` if only the control plane could decide that.
   */
  find(workspaceId: string, otelTraceId: string): Promise<OpenTrace | undefined>
  /** As `find`, by one of our trace ids. */
  findByOurs(workspaceId: string, traceId: string): Promise<OpenTrace | undefined>
}

interface OpenTracesParts {
  readonly pendingSpans: PendingSpans
  /** A record of the spool, until its segment is removed. */
  readonly readRecord: (recordId: string) => Promise<Buffer | undefined>
  readonly assemblyStore: Pick<AssemblyStore, 'find' | 'findByFirstArrival' | 'deletedScores'>
  readonly store: Pick<TraceStore, 'readSpans' | 'scopedTo'>
  readonly worker: Pick<RecordingWorker, 'openTrace'>
  readonly overrides: () => Promise<Overrides>
  readonly findExperimentIds: (
    assemblies: readonly AssemblyRequest[],
  ) => Promise<ReadonlyMap<string, Readonly<Record<string, string>>>>
  /** Resolves once everything acknowledged so far of a workspace is in the trace store. */
  readonly settle: (workspaceId: string) => Promise<void>
}

export function makeOpenTraces(parts: OpenTracesParts): OpenTraces {
  const { pendingSpans, assemblyStore } = parts

  const find = async (workspaceId: string, otelTraceId: string): Promise<OpenTrace | undefined> => {
    const records = await readRecords(await pendingSpans.find(workspaceId, otelTraceId), parts)
    const trace = { workspaceId, otelTraceId }
    const assemblies = await unlessAway(assemblyStore.find([trace]))
    if (assemblies instanceof ControlStoreAway) return makeWhileAway(parts, trace, records, assemblies)
    const [assembly] = assemblies
    if (assembly?.isDeleted === true || !isBehind(assembly, records.payloads)) return undefined
    const firstAtMs = assembly?.firstAtMs ?? records.firstAtMs
    const target = { workspaceId, otelTraceId, firstAtMs, digest: '' }
    // Spans leave the spool only after their trace was noted in `assemblies`, so without a note none are in the store.
    const lines = assembly === undefined ? '' : await parts.store.readSpans([target])
    const open = await make(parts, { assembly: target, lines, records: records.payloads })
    if (open === undefined || open.scores.length === 0) return open
    const deletedIds = await assemblyStore.deletedScores([trace])
    return { ...open, scores: open.scores.filter(({ scoreId }) => !deletedIds.has(scoreId)) }
  }

  return {
    async find(workspaceId, otelTraceId) {
      if (pendingSpans.isIncomplete()) await parts.settle(workspaceId)
      return find(workspaceId, otelTraceId)
    },
    async findByOurs(workspaceId, traceId) {
      if (pendingSpans.isIncomplete()) await parts.settle(workspaceId)
      const firstAtMs = firstAtOf(traceId)
      const pendingIds = (await pendingSpans.findByFirstArrival(workspaceId, firstAtMs)).map(
        ({ otelTraceId }) => otelTraceId,
      )
      const begunIds = await unlessAway(assemblyStore.findByFirstArrival(workspaceId, firstAtMs))
      const candidates = new Set([
        ...pendingIds,
        ...(begunIds instanceof ControlStoreAway ? await storedIdOf(parts, workspaceId, traceId) : begunIds),
      ])
      const idOf = (otelTraceId: string) => traceIdOf({ workspaceId, otelTraceId, firstAtMs }, null)
      const main = [...candidates].find((otelTraceId) => idOf(otelTraceId) === traceId)
      for (const otelTraceId of main === undefined ? candidates : [main]) {
        const open = await find(workspaceId, otelTraceId)
        if (open?.traces.some(({ trace }) => trace.traceId === traceId)) return open
      }
      if (begunIds instanceof ControlStoreAway) throw begunIds
      return undefined
    },
  }
}

/** Whether there are spans that the rows of the trace lack. */
const isBehind = (assembly: Assembly | undefined, payloads: readonly Buffer[]): boolean =>
  payloads.length > 0 || (assembly !== undefined && assembly.dueAtMs !== undefined)

/** The result, or the error if the control plane is away. */
async function unlessAway<Result>(work: Promise<Result>): Promise<Result | ControlStoreAway> {
  try {
    return await work
  } catch (error) {
    if (error instanceof ControlStoreAway) return error
    throw error
  }
}

/** If the trace is stored and the spool has nothing of it, throws `whyAway`; the caller then reads the stored rows. */
async function makeWhileAway(
  parts: OpenTracesParts,
  { workspaceId, otelTraceId }: { readonly workspaceId: string; readonly otelTraceId: string },
  records: PendingRecords,
  whyAway: ControlStoreAway,
): Promise<OpenTrace | undefined> {
  const { store } = parts
  const storedId = await store.scopedTo(workspaceId).idOf(otelTraceId)
  if (storedId !== undefined && records.payloads.length === 0) throw whyAway
  const lines = await store.readSpans([{ workspaceId, otelTraceId, firstAtMs: 0 }])
  const arrivals = arrivalsOf(lines)
  if (records.payloads.length > 0) arrivals.push(records.firstAtMs)
  if (arrivals.length === 0) throw whyAway
  const firstAtMs = storedId === undefined ? Math.min(...arrivals) : firstAtOf(storedId)
  const assembly = { workspaceId, otelTraceId, firstAtMs, digest: '' }
  return make(parts, { assembly, lines, records: records.payloads })
}

/** The OpenTelemetry id of a stored trace, if it was made from spans. */
async function storedIdOf(
  { store }: OpenTracesParts,
  workspaceId: string,
  traceId: string,
): Promise<string[]> {
  return [...(await store.scopedTo(workspaceId).otelIdsOf([traceId])).values()]
}

/** Our ids contain the time of the first arrival. */
const firstAtOf = (traceId: string): number => Number.parseInt(traceId.slice(0, 8) + traceId.slice(9, 13), 16)

interface PendingRecords {
  readonly firstAtMs: number
  readonly payloads: readonly Buffer[]
}

/** Called first: a record that leaves the spool meanwhile is already in the trace store. */
async function readRecords(
  trace: PendingTrace | undefined,
  { readRecord }: Pick<OpenTracesParts, 'readRecord'>,
): Promise<PendingRecords> {
  if (trace === undefined) return { firstAtMs: 0, payloads: [] }
  const payloads = await Promise.all(trace.recordIds.map(readRecord))
  return { firstAtMs: trace.firstAtMs, payloads: payloads.filter((payload) => payload !== undefined) }
}

async function make(
  { worker, overrides, findExperimentIds }: OpenTracesParts,
  { assembly, lines, records }: OpenTraceTask,
): Promise<OpenTrace | undefined> {
  const idsByWorkspace = await unlessAway(findExperimentIds([assembly]))
  const experimentIds =
    idsByWorkspace instanceof ControlStoreAway ? {} : (idsByWorkspace.get(assembly.workspaceId) ?? {})
  try {
    const openTrace = await worker.openTrace(
      { assembly: { ...assembly, experimentIds }, lines, records },
      await overrides(),
    )
    return openTrace.traces.length === 0 ? undefined : openTrace
  } catch (error) {
    // Its stored rows are better than none; the assembler logs the reason.
    if (error instanceof WorkerDied) return undefined
    throw error
  }
}
