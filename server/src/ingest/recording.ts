/** The recording module, from the wire to the trace store: the spool, the drain, the assembler and the ledger. */
import { join } from 'node:path'
import type { LiveRule } from '@plumbline/contract'
import { makeNodeMutex } from '@plumbline/storage/control'
import { resultWithin } from '@plumbline/storage/result-within'
import { haveSharedStores } from '../config.ts'
import { makeTimer } from '../jobs/timer.ts'
import type { Module } from '../module.ts'
import type { Foundation } from '../process/foundation.ts'
import { type Mutex, makeMutex } from '../process/mutex.ts'
import { makeCloser, type Service } from '../process/service.ts'
import { makeShardOutages } from '../process/shard-outages.ts'
import { makeSignal } from '../process/signal.ts'
import type { Caches } from '../workspace/caches.ts'
import { type Ledger, makeLedger } from './ledger/ledger.ts'
import { ledgerRoutes } from './ledger/routes.ts'
import { type Masking, makeMasking } from './masking/masking.ts'
import { maskingRoutes } from './masking/routes.ts'
import { type Drain, makeDrain } from './monitor/drain.ts'
import type { LiveRates, SampledTrace } from './monitor/judged-references.ts'
import { makeRecorders, type Recorders, spansPrefix } from './monitor/recorder.ts'
import {
  makeRefusedRecords,
  makeSharedRefusedRecords,
  type RefusedRecords,
} from './monitor/refused-records.ts'
import { monitorRoutes } from './monitor/routes.ts'
import { RecordingWorker } from './monitor/worker/recording-worker.ts'
import { type Assembler, makeAssembler } from './otlp/assembly/assembler.ts'
import {
  type ChangeTraces,
  makeChangeTraces,
  makeUntilStored,
  type UntilStored,
} from './otlp/assembly/change-traces.ts'
import { findExperimentIds } from './otlp/assembly/find-experiment-ids.ts'
import { makeOpenTraces, type OpenTraces } from './otlp/assembly/open-traces.ts'
import { makePendingSpans } from './otlp/assembly/pending-spans.ts'
import { makeSharedPendingSpans } from './otlp/assembly/shared-pending-spans.ts'
import { makeWholeTraceStore } from './otlp/assembly/store-whole-traces.ts'
import { makeAttributeCounter } from './otlp/receive/attribute-metrics.ts'
import { addRecordingMetrics, countRejections, countSetAside, makeLossCounter } from './recording-metrics.ts'

export interface Recording extends Module {
  readonly recorders: Recorders
  readonly masking: Masking
  readonly ledger: Ledger
  readonly openTraces: OpenTraces
  readonly drain: Drain
  readonly refusedRecords: RefusedRecords
  /** Held while stored traces are changed, on all nodes; the assembler does not take it. */
  readonly traceChanges: Mutex
  readonly changeTraces: ChangeTraces
  readonly untilStored: UntilStored
  /** Sets the price list file that rows are built with; undefined for the list that came with the release. */
  readonly setPriceList: (path: string | undefined) => void
  /**
   * Resolves once everything acknowledged so far, or that of one workspace, is in the trace store; recording continues
   * meanwhile. Rejects when the store, or the shard of the workspace, is away.
   */
  settle(workspaceId?: string): Promise<void>
  /** Resolves once everything acknowledged so far is in the trace store, and all spans are in their traces. */
  drained(): Promise<void>
}

interface RecordingDeps {
  readonly caches: Caches
  /** Queues the sampled traces of a segment for evaluation, under the segment's token. */
  readonly recordArrivals: (token: string, traces: readonly SampledTrace[]) => Promise<void>
}

/** How long a stop waits for the trace store; the remaining records are safe in the spool. */
const drainTimeoutMs = 10_000

