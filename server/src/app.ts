/** Builds the service from its settings and hands everything on as arguments: nothing is global, nothing connects on import. */
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Scope } from '@plumbline/contract'
import { type ControlStore, defaultWorkspaceId } from '@plumbline/storage/control'
import type { TraceStore } from '@plumbline/storage/traces'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { ensureKey } from './accounts/keys/first-key.ts'
import { offerSetUp } from './accounts/people/offer-set-up.ts'
import { dayMs, makeSigningIn } from './accounts/people/signing-in.ts'
import { makeWorkspaceDeletion } from './accounts/workspaces/deletion.ts'
import type { Config } from './config.ts'
import { makeUploadSigner } from './datasets/files/upload-signature.ts'
import { makeFeeding } from './evaluate/annotation-queues/feeding.ts'
import { makeEvaluating } from './evaluate/evaluations/evaluating.ts'
import { makeJudge } from './evaluate/evaluations/judge.ts'
import { CodeSandbox } from './evaluate/evaluators/code/run-code.ts'
import { RuleJudge } from './evaluate/evaluators/rules/rule-judge.ts'
import { makeExperimenting } from './evaluate/experiment-runs/experimenting.ts'
import { joinedOf } from './evaluate/experiments/joined-of.ts'
import { registerAgentRoutes } from './http/agent-routes.ts'
import { registerAuthRoutes } from './http/auth-routes.ts'
import { makeAuthenticator } from './http/authenticate.ts'
import { registerBackup } from './http/backup-route.ts'
import { makeIdempotency, responseRetentionMs } from './http/idempotency.ts'
import { makeIdentify, makeSessionOf } from './http/identify.ts'
import { makeMetrics } from './http/metrics.ts'
import { registerOperatorRoutes } from './http/operator-routes.ts'
import { registerOtlpRoutes } from './http/otlp-routes.ts'
import { makeRateLimit } from './http/rate-limit.ts'
import { makeServer } from './http/server.ts'
import { registerUploads } from './http/uploads.ts'
import { registerWebApp } from './http/web-app.ts'
import { makeLedger } from './ingest/ledger/ledger.ts'
import { makeDrain } from './ingest/monitor/drain.ts'
import { makeRecorders } from './ingest/monitor/recorder.ts'
import { RecordingWorker } from './ingest/monitor/recording-worker.ts'
import { makeRefusedRecords } from './ingest/monitor/refused-records.ts'
import { makeAssembler } from './ingest/otlp/assembler.ts'
import { type GrpcServer, listenGrpc } from './ingest/otlp/grpc.ts'
import { nodeId } from './ingest/otlp/node-id.ts'
import { makeReceiver } from './ingest/otlp/receiver.ts'
import { makeJobs } from './jobs/jobs.ts'
import { startScheduler } from './jobs/scheduled-tasks.ts'
import { makeAlerting } from './observe/alerts/alerting.ts'
import { removeSnapshot } from './operate/backup/snapshot.ts'
import { expireTraces } from './operate/retention/expire-traces.ts'
import { openSecrets } from './operate/secrets/open-secrets.ts'
import { makeConnecting } from './outbound/connections/connecting.ts'
import { findUnready, openStores } from './process/stores.ts'
import { makeFetchCounts } from './prompts/prompts/fetch-counts.ts'
import { makeRollBackOnAlert } from './prompts/rollouts/roll-back-on-alert.ts'
import { describeError } from './requests/describe-error.ts'
import { allRoutes } from './routes.ts'
import { watchUnreadableRows } from './workspace/unreadable-rows.ts'
import { fileStoreOf, makeWorkspaces } from './workspace/workspaces.ts'

export interface AppParts {
  readonly config: Config
  /** A folder that this process holds. */
  readonly dataFolder: string
  readonly logger: Logger
  readonly now?: () => Date
  /** False only in the benchmark, to measure what durability costs. */
  readonly isDurable?: boolean
  /** Where the built page is. */
  readonly pageFolder?: string
}

