/**
 * Traces join an experiment after they were recorded. It is written down first, so that a process that dies is carried
 * on, and so that a trace of OpenTelemetry which is made anew is of the experiment again.
 */
import type { Attachment, ControlStore } from '@plumbline/storage/control'
import type { StoredTrace, TraceStore } from '@plumbline/storage/traces'
import type { Logger } from 'pino'
import { judgedReferences, type SampledTrace } from '../evaluations/judged-references.ts'
import type { Workspace } from '../workspace.ts'

interface JoiningParts {
  readonly control: Pick<ControlStore, 'assemblies' | 'experimentAttachments'>
  readonly store: TraceStore
  readonly workspaceOf: (workspaceId: string) => Workspace
  /** Does some work while nothing else is written into the trace store. */
  readonly inTurn: <Result>(work: () => Promise<Result>) => Promise<Result>
  /** Has traces judged that were drawn. */
  readonly onSampled: (sampled: readonly SampledTrace[]) => Promise<void>
  /** Says that there may be traces to assemble. */
  readonly onRedo: () => void
  readonly logger: Logger
  readonly now: () => Date
}

export interface Joined {
  readonly attached: number
  readonly existing: number
  /** Those that stay in another experiment. */
  readonly elsewhere: readonly string[]
}

/** Ids of traces that are not there. */
export class TracesMissing extends Error {
  readonly ids: readonly string[]

  constructor(ids: readonly string[]) {
    super('Some traces are not there.')
    this.ids = ids
  }
}

export interface Joining {
  /** Rejects with `TracesMissing`, and then nothing has joined. */
  join(
    workspace: Workspace,
    experimentId: string,
    traces: readonly { readonly traceId: string; readonly datasetRowId?: string }[],
  ): Promise<Joined>
  /** Carries on what a process that died has left. */
  carryOn(): Promise<void>
}

type Found = Omit<StoredTrace, 'scores'>

/** What is not stored after so long was left. */
const leftAfterMs = 60_000
const readMax = 100

export function makeJoining(parts: JoiningParts): Joining {
  const { control, store, inTurn, now } = parts

  const carryOut = async (workspace: Workspace, attachments: readonly Attachment[]): Promise<void> => {
    // As they were asked for, so that a part which was cut short has the same token again.
    const asked = Map.groupBy(attachments, (of) => `${of.experimentId} ${of.createdAt.getTime()}`)
    for (const [request, together] of asked) {
      const sorted = together.toSorted((one, other) => (one.traceId < other.traceId ? -1 : 1))
      for (let start = 0; start < sorted.length; start += readMax)
        await carryOutPart(workspace, request, sorted.slice(start, start + readMax))
    }
  }

  /** The trace store, then the assembler, then the queue of evaluations: each step may be taken twice. */
  const carryOutPart = async (
    workspace: Workspace,
    request: string,
    part: readonly Attachment[],
  ): Promise<void> => {
    const [{ experimentId, traceId: first }] = part as [Attachment]
    const ids = part.map(({ traceId }) => traceId)
    const found = [...(await workspace.traces.findMany(ids)).values()]
    const keys = found.map(({ trace: { traceId, startUs } }) => ({
      workspaceId: workspace.id,
      traceId,
      startUs,
    }))
    const token = `join ${request} ${first}`
    await inTurn(() => store.joinExperiment({ experimentId, keys, token }))
    const otelIds = await workspace.traces.otelIdsOf(ids)
    if (otelIds.size > 0) {
      await control.assemblies.redo(workspace.id, [...new Set(otelIds.values())], now())
      parts.onRedo()
    }
    const sampled = found.flatMap(({ trace, logs }) =>
      judgedReferences(
        { trace: { ...trace, sampled: true }, logs },
        { isGrowing: otelIds.has(trace.traceId) },
      ),
    )
    if (sampled.length > 0) await parts.onSampled(sampled)
    await workspace.experimentAttachments.stored(ids)
  }

  return {
    async join(workspace, experimentId, asked) {
      const rowOf = new Map(asked.map(({ traceId, datasetRowId }) => [traceId.toLowerCase(), datasetRowId]))
      const ids = [...rowOf.keys()]
      const there = await findAll(ids, workspace)
      const missing = ids.filter((id) => !there.has(id))
      if (missing.length > 0) throw new TracesMissing(missing)
      const experimentOf = (id: string): string | null => there.get(id)?.trace.experimentId ?? null
      const free = ids.filter((id) => experimentOf(id) === null)
      const wanted = free.map((traceId) => ({
        traceId,
        experimentId,
        datasetRowId: rowOf.get(traceId) ?? '',
      }))
      await workspace.experimentAttachments.add(wanted, now())
      // One that another request has let join meanwhile stays there.
      const noted = await workspace.experimentAttachments.ofTraces(free)
      const own = noted.filter((of) => of.experimentId === experimentId)
      await carryOut(workspace, own)
      const taken = noted.filter((of) => of.experimentId !== experimentId).map(({ traceId }) => traceId)
      const others = ids.filter((id) => ![null, experimentId].includes(experimentOf(id)))
      return {
        attached: own.length,
        existing: ids.filter((id) => experimentOf(id) === experimentId).length,
        elsewhere: [...others, ...taken],
      }
    },
    async carryOn() {
      const left = await control.experimentAttachments.unstored(new Date(now().getTime() - leftAfterMs))
      for (const [workspaceId, attachments] of left) {
        try {
          await carryOut(parts.workspaceOf(workspaceId), attachments)
        } catch (error) {
          parts.logger.warn({ err: error, workspaceId }, 'traces could not join their experiment')
        }
      }
    },
  }
}

/** A trace that was just recorded is waited for. */
async function findAll(ids: readonly string[], workspace: Workspace): Promise<Map<string, Found>> {
  const read = async (): Promise<Map<string, Found>> => {
    const found = new Map<string, Found>()
    for (let start = 0; start < ids.length; start += readMax)
      for (const [id, trace] of await workspace.traces.findMany(ids.slice(start, start + readMax)))
        found.set(id, trace)
    return found
  }
  const found = await read()
  if (found.size === ids.length) return found
  await workspace.settle()
  return read()
}