export async function makeRecording(foundation: Foundation, deps: RecordingDeps): Promise<Recording> {
  const intake = makeIntake(foundation, deps.caches)
  const { masking, ledger, refusedRecords, worker, recorders, pendingSpans } = intake
  await recorders.recoverScores()
  const common = makeCommonParts(foundation, deps.caches, intake)
  const drain = makeSpoolDrain(foundation, deps, intake, common)
  intake.onAppended.subscribe(drain.wake)
  foundation.spool.onReclaimed(drain.wake)
  const assembler = makeAssembler({
    ...common,
    isShared: isShared(foundation),
    node: foundation.node,
    runExclusive: drain.pauseWhile,
    onAssembled: foundation.signals.evaluationsDue.notify,
  })
  foundation.signals.assembliesDue.subscribe(assembler.wake)
  addRecordingMetrics(foundation)
  const toTraceStore = movingToTraceStore(foundation, drain, assembler)
  const openTraces = makeOpenTraces({
    ...common,
    pendingSpans,
    readRecord: (recordId) => foundation.spool.find(recordId),
    settle: drain.settle,
  })
  const traceChanges = makeTraceChanges(foundation)
  return {
    recorders,
    masking,
    ledger,
    openTraces,
    drain,
    refusedRecords,
    traceChanges,
    changeTraces: makeChangeTraces({
      ...common,
      traceChanges,
      pauseDrainWhile: drain.pauseWhile,
      wakeAssembler: assembler.wake,
      node: foundation.node,
    }),
    untilStored: makeUntilStored({ ...common, wakeAssembler: assembler.wake }),
    setPriceList: (path) => worker.setPriceList(path),
    async settle(workspaceId) {
      await drain.settle(workspaceId)
      await foundation.spool.othersDrained(
        workspaceId === undefined ? undefined : foundation.traceStore.shardOf(workspaceId),
      )
      await assembler.flush()
    },
    drained: toTraceStore.drained,
    routes: [...monitorRoutes, ...ledgerRoutes, ...maskingRoutes],
    services: [
      makeCloser('the recording worker', () => worker.close()),
      makeCloser('the masking worker', () => masking.close()),
      makeCloser('the spool', () => foundation.spool.close()),
      makeTimer({
        name: 'the ledger',
        everyMs: 1000,
        tick: ledger.flush,
        ticksAtStop: true,
        logger: foundation.logger,
      }),
      toTraceStore,
    ],
  }
}

/** The node's own mutex comes first, so that this node uses at most one connection for the shared one. */
function makeTraceChanges({ config }: Pick<Foundation, 'config'>): Mutex {
  const ofNode = makeMutex()
  if (!haveSharedStores(config)) return ofNode
  const ofAllNodes = makeNodeMutex(config.DATABASE_URL)
  return { runExclusive: (work) => ofNode.runExclusive(() => ofAllNodes.runExclusive(work)) }
}

type Intake = ReturnType<typeof makeIntake>

/** What requests pass through: masking, the spool, and the counts of received and lost records. */
function makeIntake(foundation: Foundation, { overrides }: Pick<Caches, 'overrides'>) {
  const { spool, storeOf, dataFolder, registry, signals, now } = foundation
  const worker = new RecordingWorker()
  const masking = makeMasking({
    rulesOf: (workspaceId) => storeOf(workspaceId).maskingRules.list(),
    key: foundation.secrets.masking,
  })
  signals.workspaceChanged.subscribe(masking.forget)
  const ledger = countRejections(
    registry,
    makeLedger((workspaceId) => storeOf(workspaceId).ledger, now, masking.sample),
  )
  const refusedRecords = countSetAside(
    registry,
    spool.rejections === undefined
      ? makeRefusedRecords(join(dataFolder, 'refused'))
      : makeSharedRefusedRecords(spool.rejections),
  )
  const losses = makeLossCounter(registry)
  for (const { segmentId, damagedRecords } of foundation.spoolDamage) losses.add(segmentId, damagedRecords)
  const onAppended = makeSignal()
  const pendingSpans = spool.isShared
    ? makeSharedPendingSpans(spool)
    : makePendingSpans({
        isInSpool: (recordId) => spool.has(recordId),
        unknown: [...spool.ids()].filter((id) => id.startsWith(spansPrefix)),
      })
  const recorders = makeRecorders({
    spool,
    masking,
    worker,
    overrides,
    pendingSpans,
    onAppended: onAppended.notify,
  })
  return { worker, masking, ledger, refusedRecords, losses, onAppended, pendingSpans, recorders }
}