export interface App {
  readonly server: FastifyInstance
  /** The key made at the very first start, told once; undefined when there is a key already. */
  readonly firstSecret: string | undefined
  /** The token of the link to the set-up; undefined when there is an owner already. */
  readonly setUpToken: string | undefined
  /** What the cookies of people are signed with. */
  readonly sessionSecret: string
  /** What the operator has to know about the secret of the installation, in sentences. */
  readonly notices: readonly string[]
  /** The control plane, for what no operation does: making workspaces. */
  readonly control: ControlStore
  /** What machines append: tests see in it that nothing is left. */
  readonly traceStore: TraceStore
  /** Listens for OpenTelemetry over gRPC; resolves with the port. Not listening costs nothing. */
  listenGrpc(host: string, port: number): Promise<number>
  /** Resolves once everything acknowledged so far is in the trace store, and spans in their traces. */
  flush(): Promise<void>
  /** Resolves when no link to a new password is on its way. */
  mailed(): Promise<void>
  /** Goes on with workspaces that are being deleted, before the timer does. */
  deleteWorkspaces(): Promise<void>
  /** Adds to annotation queues what their feeds say, before the timer does. */
  feedQueues(): Promise<void>
  /** Finishes what is under way, moves what it can to the trace store, and lets go of everything. */
  close(): Promise<void>
}

const builtPage = fileURLToPath(new URL('../../web/dist', import.meta.url))
/** How long a stop waits for the trace store; what is left is safe in the spool. */
const flushTimeoutMs = 10_000

