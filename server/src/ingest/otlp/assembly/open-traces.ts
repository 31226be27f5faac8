/**
 * Traces of OpenTelemetry as they are now: from the acknowledged spans, wherever those are. Spans are in the spool
 * first, then in the trace store's table of spans, and at last in the rows of their trace. Reading follows them in that
 * order, so that it never misses one on its way.
 */
import type { Assembly, AssemblyStore } from '@plumbline/storage/control'
import type { ScoreRow, TraceStore } from '@plumbline/storage/traces'
import type { TraceRows } from '../../monitor/worker/make-rows.ts'
import { type RecordingWorker, WorkerDied } from '../../monitor/worker/recording-worker.ts'
import type { Overrides } from '../../monitor/worker/worker-messages.ts'
import { traceIdOf } from '../trace-id.ts'
import type { AskedAssembly } from './assemble.ts'
import type { OpenTraceTask } from './make-open-trace.ts'
import type { PendingSpans, PendingTrace } from './pending-spans.ts'

/** The traces of one OpenTelemetry trace. */
export interface OpenTrace {
  /** The earliest first. */
  readonly traces: readonly TraceRows[]
  /** What its spans report. */
  readonly scores: readonly ScoreRow[]
}

declare module '../../../workspace/workspace.ts' {
  interface Workspace {
    /** Traces of OpenTelemetry with spans that `traces` lacks. */
    readonly openTraces: {
      find(otelTraceId: string): Promise<OpenTrace | undefined>
      findByOurs(traceId: string): Promise<OpenTrace | undefined>
    }
  }
}

export interface OpenTraces {
  /** The traces of an OpenTelemetry trace with spans that their stored rows lack; undefined if there are none. */
  find(workspaceId: string, otelTraceId: string): Promise<OpenTrace | undefined>
  /** The same by one of our ids. */
  findByOurs(workspaceId: string, traceId: string): Promise<OpenTrace | undefined>
}

interface OpenTracesParts {
  readonly pending: PendingSpans
  /** A record of the spool, until its segment is removed. */
  readonly readRecord: (recordId: string) => Promise<Buffer | undefined>
  readonly assemblyStore: Pick<AssemblyStore, 'find' | 'begunAt'>
  readonly store: Pick<TraceStore, 'readSpans'>
  readonly worker: Pick<RecordingWorker, 'openTrace'>
  readonly overrides: () => Promise<Overrides>
  readonly joinedOf: (
    assemblies: readonly AskedAssembly[],
  ) => Promise<ReadonlyMap<string, Readonly<Record<string, string>>>>
  /** Resolves once everything acknowledged so far is in the trace store. */
  readonly settle: () => Promise<void>
}

export function makeOpenTraces(parts: OpenTracesParts): OpenTraces {
  const { pending, assemblyStore } = parts

  const find = async (workspaceId: string, otelTraceId: string): Promise<OpenTrace | undefined> => {
    const records = await readRecords(await pending.find(workspaceId, otelTraceId), parts)
    const [assembly] = await assemblyStore.find([{ workspaceId, otelTraceId }])
    if (assembly?.isDeleted === true || !isBehind(assembly, records.payloads)) return undefined
    const firstAtMs = assembly?.firstAtMs ?? records.firstAtMs
    const target = { workspaceId, otelTraceId, firstAtMs, digest: '' }
    // Spans leave the spool after their trace was noted, so that one without a note has none in the store.
    const lines = assembly === undefined ? '' : await parts.store.readSpans([target])
    return make(parts, { assembly: target, lines, records: records.payloads })
  }

  return {
    async find(workspaceId, otelTraceId) {
      if (pending.isIncomplete()) await parts.settle()
      return find(workspaceId, otelTraceId)
    },
    async findByOurs(workspaceId, traceId) {
      if (pending.isIncomplete()) await parts.settle()
      // Our ids have the time of the first arrival.
      const firstAtMs = Number.parseInt(traceId.slice(0, 8) + traceId.slice(9, 13), 16)
      const candidates = new Set([
        ...(await pending.begunAt(workspaceId, firstAtMs)).map(({ otelTraceId }) => otelTraceId),
        ...(await assemblyStore.begunAt(workspaceId, firstAtMs)),
      ])
      const idOf = (otelTraceId: string) => traceIdOf({ workspaceId, otelTraceId, firstAtMs }, null)
      const main = [...candidates].find((otelTraceId) => idOf(otelTraceId) === traceId)
      for (const otelTraceId of main === undefined ? candidates : [main]) {
        const open = await find(workspaceId, otelTraceId)
        if (open?.traces.some(({ trace }) => trace.traceId === traceId)) return open
      }
      return undefined
    },
  }
}

/** Whether there are spans that the rows of the trace lack. */
const isBehind = (assembly: Assembly | undefined, payloads: readonly Buffer[]): boolean =>
  payloads.length > 0 || (assembly !== undefined && assembly.dueAtMs !== undefined)

/** Before anything else: a record that leaves the spool meanwhile is in the trace store. */
async function readRecords(
  trace: PendingTrace | undefined,
  { readRecord }: Pick<OpenTracesParts, 'readRecord'>,
): Promise<{ firstAtMs: number; payloads: Buffer[] }> {
  if (trace === undefined) return { firstAtMs: 0, payloads: [] }
  const payloads = await Promise.all(trace.recordIds.map(readRecord))
  return { firstAtMs: trace.firstAtMs, payloads: payloads.filter((payload) => payload !== undefined) }
}

async function make(
  { worker, overrides, joinedOf }: OpenTracesParts,
  { assembly, lines, records }: OpenTraceTask,
): Promise<OpenTrace | undefined> {
  const joined = (await joinedOf([assembly])).get(assembly.workspaceId) ?? {}
  try {
    const made = await worker.openTrace(
      { assembly: { ...assembly, joined }, lines, records },
      await overrides(),
    )
    return made.traces.length === 0 ? undefined : made
  } catch (error) {
    // Its rows as they are stored are better than none; the assembler logs the reason.
    if (error instanceof WorkerDied) return undefined
    throw error
  }
}
