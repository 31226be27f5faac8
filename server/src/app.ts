/** Builds the service from its settings, module by module: nothing is global, and importing a module connects to nothing. */
import { fileURLToPath } from 'node:url'
import { type ControlStore, defaultWorkspaceId } from '@plumbline/storage/control'
import type { TraceStore } from '@plumbline/storage/traces'
import type { FastifyInstance } from 'fastify'
import { makeAdmitting } from './accounts/admitting.ts'
import { makeAuditing } from './accounts/auditing.ts'
import { ensureKey } from './accounts/keys/first-key.ts'
import { offerSetUp } from './accounts/people/offer-set-up.ts'
import { makeEnqueue } from './evaluate/evaluations/enqueue.ts'
import { makeQuietSessions } from './evaluate/evaluations/live/quiet-sessions.ts'
import { CodeSandbox } from './evaluate/evaluators/code/run-code.ts'
import { makeJudging } from './evaluate/judging.ts'
import { GrpcListener, makeServingHttp } from './http/serving-http.ts'
import { makePricing } from './ingest/pricing.ts'
import { makeRecording } from './ingest/recording.ts'
import { makeJobs } from './jobs/jobs.ts'
import { makeDeliveries } from './langfuse/deliveries.ts'
import { makeWorkspaces } from './make-workspaces.ts'
import type { Module } from './module.ts'
import { makeObserving } from './observe/observing.ts'
import { makeDeletionModule } from './operate/deletions/deletion-module.ts'
import { makeOperating } from './operate/operating.ts'
import { makeConnecting } from './outbound/connections/connecting.ts'
import { connectionRoutes } from './outbound/connections/routes.ts'
import { type FoundationParts, openFoundation } from './process/foundation.ts'
import { makeCloser, makeServices } from './process/service.ts'
import { makeServing } from './prompts/serving.ts'
import { makeCaches } from './workspace/caches.ts'

export interface AppParts extends Partial<FoundationParts> {
  readonly config: FoundationParts['config']
  readonly dataFolder: FoundationParts['dataFolder']
  readonly logger: FoundationParts['logger']
  /** The folder of the built web app. */
  readonly pageFolder?: string
}

export interface App {
  readonly server: FastifyInstance
  /** Creates the first key and returns it, this once; undefined if there is already a key. */
  readonly ensureFirstKey: () => Promise<string | undefined>
  /** The token of the set-up link; undefined if there is already an owner. */
  readonly setUpToken: string | undefined
  /** Signs the session cookies. */
  readonly sessionSecret: string
  /** What the operator has to know about the installation's secret, as sentences. */
  readonly notices: readonly string[]
  /** The control plane, for what has no operation: creating workspaces. */
  readonly control: ControlStore
  /** The trace store, for tests that check that nothing is left in it. */
  readonly traceStore: TraceStore
  /** Listens for OpenTelemetry over gRPC; resolves with the port. Until it is called, nothing does. */
  listenGrpc(host: string, port: number): Promise<number>
  /** Resolves once everything acknowledged so far is in the trace store, and spans are assembled into their traces. */
  flush(): Promise<void>
  /** Resolves once no password link is still being mailed. */
  mailed(): Promise<void>
  /** Resolves once no background job is due or running on this node. */
  jobsDrained(): Promise<void>
  /** Runs the feeds of annotation queues now instead of waiting for their job. */
  feedQueues(): Promise<void>
  /** Finishes work in progress, moves what it can to the trace store, and releases all resources. */
  close(): Promise<void>
}

const builtPage = fileURLToPath(new URL('../../web/dist', import.meta.url))

/** Opens the stores and builds the server; nothing listens yet. */
export async function createApp(parts: AppParts): Promise<App> {
  const { now = () => new Date(), isDurable, pageFolder = builtPage } = parts
  const foundation = await openFoundation({ ...parts, now, isDurable })
  const { control, traceStore, config, secrets, node, logger, storeOf } = foundation

  const jobs = makeJobs({ queue: control.jobs, leaseOwner: node, logger, now })
  const caches = makeCaches(foundation)
  const connections = makeConnecting(secrets.keyring, config)
  const connecting: Module = {
    routes: connectionRoutes(connections),
    services: [makeCloser('connections to models', () => connections.close())],
  }
  const sandbox = new CodeSandbox()
  const sandboxing: Module = { services: [makeCloser('the code sandbox', () => sandbox.close())] }
  const serving = await makeServing(foundation, connections)
  const live = { liveEvaluators: caches.liveEvaluators, tracesOf: traceStore.scopedTo, logger, now }
  const quietSessions = makeQuietSessions({
    ...live,
    ...{ jobs, jobQueue: control.jobs, evaluations: control.evaluations },
    notify: foundation.signals.evaluationsDue.notify,
  })
  const enqueue = makeEnqueue({
    ...live,
    ...{ queue: control.evaluations, quietSessions, cacheOf: caches.of },
  })
  const recording = await makeRecording(foundation, { caches, recordArrivals: enqueue.recordArrivals })
  const workspaces = makeWorkspaces({ ...foundation, ...recording, ...serving, caches, sandbox })
  const judging = makeJudging(foundation, { connections, recording, workspaces, enqueue, jobs })
  const pricing = makePricing(foundation, { jobs, recording, workspaces })
  const observing = makeObserving(foundation, jobs)
  const admitting = makeAdmitting(foundation, { workspaces, drain: recording.drain, jobs })
  const auditing = makeAuditing(foundation, { jobs })
  const deleting = makeDeletionModule(foundation, { jobs, recording, workspaces })
  const deliveries = makeDeliveries({
    ...{ jobs, workspaces, joining: judging.joining },
    onChanged: foundation.signals.workspaceChanged.notify,
  })
  const grpc = new GrpcListener()
  const operating = makeOperating(foundation, { jobs, grpcPort: () => grpc.port })

  const modules = [
    caches,
    connecting,
    sandboxing,
    serving,
    recording,
    judging,
    pricing,
    observing,
    admitting,
    auditing,
    deleting,
    operating,
  ]
  const routes = modules.flatMap((module: Module) => module.routes ?? [])
  const http = await makeServingHttp(foundation, {
    ...{ admitting, auditing, caches, recording, serving, workspaces },
    ...{ deliveries, grpc, pageFolder, routes, shareSigner: observing.shareSigner },
  })
  const services = [foundation, ...modules, http].flatMap((module: Module) => module.services ?? [])
  const lifeCycle = makeServices(services, logger)
  const ensureFirstKey = () =>
    ensureKey(storeOf(defaultWorkspaceId).apiKeys, control, config.PLUMBLINE_API_KEY, now())
  // A configured key must be valid before the first request. A generated key is created later, once the service can be used.
  if (config.PLUMBLINE_API_KEY !== undefined) await ensureFirstKey()
  const setUpToken = await offerSetUp(control.people, now())
  await lifeCycle.start()
  return {
    ...{ server: http.server, ensureFirstKey, setUpToken, control, traceStore },
    sessionSecret: secrets.sessions,
    notices: secrets.notices,
    listenGrpc: http.listenGrpc,
    flush: recording.drained,
    mailed: async () => admitting.signingIn.forgottenPassword?.drained(),
    jobsDrained: jobs.drained,
    feedQueues: judging.feedQueues,
    close: lifeCycle.stop,
  }
}
