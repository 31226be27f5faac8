/** The alerting service: alert checks, notifications and their routes, put together. */
import type { ControlStore, WorkspaceControlStore } from '@plumbline/storage/control'
import type { TraceStore } from '@plumbline/storage/traces'
import type { Logger } from 'pino'
import type { Config } from '../../config.ts'
import type { Jobs } from '../../jobs/jobs.ts'
import { makeGuardedFetch } from '../../network/guarded-fetch.ts'
import type { Service } from '../../process/service.ts'
import type { Route } from '../../requests/verb.ts'
import type { Keyring } from '../../secrets/keyring.ts'
import { readMailServer } from '../channels/email.ts'
import { channelRoutes } from '../channels/routes.ts'
import { makeSend } from '../channels/send.ts'
import { handleNotifications } from '../channels/send-notification.ts'
import { handlePublications } from '../channels/send-publication.ts'
import { handleAlerts, type OnFiring } from './check-alerts.ts'
import { alertRoutes } from './routes.ts'

interface AlertingDeps {
  readonly control: Pick<ControlStore, 'alertChecks' | 'notifications'>
  readonly store: Pick<TraceStore, 'scopedTo'>
  readonly storeOf: (workspaceId: string) => WorkspaceControlStore
  readonly keyring: Keyring
  readonly config: Config
  readonly jobs: Jobs
  /** Records that arrived before this time are in the trace store, as far as this node knows. */
  readonly storedUntil: () => Date
  /** Actions to take when an alert fires, in addition to notifications. */
  readonly onFiring: readonly OnFiring[]
  readonly logger: Logger
  readonly now: () => Date
}

export interface Alerting extends Service {
  readonly routes: Route[]
}

export function makeAlerting(parts: AlertingDeps): Alerting {
  const { control, store, keyring, config, jobs, logger, now } = parts
  const policy = {
    hosts: config.PLUMBLINE_WEBHOOK_HOSTS,
    allowsPrivate: config.PLUMBLINE_PRIVATE_CHANNEL_URLS,
  }
  const mail = readMailServer(config)
  const guarded = makeGuardedFetch(policy)
  const send = makeSend({ fetch: guarded.fetch, mail, now })
  const publicUrl = config.PLUMBLINE_PUBLIC_URL
  handleNotifications(jobs, { notifications: control.notifications, keyring, send, publicUrl, logger })
  handlePublications(jobs, { ...control, storeOf: parts.storeOf, keyring, send, publicUrl, logger })
  handleAlerts(jobs, {
    checks: control.alertChecks,
    tracesFor: (workspaceId) => store.scopedTo(workspaceId),
    storedUntil: parts.storedUntil,
    onFiring: parts.onFiring,
    logger,
  })
  const channelPolicy = { networkPolicy: policy, sendsEmail: mail !== undefined }
  return {
    routes: [...alertRoutes({ notify: jobs.notify }), ...channelRoutes({ keyring, channelPolicy, send })],
    name: 'connections to channels',
    start: () => undefined,
    stop: () => guarded.close(),
  }
}
