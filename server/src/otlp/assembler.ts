/**
 * Keeps traces in step with the spans that are stored: makes each new one, and makes it anew when more of it comes.
 * What is due stands in the control plane, so that nothing is forgotten when a process dies and any node's spans are
 * seen; of several nodes one assembles at a time. What is about to be written is written down first: a plan that a
 * process left is carried out before anything else, under the same tokens, and its traces are assembled once more,
 * since by then their spans may be others.
 */
import {
  type Assembled,
  type Assembly,
  type AssemblyBooks,
  type AssemblyPlan,
  ControlStoreAway,
} from '@plumbline/storage/control'
import { type TraceKey, type TraceStore, TraceStoreAway } from '@plumbline/storage/traces'
import { encodeScoreRow } from '@plumbline/storage/traces/rows'
import type { Logger } from 'pino'
import { type RecordingWorker, WorkerDied } from '../monitor/recording-worker.ts'
import type { RefusedRecords } from '../monitor/refused-records.ts'
import type { Overrides } from '../monitor/worker-messages.ts'
import type { AskedAssembly, AssembledRows, AssemblyResult } from './assemble.ts'
import { pauseAfter, settlesAt } from './pace.ts'

interface AssemblerParts {
  readonly books: AssemblyBooks
  readonly store: TraceStore
  readonly worker: RecordingWorker
  readonly refused: RefusedRecords
  readonly overrides: () => Promise<Overrides>
  /** Experiments that traces have joined after they were recorded: by workspace, then by our trace id. */
  readonly joinedOf: (
    asked: readonly AskedAssembly[],
  ) => Promise<ReadonlyMap<string, Readonly<Record<string, string>>>>
  /** Does some work while nothing else is written into the trace store. */
  readonly inTurn: <Result>(work: () => Promise<Result>) => Promise<Result>
  /** Tells this node from others, also after it was started again. */
  readonly node: string
  /** Whether other nodes share the books, and have to be looked after. */
  readonly isShared: boolean
  /** Told that traces may have settled. */
  readonly onAssembled: () => void
  readonly logger: Logger
  readonly now: () => Date
}

export interface Assembler {
  /** Says that there may be something to assemble. */
  wake(): void
  /** Assembles everything that has come, whatever its pause; resolves when it is stored, or when a store is away. */
  flush(): Promise<void>
  /** Finishes the batch under way and assembles nothing more. */
  stop(): Promise<void>
}

/** Of one batch: a statement of the trace store costs the same for one trace and for many. */
const tracesMax = 1000
const spansMax = 10_000
/** How long a node that says nothing keeps its turn. */
const turnMs = 30_000
/** How often nodes that share the books look for spans of others. */
const lookMs = 500
const leastRestMs = 10
const retryMs = { first: 500, most: 10_000 }
/** Later than any time that something is due. */
const endOfTime = new Date(8.64e15)

type Round = 'assembled' | 'nothing is due' | 'the turn is another node’s'

export function makeAssembler(parts: AssemblerParts): Assembler {
  const { books, inTurn, isShared, logger, now } = parts
  let isAwake = false
  let isStopped = false
  let running: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined

  const wakeIn = (ms: number): void => {
    clearTimeout(timer)
    if (!isStopped) timer = setTimeout(wake, ms).unref()
  }

  const run = async (): Promise<void> => {
    let retryAfterMs = retryMs.first
    while (isAwake && !isStopped) {
      isAwake = false
      try {
        const round = await inTurn(() => assembleDue(parts, now()))
        retryAfterMs = retryMs.first
        if (round === 'assembled') isAwake = true
        else if (round === 'nothing is due') await rest()
        else wakeIn(lookMs)
      } catch (error) {
        const isAway = error instanceof TraceStoreAway || error instanceof ControlStoreAway
        logger[isAway ? 'warn' : 'error']({ err: error, retryAfterMs }, 'traces could not be assembled')
        wakeIn(retryAfterMs)
        retryAfterMs = Math.min(retryAfterMs * 2, retryMs.most)
      }
    }
    running = undefined
    if (isAwake && !isStopped) start()
  }

  /** Until the next is due; nodes that share the books look again before. */
  const rest = async (): Promise<void> => {
    const dueMs = await books.nextDueMs()
    const leftMs =
      dueMs === undefined ? Number.POSITIVE_INFINITY : Math.max(dueMs - now().getTime(), leastRestMs)
    const ms = isShared ? Math.min(leftMs, lookMs) : leftMs
    if (Number.isFinite(ms)) wakeIn(ms)
  }

  const start = (): void => {
    clearTimeout(timer)
    running ??= run()
  }

  const wake = (): void => {
    isAwake = true
    if (!isStopped) start()
  }

  return {
    wake,
    async flush() {
      isStopped = true
      clearTimeout(timer)
      await running
      isStopped = false
      while ((await inTurn(() => assembleDue(parts, endOfTime))) === 'assembled');
      if (isShared) wakeIn(lookMs)
    },
    async stop() {
      isStopped = true
      clearTimeout(timer)
      await running
      // Others need not wait until the turn is over.
      await books.takeTurn(parts.node, now(), 0).catch(() => undefined)
    },
  }
}

