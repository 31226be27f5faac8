/** Runs recomputations as jobs: a comparison, which changes nothing, and later its application. */
import {
  type ControlStore,
  type JsonValue,
  type Recomputation,
  recomputationJobKey,
  recomputationJobKind,
} from '@plumbline/storage/control'
import type { CostChanges, TraceStore } from '@plumbline/storage/traces'
import { type JobContext, JobFailure, type JobResult } from '../../jobs/job.ts'
import type { Jobs } from '../../jobs/jobs.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import type { ChangeTraces } from '../otlp/assembly/change-traces.ts'
import type { PriceLists } from '../prices/price-lists.ts'
import { makeDifferences } from './differences.ts'
import { type NewCosts, newCostsOf, type Prices } from './new-costs.ts'

interface RecomputingDeps {
  readonly control: Pick<ControlStore, 'recomputations'>
  readonly traceStore: Pick<TraceStore, 'changeCosts'>
  readonly jobs: Pick<Jobs, 'handle'>
  readonly priceLists: Pick<PriceLists, 'find'>
  readonly workspaceOf: (workspaceId: string) => Workspace
  /** Resolves once everything acknowledged so far is in the trace store. */
  readonly settle: (workspaceId: string) => Promise<void>
  readonly changeTraces: ChangeTraces
  readonly now: () => Date
}

export interface Recomputing {
  /** Queues the step that the status of a recomputation names. */
  enqueue(recomputation: Pick<Recomputation, 'id' | 'workspaceId' | 'status'>): Promise<void>
  /** Resumes recomputations that an earlier process left unfinished. */
  start(): Promise<void>
}

/** A limit, since each log becomes part of a statement. */
const logsPerSlice = 50
const tracesPerReport = 1000

interface Progress {
  readonly slices: number
  /** Written before it is applied, so that its sums change only once. */
  readonly slice?: StoredSlice
}

/** Start times are texts, since JSON has no large integers. */
type StoredSlice = Pick<CostChanges, 'traces' | 'logs'> & {
  readonly keys: readonly StoredKey[]
}
type StoredKey = { readonly traceId: string; readonly startUs: string; readonly revision: string }

export function makeRecomputing(deps: RecomputingDeps): Recomputing {
  const { control, jobs, now } = deps

  const run = async (id: string, context: JobContext): Promise<JobResult> => {
    const recomputation = await control.recomputations.find(id)
    if (recomputation === undefined) return { type: 'done', result: null }
    await deps.settle(recomputation.workspaceId)
    const prices = await pricesOf(recomputation)
    if (recomputation.status === 'comparing') return compare(deps, recomputation, prices, context)
    if (recomputation.status === 'applying') return apply(deps, recomputation, prices, context)
    return { type: 'done', result: null }
  }

  const pricesOf = async ({ workspaceId, listVersion }: Recomputation): Promise<Prices> => {
    const list = await deps.priceLists.find(listVersion)
    if (list === undefined)
      throw new JobFailure(`The price list ${listVersion} no longer exists.`, { isFinal: true })
    return { list, overrides: await deps.workspaceOf(workspaceId).prices.list() }
  }

  const kind = jobs.handle(recomputationJobKind, ({ id }: { id: string }, context) => run(id, context), {
    concurrency: 1,
  })
  const enqueue: Recomputing['enqueue'] = async ({ id, workspaceId, status }) =>
    void (await kind.enqueue({ id }, { key: recomputationJobKey({ id, status }), workspaceId }))

  return {
    enqueue,
    async start() {
      for (const recomputation of await control.recomputations.running()) await enqueue(recomputation)
    },
  }

  async function compare(
    { workspaceOf }: RecomputingDeps,
    { id, workspaceId, fromUs, toUs }: Recomputation,
    prices: Prices,
    { signal, reportProgress }: JobContext,
  ): Promise<JobResult> {
    const differences = makeDifferences()
    let traces = 0
    for await (const trace of workspaceOf(workspaceId).traces.walk({ fromUs, toUs })) {
      if (signal.aborted) return { type: 'again', dueAt: now() }
      traces += 1
      const newCosts = newCostsOf(trace, prices)
      if (newCosts !== undefined) differences.add(trace, newCosts)
      if (traces % tracesPerReport === 0) await reportProgress({ traces })
    }
    await control.recomputations.finishComparing(id, traces, JSON.stringify(differences.list()), now())
    return { type: 'done', result: { traces } satisfies JsonValue }
  }
}

/** Can start over after a crash: traces that already have their new costs do not change again. */
async function apply(
  deps: RecomputingDeps,
  { id, workspaceId, fromUs, toUs, progress: storedProgress }: Recomputation,
  prices: Prices,
  { signal, reportProgress }: JobContext,
): Promise<JobResult> {
  const { control, traceStore, changeTraces, workspaceOf, now } = deps
  // Safe: only this function writes it.
  let progress = { slices: 0, ...(JSON.parse(storedProgress) as Partial<Progress>) } as Progress
  const save = (next: Progress): Promise<void> => {
    progress = next
    return control.recomputations.saveProgress(id, JSON.stringify(next))
  }
  const carryOut = async ({ keys, traces, logs }: StoredSlice): Promise<void> => {
    const token = `recomputation ${id} ${progress.slices}`
    const traceKeys = keys.map((key) => ({ ...key, workspaceId, startUs: BigInt(key.startUs) }))
    await changeTraces({ workspaceId, traceIds: keys.map(({ traceId }) => traceId) }, () =>
      traceStore.changeCosts({ keys: traceKeys, traces, logs, token }),
    )
    await save({ slices: progress.slices + 1 })
  }
  if (progress.slice !== undefined) await carryOut(progress.slice)
  let changed = 0
  let pending: PendingTrace[] = []
  const flush = async (): Promise<void> => {
    for (const slice of slicesOf(pending)) {
      await save({ slices: progress.slices, slice })
      await carryOut(slice)
    }
    pending = []
  }
  for await (const trace of workspaceOf(workspaceId).traces.walk({ fromUs, toUs })) {
    if (signal.aborted) return { type: 'again', dueAt: now() }
    const newCosts = newCostsOf(trace, prices)
    if (newCosts === undefined) continue
    const { traceId, startUs } = trace.trace
    pending.push({ key: { traceId, startUs: String(startUs), revision: trace.revision }, newCosts })
    changed += 1
    if (pending.reduce((sum, each) => sum + each.newCosts.logs.length, 0) >= logsPerSlice) await flush()
    if (changed % tracesPerReport === 0) await reportProgress({ changed })
  }
  await flush()
  await control.recomputations.finishApplying(id, now())
  return { type: 'done', result: { changed } satisfies JsonValue }
}

interface PendingTrace {
  readonly key: StoredKey
  readonly newCosts: NewCosts
}

/** Slices with a bounded number of logs; the cost of a trace changes with its last log. */
function slicesOf(traces: readonly PendingTrace[]): StoredSlice[] {
  const slices: StoredSlice[] = []
  const logs = traces.flatMap(({ key, newCosts }) =>
    newCosts.logs.map((log, index) => ({
      log: { ...log, traceId: key.traceId },
      key,
      trace: index === newCosts.logs.length - 1 ? { traceId: key.traceId, cost: newCosts.cost } : undefined,
    })),
  )
  for (let start = 0; start < logs.length; start += logsPerSlice) {
    const part = logs.slice(start, start + logsPerSlice)
    slices.push({
      keys: [...new Map(part.map(({ key }) => [key.traceId, key])).values()],
      traces: part.flatMap(({ trace }) => trace ?? []),
      logs: part.map(({ log }) => log),
    })
  }
  return slices
}
