import type { ControlStore } from '@plumbline/storage/control'
import type { TraceStore } from '@plumbline/storage/traces'

const dayMs = 86_400_000

/** Deletes the traces of every workspace that keeps them no longer. */
export async function expireTraces(
  control: Pick<ControlStore, 'revisions' | 'scopedTo'>,
  traceStore: Pick<TraceStore, 'expire'>,
  now: Date,
): Promise<void> {
  const expiries = new Map<string, number>()
  for (const workspaceId of (await control.revisions()).keys()) {
    const days = await control.scopedTo({ workspaceId }).retention.find()
    if (days !== undefined) expiries.set(workspaceId, now.getTime() - days * dayMs)
  }
  await traceStore.expire(expiries)
}