/** One batch of what is due at a time. */
async function assembleDue(parts: AssemblerParts, dueAt: Date): Promise<Round> {
  const { books, node, now } = parts
  const due = await books.due(dueAt, tracesMax)
  if (due.length === 0) return 'nothing is due'
  const revision = await books.takeTurn(node, now(), turnMs)
  if (revision === undefined) return 'the turn is another node’s'
  const unfinished = await books.unfinished()
  if (unfinished.length > 0) {
    for (const plan of unfinished) await carryOutAgain(parts, plan)
    return 'assembled'
  }
  const assemblies = withinSpans(due)
  const rows = await rowsOf(parts, assemblies, revision)
  const changed = rows.results.filter(({ isUnchanged }) => !isUnchanged)
  if (changed.length > 0) {
    const plan = planOf(revision, assemblies, changed)
    if (!(await books.begin(plan))) return 'the turn is another node’s'
    const hasOlder = assemblies.some(({ traces }) => traces.length > 0)
    await store(parts, plan, rows, hasOlder)
  }
  const ended = changed.length > 0 ? revision : undefined
  await books.finish(ended, assembledOf(assemblies, rows.results, now()))
  parts.onAssembled()
  return 'assembled'
}

/** What a process that died, or a store that was away, has left: whatever was done of it is not done again. */
async function carryOutAgain(parts: AssemblerParts, left: AssemblyPlan): Promise<void> {
  const { books, now } = parts
  const assemblies = await books.find(left.traces)
  const rows = await rowsOf(
    parts,
    assemblies.map((assembly) => ({ ...assembly, digest: '' })),
    left.revision,
  )
  // Rows may have been stored under any of these: of the plan, and of what its spans make now.
  const known = new Map(left.traces.map((of) => [keyOf(of), of.traces]))
  const widened = assemblies.map((assembly) => ({
    ...assembly,
    traces: union(assembly.traces, known.get(keyOf(assembly)) ?? []),
  }))
  const plan = planOf(left.revision, widened, rows.results)
  await books.widen(plan)
  await store(parts, plan, rows, true)
  const keysOf = new Map(plan.traces.map((of) => [keyOf(of), of.traces]))
  const assembled = assembledOf(assemblies, rows.results, now()).map((each) => ({
    ...each,
    traces: keysOf.get(keyOf(each)) ?? each.traces,
    digest: '',
    notBeforeMs: now().getTime(),
    isUnsure: true,
  }))
  await books.finish(left.revision, assembled)
}

/** At least one, and no more spans than are to be in memory at a time. */
function withinSpans(due: readonly Assembly[]): Assembly[] {
  let spans = 0
  const end = due.findIndex((assembly, at) => {
    spans += assembly.spans
    return at > 0 && spans > spansMax
  })
  return end === -1 ? [...due] : due.slice(0, end)
}

/** A trace of which no rows can be made is told of, and stays as it was until more of it comes. */
async function rowsOf(
  parts: AssemblerParts,
  asked: readonly AskedAssembly[],
  revision: number,
): Promise<AssembledRows> {
  const rows = await makeRows(parts, asked, revision)
  for (const { workspaceId, otelTraceId, error } of rows.results)
    if (error !== undefined)
      parts.logger.error({ workspaceId, otelTraceId, error }, 'no rows could be made of a trace')
  return rows
}

