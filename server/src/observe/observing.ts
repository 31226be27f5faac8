/** What people see of traces: lists, metrics, saved views, and alerts. */
import type { Jobs } from '../jobs/jobs.ts'
import type { Module } from '../module.ts'
import type { Foundation } from '../process/foundation.ts'
import { makeRollBackOnAlert } from '../prompts/rollouts/roll-back-on-alert.ts'
import { makeAlerting } from './alerts/alerting.ts'
import { commentRoutes } from './comments/routes.ts'
import { conversationRoutes } from './conversations/routes.ts'
import { dashboardRoutes } from './dashboards/routes.ts'
import { metricsRoutes } from './metrics/routes.ts'
import { organizationRoutes } from './organizations/routes.ts'
import { traceRoutes } from './traces/routes.ts'
import { userRoutes } from './users/routes.ts'
import { viewRoutes } from './views/routes.ts'

export function makeObserving(foundation: Foundation, jobs: Jobs): Module {
  const { control, traceStore, spool, secrets, config, storeOf, signals, logger, now } = foundation
  const alerting = makeAlerting({
    control,
    store: traceStore,
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
      ...conversationRoutes,
      ...userRoutes,
      ...organizationRoutes,
      ...metricsRoutes,
      ...viewRoutes,
      ...dashboardRoutes,
      ...commentRoutes,
      ...alerting.routes,
    ],
    services: [alerting],
  }
}
