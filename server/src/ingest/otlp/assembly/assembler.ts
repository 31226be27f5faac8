/**
 * Keeps traces up to date with their stored spans: assembles each new trace, and assembles it again when more spans
 * arrive. The control store holds the due assemblies, so that they survive a crash and include the spans of every
 * node; a lease lets one node assemble at a time. Before each write, the assembler stores a plan. It replays a plan
 * that a crashed process left before doing anything else, with the same tokens, and then assembles the traces of that
 * plan once more, because their spans may have changed since.
 */
import { setTimeout as pause } from 'node:timers/promises'
import {
  type Assembly,
  type AssemblyPlan,
  type AssemblyStore,
  ControlStoreAway,
  type FinishedAssembly,
  pauseName,
} from '@plumbline/storage/control'
import { type TraceKey, type TraceStore, TraceStoreUnavailable } from '@plumbline/storage/traces'
import { encodeScores } from '@plumbline/storage/traces/rows'
import type { Logger } from 'pino'
import type { ShardOutages } from '../../../process/shard-outages.ts'
import { unstoredScores } from '../../../traces/unstored-scores.ts'
import type { LiveRates } from '../../monitor/judged-references.ts'
import { type RefusedRecords, withoutContent } from '../../monitor/refused-records.ts'
import { type RecordingWorker, WorkerDied } from '../../monitor/worker/recording-worker.ts'
import type { Overrides } from '../../monitor/worker/worker-messages.ts'
import type { AssembledRows, AssemblyRequest, AssemblyResult } from './assemble.ts'
import { growingCutoff, pauseAfter, settlesAt } from './assembly-timing.ts'

interface AssemblerParts {
  readonly assemblyStore: AssemblyStore
  readonly store: TraceStore
  /** Traces of workspaces on shards that are away wait until the shards are back. */
  readonly outages: ShardOutages
  readonly workspacesInUse: () => Promise<readonly string[]>
  readonly worker: RecordingWorker
  readonly refusedRecords: RefusedRecords
  readonly overrides: () => Promise<Overrides>
  readonly liveRates: () => Promise<LiveRates>
  /** Experiments that traces joined after they were recorded: by workspace, then by our trace id. */
  readonly findExperimentIds: (
    assemblies: readonly AssemblyRequest[],
  ) => Promise<ReadonlyMap<string, Readonly<Record<string, string>>>>
  /** Runs `work` while nothing else writes to the trace store. */
  readonly runExclusive: <Result>(work: () => Promise<Result>) => Promise<Result>
  /** The id of this node, which is stable across restarts. */
  readonly node: string
  /** Whether other nodes share the stores, so that this node has to poll for their spans. */
  readonly isShared: boolean
  /** Counts attributes that no convention understands. */
  readonly countNotUnderstood: (counts: Readonly<Record<string, number>>) => void
  /** Called when traces may have settled. */
  readonly onAssembled: () => void
  readonly logger: Logger
  readonly now: () => Date
}

export interface Assembler {
  /** Notifies the assembler that there may be work. */
  wake(): void
  /** Assembles every trace that has new spans by now, ignoring their pauses; resolves once they are stored. */
  flush(): Promise<void>
  /** Finishes the current batch, then stops. */
  stop(): Promise<void>
}

/** Limits of one batch. A statement costs the trace store the same for one trace as for many. */
const tracesMax = 1000
const spansMax = 10_000
/** How long the lease of an unresponsive node lasts. */
export const leaseMs = 30_000
/** How often nodes with shared stores poll for each other's spans, and each for a shard that is away. */
const pollIntervalMs = 500
const minDelayMs = 10
/** How often a node checks whether another node, which has the lease or changes traces, has finished. */
export const leasedPollMs = 50
const retryDelayMs = { first: 500, most: 10_000 }
type TickResult = 'assembled' | 'nothing is due' | 'leased by another node' | 'paused'