/** A trace that kills the worker is given up, and no other with it. */
async function makeRows(
  { store: traceStore, worker, overrides, joinedOf }: AssemblerParts,
  asked: readonly AskedAssembly[],
  revision: number,
): Promise<AssembledRows> {
  const lines = await traceStore.readSpans(asked)
  const joined = await joinedOf(asked)
  const wanted = asked.map((of) => {
    const { workspaceId, otelTraceId, firstAtMs, digest } = of
    return { workspaceId, otelTraceId, firstAtMs, digest, joined: joined.get(workspaceId) ?? {} }
  })
  const make = async (of: readonly AskedAssembly[]) =>
    worker.assemble({ lines, asked: of, revision }, await overrides())
  try {
    return await make(wanted)
  } catch (error) {
    if (!(error instanceof WorkerDied)) throw error
  }
  const each: AssembledRows[] = []
  for (const one of wanted) {
    try {
      each.push(await make([one]))
    } catch (error) {
      if (!(error instanceof WorkerDied)) throw error
      each.push({ ...noRows, results: [givenUp(one, error.message)] })
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

const givenUp = ({ workspaceId, otelTraceId }: AskedAssembly, error: string): AssemblyResult => ({
  workspaceId,
  otelTraceId,
  digest: '',
  isUnchanged: true,
  spans: 0,
  hasEndedRoot: false,
  traces: [],
  sampled: [],
  error,
})

/** With every place where rows of these traces are, or will be. */
function planOf(
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
  { store: traceStore, refused, logger }: AssemblerParts,
  { revision, traces }: AssemblyPlan,
  rows: AssembledRows,
  hasOlder: boolean,
): Promise<void> {
  const keys: TraceKey[] = traces.flatMap((of) =>
    of.traces.map((trace) => ({ workspaceId: of.workspaceId, ...trace })),
  )
  // Scores are not replaced: those that came of the same spans before have the same ids.
  const known = rows.scores.length === 0 ? new Set() : await traceStore.storedScores(rows.scores)
  const scores = rows.scores.filter(({ scoreId }) => !known.has(scoreId))
  const batch = {
    traces: asBuffer(rows.traces),
    logs: asBuffer(rows.logs),
    scores: Buffer.from(scores.map(encodeScoreRow).join('')),
  }
  const result = await traceStore.replace({ revision, keys, replaces: hasOlder, ...batch })
  if (result.refused.length === 0) return
  logger.error({ revision, lines: result.refused.length }, 'the trace store refused rows of assembled traces')
  const records = result.refused.map((line) => ({ ...line, content: '', origin: undefined }))
  await refused.keep(`assembly-${revision}`, records)

  function asBuffer(bytes: Uint8Array): Buffer {
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }
}

/** What the books are to say of each afterwards. */
function assembledOf(
  assemblies: readonly Assembly[],
  results: readonly AssemblyResult[],
  at: Date,
): Assembled[] {
  const resultOf = new Map(results.map((result) => [keyOf(result), result]))
  return assemblies.map((assembly) => {
    const result = resultOf.get(keyOf(assembly))
    const nowMs = at.getTime()
    const isKept = result === undefined || result.isUnchanged
    return {
      ...assembly,
      traces: isKept ? assembly.traces : [...result.traces],
      digest: isKept ? assembly.digest : result.digest,
      notBeforeMs: nowMs + pauseAfter(result?.spans ?? 0),
      settlesAtMs: settlesAt(result?.hasEndedRoot ?? false, assembly.lastAtMs, nowMs),
      isUnsure: false,
      toJudge: isKept ? undefined : JSON.stringify(result.sampled),
    }
  })
}

const keyOf = ({ workspaceId, otelTraceId }: { workspaceId: string; otelTraceId: string }): string =>
  `${workspaceId} ${otelTraceId}`

function union<Trace extends { traceId: string; startUs: bigint }>(
  one: readonly Trace[],
  other: readonly Trace[],
): Trace[] {
  const all = new Map([...one, ...other].map((trace) => [`${trace.traceId} ${trace.startUs}`, trace]))
  return [...all.values()]
}