const isShared = ({ config }: Foundation): boolean => config.DATABASE_URL !== undefined

/** The parts that the drain, the assembler and the view of open traces share. */
const makeCommonParts = (
  { control, traceStore, registry, logger, now }: Foundation,
  caches: Caches,
  { worker, refusedRecords }: Intake,
) => ({
  assemblyStore: control.assemblies,
  store: traceStore,
  outages: makeShardOutages(traceStore, logger),
  workspacesInUse: async () => [...(await control.revisions()).keys()],
  worker,
  refusedRecords,
  overrides: caches.overrides,
  liveRates: makeLiveRates(caches),
  countNotUnderstood: makeAttributeCounter(registry),
  findExperimentIds: (assemblies: Parameters<typeof findExperimentIds>[1]) =>
    findExperimentIds(control, assemblies),
  logger,
  now,
})

function makeSpoolDrain(
  foundation: Foundation,
  { recordArrivals }: RecordingDeps,
  { ledger, losses, recorders, pendingSpans }: Intake,
  common: ReturnType<typeof makeCommonParts>,
): Drain {
  const { spool, control, signals, now } = foundation
  const wholeTraces = isShared(foundation)
    ? undefined
    : makeWholeTraceStore({ ...common, onStored: signals.evaluationsDue.notify })
  return makeDrain({
    ...common,
    wholeTraces,
    spool,
    ledger,
    onLost: losses.add,
    onScored: (scores) => recorders.forgetScores(scores),
    onRemoved: pendingSpans.forget,
    async onSpans(arrivals) {
      await control.assemblies.addArrivals(await pendingSpans.sinceFirst(arrivals), now())
      signals.assembliesDue.notify()
    },
    async onSampled(token, traces) {
      await recordArrivals(token, traces)
      signals.evaluationsDue.notify()
    },
  })
}

/** Candidates for live rules are noted while rows are made; which of them match is decided later. */
const makeLiveRates =
  ({ liveEvaluators }: Pick<Caches, 'liveEvaluators'>) =>
  async (): Promise<LiveRates> =>
    Object.fromEntries(
      [...(await liveEvaluators())].map(([workspaceId, evaluators]) => {
        // Safe: live rules are stored in the contract's form.
        const rules = evaluators.map(({ liveRule }) => JSON.parse(liveRule) as LiveRule)
        const ofSessions = rules.filter(({ subject }) => subject === 'session')
        const ofTraces = rules.filter(({ subject }) => subject !== 'session')
        return [workspaceId, { traces: highestRate(ofTraces), sessions: highestRate(ofSessions) }]
      }),
    )

const highestRate = (rules: readonly LiveRule[]): number =>
  Math.max(0, ...rules.map(({ sampleRate }) => sampleRate))

/** Starts with the records that the previous process left in the spool. */
function movingToTraceStore(
  { spool, logger }: Foundation,
  drain: Drain,
  assembler: Assembler,
): Service & { drained(): Promise<void> } {
  const waitForDrain = async (): Promise<void> => {
    await drain.flush()
    await assembler.flush()
  }
  return {
    name: 'the drain and the assembler',
    start() {
      drain.wake()
      assembler.wake()
    },
    async stop() {
      const error = await resultWithin(drainTimeoutMs, errorOf(waitForDrain()))
      if (error !== null)
        logger.warn(
          { err: error ?? `It took longer than ${drainTimeoutMs} ms.`, records: spool.size().records },
          'records that could not be moved to the trace store remain in the spool',
        )
      await assembler.stop()
      await drain.stop()
    },
    drained: waitForDrain,
  }
}

/** The error that some work failed with; null if it succeeded. */
const errorOf = (work: Promise<void>): Promise<unknown> =>
  work.then(
    () => null,
    (error: unknown) => error,
  )