export function makeAssembler(parts: AssemblerParts): Assembler {
  const { assemblyStore, runExclusive, outages, isShared, logger, now } = parts
  let isAwake = false
  /** Set during a flush, and after the stop. */
  let isPaused = false
  let isStopped = false
  let running: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined

  const scheduleTick = (ms: number): void => {
    clearTimeout(timer)
    if (!isPaused) timer = setTimeout(wake, ms).unref()
  }

  const run = async (): Promise<void> => {
    let retryAfterMs = retryDelayMs.first
    while (isAwake && !isPaused) {
      isAwake = false
      try {
        const result = await assemblePresent(now())
        retryAfterMs = retryDelayMs.first
        if (result === 'assembled') isAwake = true
        else if (result === 'nothing is due') await scheduleNext()
        else if (result === 'paused') scheduleTick(leasedPollMs)
        else scheduleTick(pollIntervalMs)
      } catch (error) {
        const isAway = error instanceof TraceStoreUnavailable || error instanceof ControlStoreAway
        logger[isAway ? 'warn' : 'error']({ err: error, retryAfterMs }, 'traces could not be assembled')
        scheduleTick(retryAfterMs)
        retryAfterMs = Math.min(retryAfterMs * 2, retryDelayMs.most)
      }
    }
    running = undefined
    if (isAwake && !isPaused) start()
  }

  const assemblePresent = (dueAt: Date): Promise<TickResult> =>
    runExclusive(() => outages.runAround(() => assembleDue(parts, dueAt)))

  /** Schedules the next tick for the next due time; nodes with shared stores poll sooner. */
  const scheduleNext = async (): Promise<void> => {
    const dueMs = await assemblyStore.nextDueMs(await awayWorkspaces(parts))
    const delayMs =
      dueMs === undefined ? Number.POSITIVE_INFINITY : Math.max(dueMs - now().getTime(), minDelayMs)
    const ms = isShared || outages.shards.size > 0 ? Math.min(delayMs, pollIntervalMs) : delayMs
    if (Number.isFinite(ms)) scheduleTick(ms)
  }

  /** Assembles here, or waits for the node that has the lease. */
  const assembleAll = async (): Promise<void> => {
    const calledAt = now()
    // Spans that arrive from now on are due later; otherwise a flush during steady traffic would never end.
    await assemblyStore.hurry(calledAt)
    for (;;) {
      const result = await assemblePresent(calledAt)
      if (result === 'nothing is due') return
      if (result === 'assembled') continue
      const nextDueMs = await assemblyStore.nextDueMs(await awayWorkspaces(parts))
      if (nextDueMs === undefined || nextDueMs > calledAt.getTime()) return
      await pause(leasedPollMs)
    }
  }

  const start = (): void => {
    clearTimeout(timer)
    running ??= run()
  }

  const wake = (): void => {
    isAwake = true
    if (!isPaused) start()
  }

  return {
    wake,
    async flush() {
      isPaused = true
      clearTimeout(timer)
      await running
      isPaused = isStopped
      try {
        await assembleAll()
      } finally {
        // For work that the flush did not reach, and for the next tick, which it replaced.
        wake()
      }
    },
    async stop() {
      isStopped = true
      isPaused = true
      clearTimeout(timer)
      await running
      // Releases the lease, so that other nodes need not wait for its expiry.
      await assemblyStore.claimLease(parts.node, now(), 0).catch(() => undefined)
    },
  }
}

/** Assembles one batch of the traces due at `dueAt`. */
async function assembleDue(parts: AssemblerParts, dueAt: Date): Promise<TickResult> {
  const { assemblyStore, node, now } = parts
  const completed = await assemblyStore.completed()
  parts.store.noteReplacements(completed)
  if (await dropLateSpans(parts)) return 'assembled'
  const due = await assemblyStore.due(dueAt, tracesMax, await awayWorkspaces(parts))
  // An unfinished plan of a dead node is carried out even if its traces were deleted since and none is due.
  if (due.length === 0 && !completed.isOneUnfinished) return 'nothing is due'
  const revision = await assemblyStore.claimLease(node, now(), leaseMs)
  if (revision === undefined) return 'leased by another node'
  const unfinished = (await assemblyStore.unfinished()).filter((plan) => isPresent(parts, plan))
  if (unfinished.length > 0) {
    for (const plan of unfinished) await replayPlan(parts, plan)
    return 'assembled'
  }
  if (due.length === 0) return 'nothing is due'
  const paused = await assemblyStore.paused(now())
  const free = due.filter((assembly) => !paused.has(pauseName(assembly)))
  if (free.length === 0) return 'paused'
  const assemblies = limitSpans(ofOneShard(free, parts.store))
  const rows = await makeRows(parts, assemblies, revision)
  const changed = rows.results.filter(({ isUnchanged }) => !isUnchanged)
  if (changed.length > 0) {
    const plan = makePlan(revision, assemblies, changed)
    if (!(await assemblyStore.storePlan(plan))) return 'leased by another node'
    const pausedSince = await assemblyStore.paused(now())
    if (
      plan.traces.some((trace) => pausedSince.has(pauseName(trace))) ||
      (await assemblyStore.hasDeleted(plan))
    ) {
      // The next batch skips the paused and deleted traces.
      await assemblyStore.abandon(revision)
      return 'assembled'
    }
    const hasOlder = assemblies.some(({ traces }) => traces.length > 0)
    await store(parts, plan, rows, hasOlder)
  }
  const ended = changed.length > 0 ? revision : undefined
  await assemblyStore.finish(ended, toAssembled(assemblies, rows.results, now()))
  const cutoff = growingCutoff(now())
  // Even a trace that keeps becoming due is not due right after its assembly.
  if (assemblies.some(({ firstAtMs }) => firstAtMs < cutoff.getTime()))
    await assemblyStore.forgetGrowing(cutoff)
  for (const { notUnderstood } of rows.results)
    if (notUnderstood !== undefined) parts.countNotUnderstood(notUnderstood)
  parts.onAssembled()
  return 'assembled'
}

