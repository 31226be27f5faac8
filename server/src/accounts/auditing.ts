/** The audit log: its routes, writing entries, forwarding them to webhooks, and their expiry. */
import { Counter } from 'prom-client'
import type { Jobs } from '../jobs/jobs.ts'
import type { Module } from '../module.ts'
import { makeGuardedFetch } from '../network/guarded-fetch.ts'
import type { Foundation } from '../process/foundation.ts'
import { makeCloser } from '../process/service.ts'
import { type Auditor, intentKeptMs, makeAuditor } from './audit/auditor.ts'
import { handleForwards } from './audit/forward.ts'
import { makeReadSettings, type ReadSettings } from './audit/read-settings.ts'
import { auditRoutes } from './audit/routes.ts'

export interface Auditing extends Module {
  readonly auditor: Auditor
  readonly readSettings: ReadSettings
}

const minuteMs = 60_000
const hourMs = 3_600_000

export function makeAuditing(foundation: Foundation, { jobs }: { readonly jobs: Jobs }): Auditing {
  const { control, config, secrets, registry, logger, now } = foundation
  const lostEntries = new Counter({
    name: 'plumbline_audit_entries_lost_total',
    help: 'Audit entries that this node could not write; the log has their contents.',
    registers: [registry],
  })
  const policy = {
    hosts: config.PLUMBLINE_WEBHOOK_HOSTS,
    allowsPrivate: config.PLUMBLINE_PRIVATE_CHANNEL_URLS,
  }
  const guarded = makeGuardedFetch(policy)
  const newForward = handleForwards(jobs, {
    log: control.audit,
    keyring: secrets.keyring,
    fetch: guarded.fetch,
    now,
  })
  const recover = async (cutoff: Date): Promise<void> =>
    void (await control.audit.recover(cutoff, newForward))
  const recoverLeft = (time: Date): Promise<void> => recover(new Date(time.getTime() - intentKeptMs))
  jobs.schedule('audit.recover', minuteMs, ({ now: time }) => recoverLeft(time))
  jobs.schedule('audit.expire', hourMs, ({ now: time }) => control.audit.expire(time))
  return {
    auditor: makeAuditor({
      log: control.audit,
      newForward,
      onWritten: jobs.notify,
      hashKey: secrets.auditHashKey,
      onLost: () => lostEntries.inc(),
      logger,
    }),
    readSettings: makeReadSettings(control.people),
    routes: auditRoutes({ log: control.audit, keyring: secrets.keyring, policy }),
    services: [
      {
        name: 'audit entries of interrupted requests',
        // On a single node, all entries without a result are from the previous process.
        start: () => (config.DATABASE_URL === undefined ? recover(now()) : recoverLeft(now())),
        stop: async () => {},
      },
      makeCloser('connections to audit log webhooks', () => guarded.close()),
    ],
  }
}
