/**
 * Adds recorded traces to an experiment. The attachment is persisted first, so that it survives a crash, and so that an
 * OpenTelemetry trace that is reassembled stays in the experiment.
 */
import type { Attachment, ControlStore } from '@plumbline/storage/control'
import type { StoredTrace, TraceStore } from '@plumbline/storage/traces'
import type { Logger } from 'pino'
import { judgedReferences, type SampledTrace } from '../../ingest/monitor/judged-references.ts'
import type { ChangeTraces } from '../../ingest/otlp/assembly/change-traces.ts'
import type { Workspace } from '../../workspace/workspace.ts'

interface JoiningParts {
  readonly control: Pick<ControlStore, 'assemblies' | 'experimentAttachments'>
  readonly store: TraceStore
  readonly workspaceOf: (workspaceId: string) => Workspace
  readonly changeTraces: ChangeTraces
  /** Enqueues the evaluations of sampled traces. */
  readonly onSampled: (traces: readonly SampledTrace[]) => Promise<void>
  /** Called when there may be traces to reassemble. */
  readonly onRedo: () => void
  readonly logger: Logger
  readonly now: () => Date
}

export interface JoinResult {
  readonly attached: number
  readonly existing: number
  /** Traces that stay in another experiment. */
  readonly elsewhere: readonly string[]
}

/** Some of the ids belong to no stored trace. */
export class TracesMissing extends Error {
  readonly ids: readonly string[]

  constructor(ids: readonly string[]) {
    super('Some traces do not exist.')
    this.ids = ids
  }
}

export interface Joining {
  /** Rejects with `TracesMissing` if some do not exist; then no trace has joined. */
  join(
    workspace: Workspace,
    experimentId: string,
    traces: readonly { readonly traceId: string; readonly datasetRowId?: string }[],
  ): Promise<JoinResult>
  /** Completes joins that a crashed process left unfinished. */
  resume(): Promise<void>
}

type TraceWithoutScores = Omit<StoredTrace, 'scores'>

/** An attachment that has not been stored for this long was abandoned. */
const abandonedAfterMs = 60_000
const readMax = 100

export function makeJoining(parts: JoiningParts): Joining {
  const { control, store, changeTraces, now } = parts

  const applyAttachments = async (
    workspace: Workspace,
    attachments: readonly Attachment[],
  ): Promise<void> => {
    // Grouped by request, so that a retried part has the same token as before.
    const groups = Map.groupBy(
      attachments,
      (attachment) => `${attachment.experimentId} ${attachment.createdAt.getTime()}`,
    )
    for (const [request, requestAttachments] of groups) {
      const sorted = requestAttachments.toSorted((first, second) => (first.traceId < second.traceId ? -1 : 1))
      for (let start = 0; start < sorted.length; start += readMax)
        await applyPart(workspace, request, sorted.slice(start, start + readMax))
    }
  }

  /** Updates the trace store, then the assembler, then the evaluation queue: each step is idempotent. */
  const applyPart = async (
    workspace: Workspace,
    request: string,
    part: readonly Attachment[],
  ): Promise<void> => {
    const [{ experimentId, traceId: first }] = part as [Attachment]
    const ids = part.map(({ traceId }) => traceId)
    const traces = [...(await workspace.traces.findMany(ids)).values()]
    const keys = traces.map(({ trace: { traceId, startUs } }) => ({
      workspaceId: workspace.id,
      traceId,
      startUs,
    }))
    const token = `join ${request} ${first}`
    await changeTraces({ workspaceId: workspace.id, traceIds: ids }, () =>
      store.joinExperiment({ experimentId, keys, token }),
    )
    const otelIds = await workspace.traces.otelIdsOf(ids)
    if (otelIds.size > 0) {
      await control.assemblies.redo(workspace.id, [...new Set(otelIds.values())], now())
      parts.onRedo()
    }
    const sampled = traces.flatMap(({ trace, logs }) =>
      judgedReferences(
        { trace: { ...trace, sampled: true, sampledBy: 'experiment' }, logs },
        { isGrowing: otelIds.has(trace.traceId), liveRates: {} },
      ),
    )
    if (sampled.length > 0) await parts.onSampled(sampled)
    await workspace.experimentAttachments.stored(ids)
  }

  return {
    async join(workspace, experimentId, inputs) {
      const rowOf = new Map(inputs.map(({ traceId, datasetRowId }) => [traceId.toLowerCase(), datasetRowId]))
      const ids = [...rowOf.keys()]
      const existing = await findAll(ids, workspace)
      const missing = ids.filter((id) => !existing.has(id))
      if (missing.length > 0) throw new TracesMissing(missing)
      const experimentOf = (id: string): string | null => existing.get(id)?.trace.experimentId ?? null
      const free = ids.filter((id) => experimentOf(id) === null)
      const attachments = free.map((traceId) => ({
        traceId,
        experimentId,
        datasetRowId: rowOf.get(traceId) ?? '',
      }))
      await workspace.experimentAttachments.add(attachments, now())
      // A trace that a concurrent request attached elsewhere stays there.
      const existingAttachments = await workspace.experimentAttachments.ofTraces(free)
      const own = existingAttachments.filter((attachment) => attachment.experimentId === experimentId)
      await applyAttachments(workspace, own)
      const joinedElsewhere = existingAttachments
        .filter((attachment) => attachment.experimentId !== experimentId)
        .map(({ traceId }) => traceId)
      const others = ids.filter((id) => ![null, experimentId].includes(experimentOf(id)))
      return {
        attached: own.length,
        existing: ids.filter((id) => experimentOf(id) === experimentId).length,
        elsewhere: [...others, ...joinedElsewhere],
      }
    },
    async resume() {
      const abandonedAttachments = await control.experimentAttachments.unstored(
        new Date(now().getTime() - abandonedAfterMs),
      )
      for (const [workspaceId, attachments] of abandonedAttachments) {
        try {
          await applyAttachments(parts.workspaceOf(workspaceId), attachments)
        } catch (error) {
          parts.logger.warn({ err: error, workspaceId }, 'traces could not join their experiment')
        }
      }
    },
  }
}

/** Waits for traces that are not yet in the trace store. */
async function findAll(
  ids: readonly string[],
  workspace: Workspace,
): Promise<Map<string, TraceWithoutScores>> {
  const findTraces = async (): Promise<Map<string, TraceWithoutScores>> => {
    const traces = new Map<string, TraceWithoutScores>()
    for (let start = 0; start < ids.length; start += readMax)
      for (const [id, trace] of await workspace.traces.findMany(ids.slice(start, start + readMax)))
        traces.set(id, trace)
    return traces
  }
  const traces = await findTraces()
  if (traces.size === ids.length) return traces
  await workspace.settle()
  return findTraces()
}
