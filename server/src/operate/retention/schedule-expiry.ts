/**
 * Deletes internal data of the service that is no longer needed, every hour: one job per kind of data, so that one failure
 * does not block the others.
 */
import { retentionMs } from '../../evaluate/evaluations/retention.ts'
import { quietCutoffs } from '../../ingest/otlp/assembly/assembly-timing.ts'
import type { Jobs } from '../../jobs/jobs.ts'
import type { Foundation } from '../../process/foundation.ts'
import { fetchesKeptMs } from '../../prompts/prompts/fetch-counts.ts'
import { responseCutoff } from '../../requests/response-retention.ts'
import { evaluationCutoffs } from './rules.ts'

const hourMs = 3_600_000

const dayMs = 86_400_000

export function scheduleExpiry(
  jobs: Pick<Jobs, 'schedule'>,
  { control, storeOf, config }: Pick<Foundation, 'control' | 'storeOf' | 'config'>,
): void {
  const timeBefore = (now: Date, ms: number): Date => new Date(now.getTime() - ms)
  const workspaceIds = async () => [...(await control.revisions()).keys()]

  jobs.schedule('responses.expire', hourMs, async ({ now }) => {
    for (const id of await workspaceIds()) {
      const { idempotency, retention } = storeOf(id)
      await idempotency.forgetBefore(responseCutoff(await retention.find(), now))
    }
  })
  jobs.schedule('fetches.expire', hourMs, async ({ now }) => {
    for (const id of await workspaceIds())
      await storeOf(id).promptFetches.forgetBefore(timeBefore(now, fetchesKeptMs))
  })
  jobs.schedule('uploads.expire', hourMs, async ({ now }) => {
    for (const id of await workspaceIds()) await storeOf(id).fileContents.deleteUnused(timeBefore(now, dayMs))
  })
  jobs.schedule('sessions.expire', hourMs, async ({ now }) => {
    const idleMs = config.PLUMBLINE_SESSION_IDLE_DAYS * dayMs
    await control.people.forgetExpired(now, timeBefore(now, idleMs))
  })
  jobs.schedule('assemblies.expire', hourMs, async ({ now }) => {
    await control.assemblies.forgetQuiet(quietCutoffs(now))
  })
  jobs.schedule('evaluations.expire', hourMs, async ({ now }) => {
    for (const id of await workspaceIds())
      await control.evaluations.forget(id, evaluationCutoffs(await storeOf(id).retention.find(), now))
    await control.evaluations.forgetSpend(timeBefore(now, retentionMs.failed))
  })
}
