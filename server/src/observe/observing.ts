/** The observe module: trace lists, conversations, metrics, dashboards, saved views, comments, share links and alerts. */
import type { Jobs } from '../jobs/jobs.ts'
import type { Module } from '../module.ts'
import type { Foundation } from '../process/foundation.ts'
import { makeRollBackOnAlert } from '../prompts/rollouts/roll-back-on-alert.ts'
import { makeAlerting } from './alerts/alerting.ts'
import { commentRoutes } from './comments/routes.ts'
import { conversationRoutes } from './conversations/routes.ts'
import { dashboardRoutes } from './dashboards/routes.ts'
import { logRoutes } from './logs/routes.ts'
import { metricsRoutes } from './metrics/routes.ts'
import { organizationRoutes } from './organizations/routes.ts'
import { shareRoutes } from './shares/routes.ts'
import { makeShareSigner, type ShareSigner } from './shares/share-signature.ts'
import { traceRoutes } from './traces/routes.ts'
import { userRoutes } from './users/routes.ts'
import { viewRoutes } from './views/routes.ts'

export interface Observing extends Module {
  readonly shareSigner: ShareSigner
}

export function makeObserving(foundation: Foundation, jobs: Jobs): Observing {
  const { control, traceStore, spool, secrets, config, storeOf, signals, logger, now } = foundation
  const shareSigner = makeShareSigner(secrets.shares)
  const alerting = makeAlerting({
    control,
    store: traceStore,
    storeOf,
    keyring: secrets.keyring,
    config,
    jobs,
    storedUntil: () => spool.size().oldestAt ?? now(),
    onFiring: [makeRollBackOnAlert({ storeOf, forget: signals.workspaceChanged.notify, now })],
    logger,
    now,
  })
  return {
    routes: [
      ...traceRoutes,
      ...logRoutes,
      ...conversationRoutes,
      ...userRoutes,
      ...organizationRoutes,
      ...metricsRoutes,
      ...viewRoutes,
      ...dashboardRoutes,
      ...commentRoutes,
      ...shareRoutes(shareSigner),
      ...alerting.routes,
    ],
    services: [alerting],
    shareSigner,
  }
}
