/** The HTTP server with everything that it serves, and OpenTelemetry over gRPC. */

import { join } from 'node:path'
import type { Scope } from '@plumbline/contract'
import type { FastifyInstance } from 'fastify'
import type { Admitting } from '../accounts/admitting.ts'
import type { Auditing } from '../accounts/auditing.ts'
import { fileStoreOf } from '../datasets/files/file-store.ts'
import { listenGrpc } from '../ingest/otlp/receive/grpc.ts'
import type { CallServer } from '../ingest/otlp/receive/grpc-calls.ts'
import { makeReceiver } from '../ingest/otlp/receive/receiver.ts'
import type { Recording } from '../ingest/recording.ts'
import { makeTimer } from '../jobs/timer.ts'
import type { Deliveries } from '../langfuse/deliveries.ts'
import { linkExperimentSpans } from '../langfuse/experiment-spans.ts'
import type { Module } from '../module.ts'
import { basePathOf } from '../network/base-path.ts'
import type { ShareSigner } from '../observe/shares/share-signature.ts'
import { verify } from '../operate/verify/verify.ts'
import type { Foundation } from '../process/foundation.ts'
import { makeCloser } from '../process/service.ts'
import type { Serving } from '../prompts/serving.ts'
import { makeLargeBodies } from '../requests/large-bodies.ts'
import type { Route } from '../requests/verb.ts'
import type { Caches } from '../workspace/caches.ts'
import type { Workspaces } from '../workspace/workspace.ts'
import { registerAgentRoutes } from './endpoints/agent-routes.ts'
import { registerBackup } from './endpoints/backup-route.ts'
import { registerHelp } from './endpoints/help.ts'
import { registerLangfuseRoutes } from './endpoints/langfuse-routes.ts'
import { registerOperatorRoutes } from './endpoints/operator-routes.ts'
import { registerOtlpRoutes } from './endpoints/otlp-routes.ts'
import { registerPackages } from './endpoints/packages.ts'
import { registerSharedTraces } from './endpoints/shared-traces.ts'
import { registerUploads } from './endpoints/uploads.ts'
import { registerVerify } from './endpoints/verify-route.ts'
import { makeIdempotency } from './idempotency.ts'
import { type Authenticator, makeAuthenticator } from './identity/authenticate.ts'
import { makeIdentify, makePersonOf, makeSessionOf } from './identity/identify.ts'
import { makeRateLimit } from './limits/rate-limit.ts'
import { addRequestMetrics } from './request-metrics.ts'
import { makeServer } from './server.ts'
import { makeAuditSignIn } from './sign-in/audit-sign-in.ts'
import { registerAuthRoutes } from './sign-in/auth-routes.ts'
import { registerWebApp } from './web-app.ts'

interface HttpDeps {
  readonly admitting: Admitting
  readonly auditing: Auditing
  readonly caches: Pick<Caches, 'catchUp'>
  readonly recording: Recording
  readonly serving: Serving
  readonly workspaces: Workspaces
  readonly deliveries: Deliveries
  readonly grpc: GrpcListener
  /** The folder of the built web app. */
  readonly pageFolder: string
  readonly routes: readonly Route[]
  readonly shareSigner: ShareSigner
}

export interface ServingHttp extends Module {
  readonly server: FastifyInstance
  /** Listens for OpenTelemetry over gRPC; resolves with the port. Until it is called, nothing does. */
  listenGrpc(host: string, port: number): Promise<number>
}

/** Holds the gRPC server once it listens; others read its port. */
export class GrpcListener {
  #server: CallServer | undefined

  get port(): number | undefined {
    return this.#server?.port
  }

  async listen(parts: Parameters<typeof listenGrpc>[0]): Promise<number> {
    this.#server = await listenGrpc(parts)
    return this.#server.port
  }

  async close(): Promise<void> {
    await this.#server?.close()
  }
}

