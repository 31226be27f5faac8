/** Sends audit entries to a workspace's webhook: one job for each entry, added together with it. */
import type { AuditLog, NewForward } from '@plumbline/storage/control'
import { JobFailure } from '../../jobs/job.ts'
import type { Jobs } from '../../jobs/jobs.ts'
import type { Fetch } from '../../network/guarded-fetch.ts'
import { type ChannelTarget, openTarget } from '../../observe/channels/channel-secrets.ts'
import { makePost } from '../../observe/channels/post-message.ts'
import type { Keyring } from '../../secrets/keyring.ts'
import { toAuditEntry } from './view.ts'

interface ForwardDeps {
  readonly log: Pick<AuditLog, 'find' | 'webhookOf'>
  readonly keyring: Keyring
  /** Reaches only what the network policy for webhooks allows. */
  readonly fetch: Fetch
  readonly now: () => Date
}

/** For each webhook. */
const concurrencyPerWebhook = 4
const breaker = { failuresMax: 5, openMs: 60_000 }
/** Over about a day. */
const attemptsMax = 15

/** Registers the handler, and returns the function that makes its jobs. */
export function handleForwards(jobs: Jobs, { log, keyring, fetch, now }: ForwardDeps): NewForward {
  const post = makePost({ fetch, now })
  const kind = jobs.handle<{ entryId: string; workspaceId: string }>(
    'audit.forward',
    async ({ entryId, workspaceId }, { signal }) => {
      const [entry, webhook] = await Promise.all([log.find(entryId), log.webhookOf(workspaceId)])
      // The entry has expired, or the webhook was removed.
      if (entry === undefined || webhook === undefined) return
      const target = open(keyring, webhook.sealed, workspaceId)
      const message = {
        id: `msg_${entry.id}`,
        type: 'audit.entry',
        time: entry.time,
        data: { entry: toAuditEntry(entry) },
      }
      const result = await post.webhook(target, message, signal)
      if (result.type === 'delivered') return
      const { problem, retryAfterMs = 0, isFinal = false } = result
      throw new JobFailure(problem, { retryAfterMs, isFinal })
    },
    { attemptsMax, concurrency: 8, concurrencyPerGroup: concurrencyPerWebhook, breaker },
  )

  return (entry, workspaceId) =>
    kind.newJob(
      { entryId: entry.id, workspaceId },
      {
        key: entry.id,
        concurrencyGroup: `audit webhook ${workspaceId}`,
        // Entries of the installation are shown to operators only.
        ...(entry.workspaceId === '' ? {} : { workspaceId }),
      },
    )
}

function open(
  keyring: Keyring,
  sealedText: string,
  workspaceId: string,
): ChannelTarget & { type: 'webhook' } {
  try {
    const target = openTarget(keyring, sealedText, workspaceId)
    if (target.type === 'webhook') return target
  } catch (cause) {
    throw new JobFailure('The address was encrypted with a different PLUMBLINE_SECRET_KEY; enter it again.', {
      isFinal: true,
      cause,
    })
  }
  throw new Error('The audit log webhook is not a webhook.')
}
