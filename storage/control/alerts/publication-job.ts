/** The job that tells a channel of a tag that moved. */
import { enqueueJobs } from '../jobs/enqueue-jobs.ts'
import type { WorkspaceSql } from '../store/workspace.ts'
import { notificationAttemptsMax } from './notification-job.ts'

export const publicationJobKind = 'publication.send'

/** What channels subscribe to by `events`. */
const publicationEvent = 'prompt.published'

/** A tag of a prompt that moved. */
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
 * Enqueues a job for each channel that subscribes, in the transaction of the move: a receiver can rely on each move
 * that it hears of, and none is lost. A channel hears of one prompt in the order of `position`.
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
