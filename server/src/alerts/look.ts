/** One look at an alert: what its window holds, how it goes on, and who is told. */
import type { AlertLook, AlertStanding, ClaimedAlert } from '@plumbline/storage/control'
import { nextStanding } from './next-standing.ts'
import { type Measuring, sampleAt } from './samples.ts'
import { lastMinute, nextLook, windowEnd } from './windows.ts'

const recentMax = 60
/** While records are on their way for long, so often it is seen how far they are. */
const lateLookMs = 5000
/** A change of the alert wakes it in any case. */
const disabledLookMs = 3_600_000

interface Looking {
  readonly now: Date
  /** What arrived before is in the trace store, as far as this node knows. */
  readonly storedUntil: Date
}

/** Reads the last window that is whole, and says what follows of it. */
export async function look(
  alert: ClaimedAlert,
  traces: Measuring,
  { now, storedUntil }: Looking,
): Promise<AlertLook> {
  const { rule, standing: before } = alert
  if (!alert.isEnabled)
    return {
      standing: before,
      nextAt: new Date(now.getTime() + disabledLookMs),
      event: undefined,
      tells: false,
    }
  const dueEnd = windowEnd(rule, now)
  const isLate = storedUntil < dueEnd
  const end = isLate ? lastMinute(storedUntil) : dueEnd
  const nextAt = isLate ? new Date(now.getTime() + lateLookMs) : nextLook(rule, now)
  // A look for the sake of a mute, records that are late still, a clock that was set back: the window is known.
  if (before.checkedAt !== undefined && end <= before.checkedAt)
    return decideNotification(alert, { standing: before, nextAt, event: undefined }, now)
  const sample = await sampleAt(traces, rule, end)
  const { standing, event } = nextStanding(rule, before, sample)
  const looked: AlertStanding = {
    ...standing,
    told: before.told,
    checkedAt: end,
    value: sample.value,
    samples: sample.samples,
    problem: undefined,
    recent: [...before.recent, [end.getTime(), sample.value ?? null] as const].slice(-recentMax),
  }
  return decideNotification(alert, { standing: looked, nextAt, event }, now)
}

/** Channels hear of what they do not know yet: of a firing, and of the end of one that they were told of. */
function decideNotification(alert: ClaimedAlert, looked: Omit<AlertLook, 'tells'>, now: Date): AlertLook {
  const isMuted = alert.mutedUntil !== undefined && alert.mutedUntil > now
  const is = looked.standing.state === 'firing' ? 'firing' : 'ok'
  const tells = !isMuted && is !== looked.standing.told
  return { ...looked, standing: { ...looked.standing, told: tells ? is : looked.standing.told }, tells }
}