/** Workspaces on shards that are away. */
async function awayWorkspaces({ outages, workspacesInUse }: AssemblerParts): Promise<string[]> {
  return outages.shards.size === 0 ? [] : (await workspacesInUse()).filter(outages.isAway)
}

/** Limits a plan to one shard, so that an interrupted plan holds up no other shard. */
const ofOneShard = (due: readonly Assembly[], { shardOf }: TraceStore): Assembly[] =>
  due.filter(({ workspaceId }) => shardOf(workspaceId) === shardOf(due[0]!.workspaceId))

/** Whether a plan can be carried out. Plans of earlier versions may span several shards, and wait for all of them. */
const isPresent = ({ outages }: AssemblerParts, { traces }: AssemblyPlan): boolean =>
  !traces.some(({ workspaceId }) => outages.isAway(workspaceId))

/** Deletes spans that arrived for deleted traces; returns whether there were any. */
async function dropLateSpans({
  assemblyStore,
  store: traceStore,
  outages,
}: AssemblerParts): Promise<boolean> {
  const allLate = await assemblyStore.lateForDeleted(tracesMax)
  const late = allLate.filter(({ workspaceId }) => !outages.isAway(workspaceId))
  if (late.length === 0) return false
  for (const [workspaceId, traces] of Map.groupBy(late, (trace) => trace.workspaceId))
    await traceStore.deleteSpans(
      workspaceId,
      traces.map(({ otelTraceId }) => otelTraceId),
    )
  await assemblyStore.dropped(late)
  return true
}

/** Completes a plan interrupted by a crash or an unavailable store; its tokens make repeated writes harmless. */
async function replayPlan(parts: AssemblerParts, oldPlan: AssemblyPlan): Promise<void> {
  const { assemblyStore, now } = parts
  const assemblies = await assemblyStore.find(oldPlan.traces)
  const rows = await makeRows(
    parts,
    assemblies.map((assembly) => ({ ...assembly, digest: '' })),
    oldPlan.revision,
  )
  // Rows may be stored under keys of the old plan or under those that the current spans give.
  const tracesByKeyBefore = new Map(oldPlan.traces.map((trace) => [keyOf(trace), trace.traces]))
  const widened = assemblies.map((assembly) => ({
    ...assembly,
    traces: union(assembly.traces, tracesByKeyBefore.get(keyOf(assembly)) ?? []),
  }))
  const plan = makePlan(oldPlan.revision, widened, rows.results)
  await assemblyStore.widen(plan)
  await store(parts, plan, rows, true)
  const tracesByKey = new Map(plan.traces.map((trace) => [keyOf(trace), trace.traces]))
  const assembled = toAssembled(assemblies, rows.results, now()).map((each) => ({
    ...each,
    traces: tracesByKey.get(keyOf(each)) ?? each.traces,
    digest: '',
    notBeforeMs: now().getTime(),
    isUnsure: true,
  }))
  await assemblyStore.finish(oldPlan.revision, assembled)
}

/** The first assemblies that fit in memory together, and at least one. */
function limitSpans(due: readonly Assembly[]): Assembly[] {
  let spans = 0
  const end = due.findIndex((assembly, index) => {
    spans += assembly.spans
    return index > 0 && spans > spansMax
  })
  return end === -1 ? [...due] : due.slice(0, end)
}

/** Logs each trace that cannot be assembled; it keeps its rows until more of its spans arrive. */
async function makeRows(
  parts: AssemblerParts,
  assemblies: readonly AssemblyRequest[],
  revision: number,
): Promise<AssembledRows> {
  const rows = await makeRowsIsolated(parts, assemblies, revision)
  for (const { workspaceId, otelTraceId, error } of rows.results)
    if (error !== undefined)
      parts.logger.error({ workspaceId, otelTraceId, error }, 'the rows of a trace could not be built')
  return rows
}

