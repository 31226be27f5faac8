/** The job that notifies a channel of a moved tag. */
import { enqueueJobs } from '../jobs/enqueue-jobs.ts'
import type { WorkspaceSql } from '../store/workspace.ts'
import { notificationAttemptsMax } from './notification-job.ts'

export const publicationJobKind = 'publication.send'

/** The event that channels subscribe to in `events`. */
const publicationEvent = 'prompt.published'

/** The move of a prompt's tag. */
export type Publication = {
  readonly promptSlug: string
  readonly tag: string
  /** Null if the tag was new. */
  readonly from: string | null
  readonly to: string
  /** Id of the API key or person; null for the service itself. */
  readonly movedBy: string | null
  /** Milliseconds. */
  readonly movedAt: number
}

export type PublicationPayload = Publication & { readonly workspaceId: string; readonly channelId: string }

/**
 * Enqueues a job for each subscribed channel, in the transaction of the move: every move that is reported happened, and
 * none is lost. A channel receives the moves of one prompt in the order of `position`.
 */
export async function enqueuePublication(
  { sql, workspaceId }: WorkspaceSql,
  publication: Publication,
  position: number,
): Promise<void> {
  const channels = await sql<{ id: string }>`
    SELECT id FROM channels
    WHERE workspace_id = ${workspaceId} AND disabled_at IS NULL AND events LIKE ${`%"${publicationEvent}"%`}`
  await enqueueJobs(
    sql,
    channels.map(({ id: channelId }) => ({
      workspaceId,
      kind: publicationJobKind,
      payload: { ...publication, workspaceId, channelId },
      concurrencyGroup: channelId,
      sequence: `${publication.promptSlug}/${channelId}`,
      position,
      attemptsMax: notificationAttemptsMax,
    })),
    new Date(publication.movedAt),
  )
}
