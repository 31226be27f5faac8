/** Notifies a channel that a tag of a prompt moved. */
import {
  type Notifications,
  notificationAttemptsMax,
  type PublicationPayload,
  publicationJobKind,
  type WorkspaceControlStore,
} from '@plumbline/storage/control'
import type { Logger } from 'pino'
import { JobFailure } from '../../jobs/job.ts'
import type { Jobs } from '../../jobs/jobs.ts'
import type { Keyring } from '../../secrets/keyring.ts'
import { openTarget } from './channel-secrets.ts'
import type { Message } from './message.ts'
import { retryDelayMs } from './retry-policy.ts'
import type { Send } from './send.ts'
import { goneProblem, lockedProblem } from './send-notification.ts'

interface PublicationDeps {
  readonly notifications: Pick<Notifications, 'disableChannel'>
  readonly storeOf: (workspaceId: string) => WorkspaceControlStore
  readonly keyring: Keyring
  readonly send: Send
  readonly publicUrl: string | undefined
  readonly logger: Logger
}

export function handlePublications(jobs: Jobs, deps: PublicationDeps): void {
  const { notifications, storeOf, send, publicUrl } = deps
  jobs.handle<PublicationPayload>(
    publicationJobKind,
    async (publication, { id, now, signal }) => {
      const { workspaceId, channelId } = publication
      const store = storeOf(workspaceId)
      const channel = await store.channels.find(channelId)
      // The channel was deleted or disabled since, so the message is dropped.
      if (channel === undefined || channel.disabledAt !== undefined) return
      const target = openOrFail(deps, channel.sealed, workspaceId)
      const message = await makePublicationMessage(id, publication, store, publicUrl)
      const result = await send(target, message, signal)
      if (result.type === 'delivered') return
      // If a stop interrupted the request, its failure is not the receiver's response.
      signal.throwIfAborted()
      const { problem, retryAfterMs = 0, isFinal = false, isGone = false } = result
      if (isGone)
        await notifications.disableChannel({ workspaceId, channelId }, { problem: goneProblem, now })
      throw new JobFailure(problem, { isFinal, retryAfterMs })
    },
    { attemptsMax: notificationAttemptsMax, concurrency: 8, concurrencyPerGroup: 4, retryDelayMs },
  )
}

function openOrFail({ keyring, logger }: PublicationDeps, sealedText: string, workspaceId: string) {
  try {
    return openTarget(keyring, sealedText, workspaceId)
  } catch (cause) {
    logger.warn({ err: cause }, 'a channel could not be opened')
    throw new JobFailure(lockedProblem, { isFinal: true, cause })
  }
}

/** The message contains names only, no text of the prompt. */
async function makePublicationMessage(
  id: string,
  { workspaceId, promptSlug, tag, from, to, movedBy, movedAt }: PublicationPayload,
  { members, workspaceName }: WorkspaceControlStore,
  publicUrl: string | undefined,
): Promise<Message> {
  const [name, names] = await Promise.all([
    workspaceName.find(),
    members.names(movedBy === null ? [] : [movedBy]),
  ])
  const mover = movedBy === null ? null : { id: movedBy, name: names.get(movedBy) ?? null }
  const byline = mover?.name == null ? '' : ` by ${mover.name}`
  const text =
    from === null
      ? `The new tag ${tag} was set${byline}.`
      : `The tag ${tag} moved from ${from} to ${to}${byline}.`
  const path = `/app/prompts/${encodeURIComponent(promptSlug)}`
  const url = publicUrl === undefined ? undefined : `${publicUrl}${path}`
  return {
    id: `msg_${id}`,
    type: 'prompt.published',
    time: new Date(movedAt),
    title: `${promptSlug}: ${tag} is now ${to}`,
    text,
    note: '',
    workspace: name ?? '',
    url,
    data: {
      summary: text,
      workspace: { id: workspaceId, name: name ?? '' },
      prompt: { slug: promptSlug, url: url ?? null },
      tag,
      from,
      to,
      movedBy: mover,
      movedAt: new Date(movedAt).toISOString(),
    },
  }
}
