/** Everything that watches and tells, put together. */
import type { ControlStore } from '@plumbline/storage/control'
import type { TraceStore } from '@plumbline/storage/traces'
import type { Logger } from 'pino'
import type { Config } from '../../config.ts'
import type { Jobs } from '../../jobs/jobs.ts'
import type { Service } from '../../jobs/service.ts'
import type { Keyring } from '../../operate/secrets/keyring.ts'
import { makeGuardedFetch } from '../../outbound/connections/guarded-fetch.ts'
import type { Route } from '../../requests/verb.ts'
import { readMailServer } from '../channels/email.ts'
import { channelRoutes } from '../channels/routes.ts'
import { makeSend } from '../channels/send.ts'
import { handleNotifications } from '../channels/send-notification.ts'
import { alertRoutes } from './routes.ts'
import { makeWatcher, type OnFiring } from './watcher.ts'

interface AlertingDeps {
  readonly control: Pick<ControlStore, 'alerts' | 'notifications'>
  readonly store: Pick<TraceStore, 'scopedTo'>
  readonly keyring: Keyring
  readonly config: Config
  readonly jobs: Jobs
  /** What arrived before is in the trace store, as far as this node knows. */
  readonly storedUntil: () => Date
  /** What follows of an alert that fires, beside that people are told. */
  readonly onFiring: readonly OnFiring[]
  /** Tells this node from others, also after it was started again. */
  readonly node: string
  readonly logger: Logger
  readonly now: () => Date
}

export interface Alerting extends Service {
  readonly routes: Route[]
}

export function makeAlerting(parts: AlertingDeps): Alerting {
  const { control, store, keyring, config, jobs, node: leaseOwner, logger, now } = parts
  const policy = {
    hosts: config.PLUMBLINE_WEBHOOK_HOSTS,
    allowsPrivate: config.PLUMBLINE_PRIVATE_CHANNEL_URLS,
  }
  const mail = readMailServer(config)
  const guarded = makeGuardedFetch(policy)
  const send = makeSend({ fetch: guarded.fetch, mail, now })
  const publicUrl = config.PLUMBLINE_PUBLIC_URL
  handleNotifications(jobs, { notifications: control.notifications, keyring, send, publicUrl, logger })
  const watcher = makeWatcher({
    watch: control.alerts,
    tracesFor: (workspaceId) => store.scopedTo(workspaceId),
    storedUntil: parts.storedUntil,
    onFiring: parts.onFiring,
    onNotification: jobs.notify,
    leaseOwner,
    logger,
    now,
  })
  const channelPolicy = { networkPolicy: policy, sendsEmail: mail !== undefined }
  return {
    routes: [
      ...alertRoutes({ notify: watcher.notify, onNotification: jobs.notify }),
      ...channelRoutes({ keyring, channelPolicy, send }),
    ],
    name: 'alerts',
    start: watcher.notify,
    async stop() {
      await watcher.stop()
      await guarded.close()
    },
  }
}