/** Opens the stores and builds the server; nothing listens yet. */
export async function createApp({
  config,
  dataFolder,
  logger: plainLogger,
  now = () => new Date(),
  isDurable,
  pageFolder = builtPage,
}: AppParts): Promise<App> {
  const logger = plainLogger.child({}, { serializers: { err: (error: unknown) => describeError(error) } })
  const stopWatchingRows = watchUnreadableRows(logger)
  const stores = await openStores({ config, dataFolder, isDurable, logger })
  const { control, traceStore, spool } = stores

  const worker = new RecordingWorker()
  const sandbox = new CodeSandbox()
  const rules = new RuleJudge()
  const storeOf = (workspaceId: string) => control.scopedTo({ workspaceId })
  const ledger = makeLedger((workspaceId) => storeOf(workspaceId).ledger, now)
  const fetchCounts = makeFetchCounts((workspaceId) => storeOf(workspaceId).promptFetches)
  const flushCounters = async () => void (await Promise.all([ledger.flush(), fetchCounts.flush()]))
  const authenticator = makeAuthenticator(async (hash) => {
    const key = await control.findApiKeyByHash(hash)
    // Safe: only scopes that the contract knows are ever stored.
    return key && { ...key, hash, scopes: key.scopes as Scope[] }
  })
  const secrets = await openSecrets({ control, config, dataFolder, logger })
  const { sessions, ...signingIn } = makeSigningIn({ control, config, secret: secrets.sessions, logger, now })
  const cookies = { sessions, sessionSecret: secrets.sessions, publicUrl: config.PLUMBLINE_PUBLIC_URL }
  const identify = makeIdentify({ ...cookies, authenticator })
  const recorders = makeRecorders({
    spool,
    worker,
    overrides: () => workspaces.overrides(),
    onAppended: () => drain.wake(),
  })
  await recorders.recoverScores()
  const workspaces = makeWorkspaces({
    control,
    traceStore,
    recorders,
    ledger,
    fetchCounts,
    sandbox,
    settle: () => drain.settle(),
    config,
    dataFolder,
  })
  const refused = makeRefusedRecords(join(dataFolder, 'refused'))
  const drain = makeDrain({
    spool,
    store: traceStore,
    worker,
    ledger,
    refused,
    overrides: () => workspaces.overrides(),
    workspacesInUse: async () => [...(await control.revisions()).keys()],
    onScored: (scored) => recorders.forgetScores(scored),
    onSpans: async (arrivals) => {
      await control.assemblies.addArrivals(arrivals, now())
      assembler.wake()
    },
    onSampled: (token, sampled) => evaluating.onDrained(token, sampled),
    logger,
  })
  const node = nodeId(dataFolder)
  const jobs = makeJobs({ queue: control.jobs, leaseOwner: node, logger, now })
  const assembler = makeAssembler({
    books: control.assemblies,
    store: traceStore,
    worker,
    refused,
    overrides: () => workspaces.overrides(),
    joinedOf: (assemblies) => joinedOf(control, assemblies),
    inTurn: (work) => drain.hold(work),
    node,
    isShared: config.DATABASE_URL !== undefined,
    onAssembled: () => evaluating.wake(),
    logger,
    now,
  })
  const metrics = makeMetrics({
    spool: () => spool.size(),
    traceStore: () => traceStore.statistics(),
    evaluations: () => control.evaluations.totals(),
    now,
  })
  // It may stay in the control plane, and in backups: all nodes must have the same, and whoever reads it can put a file
  // where a signed address would have put one for 15 minutes, and read nothing.
  const signer = makeUploadSigner(
    await control.secret('upload signature', () => randomBytes(32).toString('base64')),
  )
  const connections = makeConnecting(secrets.keyring, config)
  const judge = makeJudge(connections, rules)
  const evaluating = makeEvaluating({
    control,
    store: traceStore,
    workspaceOf: (id) => workspaces.of(id),
    judge,
    models: connections,
    inTurn: (work) => drain.hold(work),
    recorded: () => recorders.counts(),
    onEnded: metrics.onEvaluated,
    node,
    logger,
    now,
  })
  const experimenting = makeExperimenting({
    control,
    store: traceStore,
    connections,
    workspaceOf: (id) => workspaces.of(id),
    inTurn: (work) => drain.hold(work),
    evaluating,
    onRedo: () => assembler.wake(),
    node,
    logger,
    now,
  })
  const alerting = makeAlerting({
    control,
    store: traceStore,
    keyring: connections.keyring,
    config,
    storedUntil: () => spool.size().oldestAt ?? now(),
    onFiring: [makeRollBackOnAlert({ storeOf, forget: (id) => forget(id), now })],
    node,
    logger,
    now,
  })
  const feeding = makeFeeding({ control, workspaceOf: (id) => workspaces.of(id), logger, now })
  const forget = (workspaceId: string): void => {
    workspaces.forget(workspaceId)
    authenticator.forget(workspaceId)
    sessions.forget()
  }

  const deletion = makeWorkspaceDeletion({
    control,
    traceStore,
    fileStoreOf: (id) => fileStoreOf(id, config, dataFolder),
    hold: (work) => drain.hold(work),
    logger,
    now,
  })
  const deleteWorkspaces = (): void => {
    deletion
      .run()
      .catch((error: unknown) => logger.warn({ err: error }, 'workspaces to delete could not be looked at'))
  }

  const checkRate = makeRateLimit(config.PLUMBLINE_RATE_LIMIT_PER_MINUTE)
  const receiver = makeReceiver({ authenticator, checkRate, workspaceOf: (id) => workspaces.of(id), ledger })

  let grpc: GrpcServer | undefined
  const server = makeServer({
    routes: allRoutes({
      alerting: alerting.routes,
      connections,
      evaluations: control.evaluations,
      evaluating: { judge, wake: evaluating.wake },
      experimenting: experimenting.routes,
      files: { signer, bytesMax: config.PLUMBLINE_FILE_BYTES_MAX },
      bundleBytesMax: config.PLUMBLINE_IMPORT_BYTES_MAX,
      grpcPort: () => grpc?.port,
      jobs: { queue: control.jobs, notify: jobs.notify },
      people: control.people,
      onMember: sessions.forget,
      creation: config.PLUMBLINE_WORKSPACE_CREATION,
      deleting: {
        deletions: control.deletions,
        onMarked(id) {
          forget(id)
          deleteWorkspaces()
        },
      },
      workspaceOf: workspaces.of,
    }),
    identify,
    checkRate,
    idempotency: makeIdempotency({
      storeOf: (workspaceId) => storeOf(workspaceId).idempotency,
      onRepeated: (caller, operation, time) => {
        if (operation.name.startsWith('monitor.')) ledger.addDeduplicated(caller, time)
      },
      isShared: config.DATABASE_URL !== undefined,
      responses: secrets.responses,
    }),
    workspaceOf: (caller) => workspaces.of(caller.workspaceId),
    onRefused: (caller, error, body, time) => ledger.addRefused(caller, error.code, body, time),
    onChanged: forget,
    onAnswered: metrics.onAnswered,
    publicUrl: config.PLUMBLINE_PUBLIC_URL,
    trustedProxies: config.PLUMBLINE_TRUSTED_PROXIES,
    connectionsMax: config.PLUMBLINE_CONNECTIONS_MAX,
    logger,
    now,
  })
  registerUploads(server, {
    signer,
    bytesMax: config.PLUMBLINE_FILE_BYTES_MAX,
    workspaceOf: (id) => workspaces.of(id),
    now,
  })
  registerOtlpRoutes(server, { receiver, onAnswered: metrics.onAnswered, logger, now })
  registerAuthRoutes(server, {
    people: control.people,
    signIn: signingIn.signIn,
    sessionOf: makeSessionOf(cookies),
    providerName: signingIn.providerName,
    forgottenPassword: signingIn.forgottenPassword,
    publicUrl: config.PLUMBLINE_PUBLIC_URL,
    onSessions: sessions.forget,
    now,
  })
  registerWebApp(server, pageFolder, logger)
  registerAgentRoutes(server, { authenticator, now })
  registerBackup(server, {
    authenticator,
    dataFolder,
    spool,
    drain,
    traceStore,
    hasBucket: config.S3_BUCKET_URL !== undefined,
    logger,
    now,
  })
  await registerOperatorRoutes(server, { registry: metrics.registry, findUnready: () => findUnready(stores) })

  const firstSecret = await ensureKey(
    storeOf(defaultWorkspaceId).apiKeys,
    control,
    config.PLUMBLINE_API_KEY,
    now(),
  )
  const setUpToken = await offerSetUp(control.people, now())
  const stopScheduler = startScheduler({
    control,
    clearCache: forget,
    flushCounters: flushCounters,
    takeUsedKeys: () => authenticator.takeUsed(),
    expireTraces: () => expireTraces(control, traceStore, now()),
    responseRetentionMs: responseRetentionMs,
    deleteWorkspaces: deletion.run,
    sessionIdleMs: config.PLUMBLINE_SESSION_IDLE_DAYS * dayMs,
    logger,
    now,
  })
  await removeSnapshot(dataFolder)
  // What the last process left is moved first.
  await jobs.start()
  drain.wake()
  assembler.wake()
  evaluating.wake()
  experimenting.notify()
  feeding.start()
  alerting.notify()
  deleteWorkspaces()
  const flush = async (): Promise<void> => {
    await drain.flush()
    await assembler.flush()
  }

  return {
    server,
    firstSecret,
    setUpToken,
    sessionSecret: secrets.sessions,
    notices: secrets.notices,
    control,
    traceStore,
    async listenGrpc(host, port) {
      grpc = await listenGrpc({ receiver, host, port, logger, now })
      return grpc.port
    },
    flush,
    mailed: async () => signingIn.forgottenPassword?.drained(),
    feedQueues: feeding.run,
    deleteWorkspaces: deletion.run,
    async close() {
      await Promise.all([server.close(), grpc?.close()])
      stopScheduler()
      await deletion.stop().catch(() => {})
      await signingIn.forgottenPassword?.drained()
      stopWatchingRows()
      await jobs.stop()
      await Promise.all([evaluating.stop(), experimenting.stop(), alerting.stop(), feeding.stop()])
      await within(flushTimeoutMs, flush()).catch((error: unknown) =>
        logger.warn(
          { err: error, records: spool.size().records },
          'the spool keeps what the trace store could not take',
        ),
      )
      await assembler.stop()
      await drain.stop()
      await spool.close()
      await flushCounters().catch((error: unknown) =>
        logger.warn({ err: error }, 'the last counts of the ledger or of fetches are lost'),
      )
      await control.touchApiKeys(authenticator.takeUsed(), now()).catch(() => {})
      await connections.close()
      await worker.close()
      await sandbox.close()
      await rules.close()
      await traceStore.close()
      await control.close()
    },
  }
}

function within<Result>(ms: number, work: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`It took longer than ${ms} ms.`)), ms)
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}