export async function makeServingHttp(foundation: Foundation, deps: HttpDeps): Promise<ServingHttp> {
  const { control, config, secrets, storeOf, signals, registry, logger, now } = foundation
  const { admitting, auditing, recording, workspaces, grpc } = deps
  const { ledger } = recording
  const { sessions, signIn, providerName, forgottenPassword } = admitting.signingIn
  const { catchUp } = deps.caches
  const authenticator = makeAuthenticator({
    async findByHash(hash) {
      const key = await control.findApiKeyByHash(hash)
      // Safe: only scopes in the contract are ever stored.
      return key && { ...key, hash, scopes: key.scopes as Scope[] }
    },
    ...{ catchUp, now },
  })
  signals.workspaceChanged.subscribe(authenticator.forget)
  signals.keysEnded.subscribe(authenticator.end)
  const publicUrl = config.PLUMBLINE_PUBLIC_URL
  const cookies = { sessions, sessionSecret: secrets.sessions, publicUrl }
  const checkRate = makeRateLimit(config.PLUMBLINE_RATE_LIMIT_PER_MINUTE)
  const onAnswered = addRequestMetrics(registry)
  const receiver = makeReceiver({ authenticator, checkRate, workspaceOf: workspaces.of, ledger })
  const largeBodies = makeLargeBodies()
  const server = makeServer({
    routes: deps.routes,
    identify: makeIdentify({ ...cookies, authenticator, catchUp }),
    knownCaller: catchUp === undefined ? authenticator.knownCaller : undefined,
    checkRate,
    idempotency: makeIdempotency({
      storeOf: (workspaceId) => storeOf(workspaceId).idempotency,
      rulesOf: (workspaceId) => storeOf(workspaceId).retention.find(),
      onRepeated: (caller, operation, time) => {
        if (operation.isRecording) ledger.addDeduplicated(caller, time)
      },
      isShared: config.DATABASE_URL !== undefined,
      responses: secrets.responses,
    }),
    workspaceOf: (caller) => workspaces.of(caller.workspaceId),
    onRefused: (caller, error, body, time) => ledger.addRefused(caller, error.code, body, time),
    onChanged: signals.workspaceChanged.notify,
    onAnswered,
    audit: auditing,
    damagedParts: foundation.traceStore.damagedParts,
    publicUrl,
    trustedProxies: config.PLUMBLINE_TRUSTED_PROXIES,
    connectionsMax: config.PLUMBLINE_CONNECTIONS_MAX,
    largeBodies,
    logger,
    now,
  })
  registerOtlpRoutes(server, {
    ...{ receiver, largeBodies, onAnswered, logger, now },
    onLangfuseSpans: (message, caller, time) =>
      linkExperimentSpans(
        message,
        { workspace: workspaces.of(caller.workspaceId), now: time },
        deps.deliveries,
      ),
  })
  registerLangfuseRoutes(server, {
    ...{ authenticator, checkRate, receiver, workspaces, deliveries: deps.deliveries },
    ...{ audit: auditing, onAnswered, logger, now },
  })
  registerAuthRoutes(server, {
    people: control.people,
    signIn,
    sessionOf: makeSessionOf(cookies),
    providerName,
    forgottenPassword,
    publicUrl,
    sessions,
    audit: makeAuditSignIn({ ...auditing, people: control.people, personOf: makePersonOf(cookies), now }),
    now,
  })
  await registerFiles(server, foundation, { ...deps, authenticator })
  return {
    server,
    listenGrpc: (host, port) =>
      grpc.listen({
        ...{ receiver, largeBodies, host, port, logger, now },
        connectionsMax: config.PLUMBLINE_CONNECTIONS_MAX,
      }),
    services: [
      makeTimer({
        name: 'the last use of API keys',
        everyMs: 60_000,
        tick: () => control.touchApiKeys(authenticator.takeUsed(), now()),
        ticksAtStop: true,
        logger,
      }),
      makeCloser('the servers', async () => void (await Promise.all([closeHttp(server), grpc.close()]))),
    ],
  }
}

/** Requests that have not ended by then are cut off: slow senders must not delay the service's shutdown. */
const closeTimeoutMs = 5_000

export async function closeHttp(server: FastifyInstance, timeoutMs = closeTimeoutMs): Promise<void> {
  const timer = setTimeout(() => server.server.closeAllConnections(), timeoutMs)
  try {
    await server.close()
  } finally {
    clearTimeout(timer)
  }
}

/** Routes outside the interface: file bytes, the web app, agent tools, backups, health. */
async function registerFiles(
  server: FastifyInstance,
  foundation: Foundation,
  deps: Pick<HttpDeps, 'auditing' | 'serving' | 'workspaces' | 'recording' | 'pageFolder' | 'shareSigner'> & {
    readonly authenticator: Authenticator
  },
): Promise<void> {
  const { config, traceStore, spool, dataFolder, registry, logger, now } = foundation
  const basePath = basePathOf(config.PLUMBLINE_PUBLIC_URL)
  const { authenticator, serving, workspaces, recording } = deps
  registerUploads(server, {
    signer: serving.signer,
    bytesMax: config.PLUMBLINE_FILE_BYTES_MAX,
    workspaceOf: workspaces.of,
    now,
  })
  registerSharedTraces(server, { signer: deps.shareSigner, workspaceOf: workspaces.of, now })
  registerWebApp(server, { folder: deps.pageFolder, basePath, logger })
  registerPackages(server, { folder: join(deps.pageFolder, 'packages'), basePath, logger })
  registerHelp(server, { folder: join(deps.pageFolder, 'help'), basePath, logger })
  registerAgentRoutes(server, { authenticator, now })
  registerBackup(server, {
    authenticator,
    auditor: deps.auditing.auditor,
    dataFolder,
    spool,
    drain: recording.drain,
    traceStore,
    hasBucket: config.S3_BUCKET_URL !== undefined,
    logger,
    now,
  })
  registerVerify(server, {
    authenticator,
    auditor: deps.auditing.auditor,
    verify: async ({ isRepair }) => {
      await spool.seal()
      const files = {
        control: foundation.control,
        fileStoreOf: (workspaceId: string) => fileStoreOf(workspaceId, foundation),
      }
      return verify({ dataFolder, traceStore, files, isRepair })
    },
    now,
  })
  await registerOperatorRoutes(server, { registry, health: foundation.health, basePath })
}
