/** Sends audit entries to the webhook of a workspace: a job for each, which is added with the entry. */
import type { AuditLog, NewForward, StoredAuditEntry } from '@plumbline/storage/control'
import { JobFailure } from '../../jobs/job.ts'
import type { Jobs } from '../../jobs/jobs.ts'
import { type ChannelTarget, openTarget } from '../../observe/channels/channel-secrets.ts'
import { readResponse } from '../../observe/channels/send-result.ts'
import { signedHeaders } from '../../observe/channels/signature.ts'
import type { Keyring } from '../../operate/secrets/keyring.ts'
import type { Fetch } from '../../outbound/connections/guarded-fetch.ts'
import { problemOf } from '../../outbound/connections/problem.ts'
import { toAuditEntry } from './view.ts'

interface ForwardDeps {
  readonly log: Pick<AuditLog, 'find' | 'webhookOf'>
  readonly keyring: Keyring
  /** Reaches only where webhooks may lead. */
  readonly fetch: Fetch
  readonly now: () => Date
}

const timeoutMs = 15_000
/** Of one webhook at a time. */
const concurrencyPerWebhook = 4
const breaker = { failuresMax: 5, openMs: 60_000 }
/** Over about a day. */
const attemptsMax = 15

/** Registers the handler, and returns what makes its jobs. */
export function handleForwards(jobs: Jobs, { log, keyring, fetch, now }: ForwardDeps): NewForward {
  const kind = jobs.handle<{ entryId: string; workspaceId: string }>(
    'audit.forward',
    async ({ entryId, workspaceId }, { signal }) => {
      const [entry, webhook] = await Promise.all([log.find(entryId), log.webhookOf(workspaceId)])
      // It has expired, or nobody wants it any more.
      if (entry === undefined || webhook === undefined) return
      const target = open(keyring, webhook.sealed, workspaceId)
      const { headers, body } = messageOf(entry, target.secret, now())
      const result = await post(target.url, { headers, body, signal })
      if (result.type === 'delivered') return
      const { problem, retryAfterMs = 0, isFinal = false } = result
      throw new JobFailure(problem, { retryAfterMs, isFinal })
    },
    { attemptsMax, concurrency: 8, concurrencyPerGroup: concurrencyPerWebhook, breaker },
  )

  const post = async (
    url: string,
    { signal, ...request }: { headers: Record<string, string>; body: string; signal: AbortSignal },
  ) => {
    try {
      const signals = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
      const response = await fetch(url, { method: 'POST', redirect: 'error', ...request, signal: signals })
      return await readResponse(response, now())
    } catch (error) {
      throw new JobFailure(problemOf(error), { cause: error })
    }
  }

  return (entry, workspaceId) =>
    kind.newJob(
      { entryId: entry.id, workspaceId },
      {
        key: entry.id,
        concurrencyGroup: `audit webhook ${workspaceId}`,
        // Those of the installation are shown to operators only.
        ...(entry.workspaceId === '' ? {} : { workspaceId }),
      },
    )
}

function open(keyring: Keyring, sealed: string, workspaceId: string): ChannelTarget & { type: 'webhook' } {
  try {
    const target = openTarget(keyring, sealed, workspaceId)
    if (target.type === 'webhook') return target
  } catch (cause) {
    throw new JobFailure('The address was encrypted with another PLUMBLINE_SECRET_KEY; give it again.', {
      isFinal: true,
      cause,
    })
  }
  throw new Error('The webhook of the audit log is no webhook.')
}

/** By the Standard Webhooks specification; the id is the same at every attempt. */
function messageOf(entry: StoredAuditEntry, secret: string, now: Date) {
  const body = JSON.stringify({
    type: 'audit.entry',
    timestamp: entry.time.toISOString(),
    data: { entry: toAuditEntry(entry) },
  })
  const signed = signedHeaders(body, { id: `msg_${entry.id}`, time: now, secrets: [secret] })
  return { body, headers: { 'content-type': 'application/json', 'user-agent': 'Plumbline', ...signed } }
}
