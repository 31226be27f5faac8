import type { Turn } from '@plumbline/storage/control'
import type { Context } from '../verb.ts'

/** How long somebody has an item. */
const heldMs = 10 * 60_000

/** The caller's turn in a queue. */
export const turnOf = (queueId: string, { caller, now }: Pick<Context, 'caller' | 'now'>): Turn => ({
  queueId,
  annotator: { id: caller.id, name: caller.name },
  now,
  heldUntil: new Date(now.getTime() + heldMs),
})
