/** What every module stands on: settings, stores, secrets, and the signals between modules. */
import type { WorkspaceControlStore } from '@plumbline/storage/control'
import type { Logger } from 'pino'
import { collectDefaultMetrics, Registry } from 'prom-client'
import type { Config } from '../config.ts'
import { openSecrets, type Secrets } from '../secrets/open-secrets.ts'
import { addDamageMetrics } from './data/damage.ts'
import { describeError } from './describe-error.ts'
import { type HealthCheck, makeHealthCheck } from './health.ts'
import { nodeId } from './node-id.ts'
import { addProcessMetrics } from './process-metrics.ts'
import { makeCloser, type Service } from './service.ts'
import { makeSignal, type Signal } from './signal.ts'
import { openStores, type Stores } from './stores.ts'
import { findRequestThreads } from './threads/thread-priorities.ts'
import { watchUnreadableRows } from './unreadable-rows.ts'

export interface FoundationParts {
  readonly config: Config
  /** A folder that this process holds. */
  readonly dataFolder: string
  readonly logger: Logger
  readonly now: () => Date
  /** False only in the benchmark, to measure what durability costs. */
  readonly isDurable: boolean | undefined
  /** Where traces are, if not in the data folder: the embedded engine has one folder in a process, so the services that tests start in one share it. */
  readonly traceFolder?: string
  /** For passwords of tests, which need no hash that takes long; that of the sign-in library where there is none. */
  readonly passwordHash?: PasswordHash
}

/** How passwords are stored and compared. */
export interface PasswordHash {
  hash(password: string): Promise<string>
  verify(input: { readonly hash: string; readonly password: string }): Promise<boolean>
}

/** A key, or all of a workspace where there is no id. */
export interface EndedKeys {
  readonly workspaceId: string
  readonly id?: string
}

export interface Signals {
  /** Something of the workspace with this id changed that caches may hold. */
  readonly workspaceChanged: Signal<string>
  /** This node has ended API keys. */
  readonly keysEnded: Signal<EndedKeys>
  /** Evaluations may be due. */
  readonly evaluationsDue: Signal
  /** Traces may have to be assembled. */
  readonly assembliesDue: Signal
}

export interface Foundation
  extends Stores,
    Omit<FoundationParts, 'isDurable' | 'traceFolder' | 'passwordHash'> {
  readonly passwordHash: PasswordHash | undefined
  readonly storeOf: (workspaceId: string) => WorkspaceControlStore
  readonly secrets: Secrets
  /** Tells this node from others, also after it was started again. */
  readonly node: string
  readonly registry: Registry
  readonly health: HealthCheck
  readonly signals: Signals
  /** They stop last. */
  readonly services: readonly Service[]
}

export async function openFoundation(parts: FoundationParts): Promise<Foundation> {
  const { config, dataFolder, now } = parts
  const logger = parts.logger.child({}, { serializers: { err: (error: unknown) => describeError(error) } })
  await findRequestThreads()
  const stores = await openStores({ ...parts, logger })
  const { control, traceStore } = stores
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const health = makeHealthCheck(stores)
  addDamageMetrics(registry, traceStore)
  addProcessMetrics(registry, { health, dataFolder, spoolBytesMax: config.PLUMBLINE_SPOOL_BYTES_MAX })
  return {
    config,
    dataFolder,
    logger,
    now,
    passwordHash: parts.passwordHash,
    ...stores,
    storeOf: (workspaceId) => control.scopedTo({ workspaceId }),
    secrets: await openSecrets({ control, config, dataFolder, logger }),
    node: nodeId(dataFolder),
    registry,
    health,
    signals: {
      workspaceChanged: makeSignal<string>(),
      keysEnded: makeSignal<EndedKeys>(),
      evaluationsDue: makeSignal(),
      assembliesDue: makeSignal(),
    },
    services: [
      makeCloser('the control plane', () => control.close()),
      makeCloser('the trace store', () => traceStore.close()),
      unreadableRows(logger),
    ],
  }
}

function unreadableRows(logger: Logger): Service {
  let stopWatching = (): void => {}
  return {
    name: 'unreadable rows',
    start() {
      stopWatching = watchUnreadableRows(logger)
    },
    stop: async () => stopWatching(),
  }
}
