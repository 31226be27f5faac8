import type { Assignment } from '@plumbline/storage/control'
import type { Context } from '../../requests/verb.ts'

/** How long an item stays assigned to an annotator. */
const leaseMs = 10 * 60_000

/** An assignment of the caller in a queue. */
export const toAssignment = (
  queueId: string,
  { caller, now }: Pick<Context, 'caller' | 'now'>,
): Assignment => ({
  queueId,
  annotator: { id: caller.id, name: caller.name },
  now,
  heldUntil: new Date(now.getTime() + leaseMs),
})
