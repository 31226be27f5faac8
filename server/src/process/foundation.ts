/** What every module depends on: settings, stores, secrets, and the signals between modules. */
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
  /** A data directory that this process has locked. */
  readonly dataFolder: string
  readonly logger: Logger
  readonly now: () => Date
  /** False only in the benchmark, to measure what durability costs. */
  readonly isDurable: boolean | undefined
  /**
   * The folder of the trace store, if outside the data directory: the embedded engine has one folder per process, so
   * services that tests start in the same process share it.
   */
  readonly traceFolder?: string
  /** A fast password hash for tests; by default, the sign-in library's hash. */
  readonly passwordHash?: PasswordHash
}

/** How passwords are stored and compared. */
export interface PasswordHash {
  hash(password: string): Promise<string>
  verify(input: { readonly hash: string; readonly password: string }): Promise<boolean>
}

/** One key, or without an id all keys of a workspace. */
export interface EndedKeys {
  readonly workspaceId: string
  readonly id?: string
}

export interface Signals {
  /** Something in the workspace with this id has changed that caches may hold. */
  readonly workspaceChanged: Signal<string>
  /** This node has revoked API keys. */
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
  /** Identifies this node among others, also after a restart. */
  readonly node: string
  readonly registry: Registry
  readonly health: HealthCheck
  readonly signals: Signals
  /** Stopped last. */
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