/** Retries the traces one by one when the worker dies, so that only the trace that kills it fails. */
async function makeRowsIsolated(
  { store: traceStore, worker, overrides, liveRates, findExperimentIds }: AssemblerParts,
  assemblies: readonly AssemblyRequest[],
  revision: number,
): Promise<AssembledRows> {
  const lines = await traceStore.readSpans(assemblies)
  const experimentIds = await findExperimentIds(assemblies)
  const tasks = assemblies.map((assembly) => {
    const { workspaceId, otelTraceId, firstAtMs, digest } = assembly
    return {
      workspaceId,
      otelTraceId,
      firstAtMs,
      digest,
      experimentIds: experimentIds.get(workspaceId) ?? {},
    }
  })
  const make = async (batch: readonly AssemblyRequest[]) =>
    worker.assemble({ lines, assemblies: batch, revision, liveRates: await liveRates() }, await overrides())
  try {
    return await make(tasks)
  } catch (error) {
    if (!(error instanceof WorkerDied)) throw error
  }
  const each: AssembledRows[] = []
  for (const task of tasks) {
    try {
      each.push(await make([task]))
    } catch (error) {
      if (!(error instanceof WorkerDied)) throw error
      each.push({ ...noRows, results: [failedResult(task, error.message)] })
    }
  }
  return {
    traces: Buffer.concat(each.map(({ traces }) => traces)),
    logs: Buffer.concat(each.map(({ logs }) => logs)),
    scores: each.flatMap(({ scores }) => scores),
    results: each.flatMap(({ results }) => results),
  }
}

const noRows = { traces: new Uint8Array(), logs: new Uint8Array(), scores: [] }

const failedResult = ({ workspaceId, otelTraceId }: AssemblyRequest, error: string): AssemblyResult => ({
  workspaceId,
  otelTraceId,
  digest: '',
  isUnchanged: true,
  spans: 0,
  hasEndedRoot: false,
  traces: [],
  sampledTraces: [],
  error,
})

/** Lists every key under which rows of these traces are stored, or will be. */
function makePlan(
  revision: number,
  assemblies: readonly Assembly[],
  results: readonly AssemblyResult[],
): AssemblyPlan {
  const before = new Map(assemblies.map((assembly) => [keyOf(assembly), assembly.traces]))
  return {
    revision,
    traces: results.map(({ workspaceId, otelTraceId, traces }) => ({
      workspaceId,
      otelTraceId,
      traces: union(before.get(keyOf({ workspaceId, otelTraceId })) ?? [], traces),
    })),
  }
}

async function store(
  { store: traceStore, assemblyStore, refusedRecords, logger }: AssemblerParts,
  { revision, traces }: AssemblyPlan,
  rows: AssembledRows,
  hasOlder: boolean,
): Promise<void> {
  const keys: TraceKey[] = traces.flatMap((entry) =>
    entry.traces.map((trace) => ({ workspaceId: entry.workspaceId, ...trace })),
  )
  // Scores are not replaced: the same spans give scores with the same ids again.
  const unstored =
    rows.scores.length === 0 ? [] : unstoredScores(rows.scores, await traceStore.storedScores(rows.scores))
  // Read after the stored scores: a score is marked as deleted before it is deleted.
  const deletedIds = unstored.length === 0 ? new Set() : await assemblyStore.deletedScores(traces)
  const scores = unstored.filter(({ scoreId }) => !deletedIds.has(scoreId))
  const batch = {
    traces: toBuffer(rows.traces),
    logs: toBuffer(rows.logs),
    scores: encodeScores(scores),
  }
  const result = await traceStore.replace({ revision, keys, replaces: hasOlder, ...batch })
  if (result.rejectedRows.length === 0) return
  logger.error(
    { revision, rows: result.rejectedRows.length },
    'the trace store rejected rows of assembled traces',
  )
  await refusedRecords.keep(`assembly-${revision}`, result.rejectedRows.map(withoutContent))

  function toBuffer(bytes: Uint8Array): Buffer {
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }
}

/** The new state of each assembly. */
function toAssembled(
  assemblies: readonly Assembly[],
  results: readonly AssemblyResult[],
  now: Date,
): FinishedAssembly[] {
  const resultByKey = new Map(results.map((result) => [keyOf(result), result]))
  return assemblies.map((assembly) => {
    const result = resultByKey.get(keyOf(assembly))
    const nowMs = now.getTime()
    const isKept = result === undefined || result.isUnchanged
    return {
      ...assembly,
      traces: isKept ? assembly.traces : [...result.traces],
      digest: isKept ? assembly.digest : result.digest,
      notBeforeMs: nowMs + pauseAfter(result?.spans ?? 0),
      settlesAtMs: settlesAt(result?.hasEndedRoot ?? false, assembly.lastAtMs, nowMs),
      isUnsure: false,
      toJudge: isKept ? undefined : JSON.stringify(result.sampledTraces),
    }
  })
}

const keyOf = ({ workspaceId, otelTraceId }: { workspaceId: string; otelTraceId: string }): string =>
  `${workspaceId} ${otelTraceId}`

function union<Trace extends { traceId: string; startUs: bigint }>(
  first: readonly Trace[],
  second: readonly Trace[],
): Trace[] {
  const all = new Map([...first, ...second].map((trace) => [`${trace.traceId} ${trace.startUs}`, trace]))
  return [...all.values()]
}
