/** Which stretch of time an alert looks at, and when it looks again. */
import type { AlertRule } from '@plumbline/contract'

const minuteMs = 60_000
/** A window is looked at about so many times while it passes, and at most once a minute. */
const evaluationsPerWindow = 360

/** How often an alert is looked at, in minutes: six hours and less each minute, a day every four. */
export const everyMinutes = (windowMinutes: number): number =>
  Math.max(1, Math.ceil(windowMinutes / evaluationsPerWindow))

type WindowTimes = Pick<AlertRule, 'windowMinutes' | 'delaySeconds'>

/** The end of the window to look at now: a whole minute, so that a preview sees the same windows. */
export const windowEnd = ({ delaySeconds }: WindowTimes, now: Date): Date =>
  floorToMinute(new Date(now.getTime() - delaySeconds * 1000))

/** The whole minute that an instant is in, or is the beginning of. */
export const floorToMinute = (time: Date): Date => new Date(Math.floor(time.getTime() / minuteMs) * minuteMs)

/** When the next window will have ended, and what is late in it will be there. */
export function nextEvaluation({ windowMinutes, delaySeconds }: WindowTimes, now: Date): Date {
  const everyMs = everyMinutes(windowMinutes) * minuteMs
  const delayMs = delaySeconds * 1000
  return new Date((Math.floor((now.getTime() - delayMs) / everyMs) + 1) * everyMs + delayMs)
}

/** Windows of a preview share no more than so much work. */
const previewPointsMax = 1500
const previewOverlapMax = 12
const previewSteps = [1, 2, 5, 10, 15, 20, 30, 60, 120, 180, 240, 360, 720, 1440]

/** Minutes between two windows of a preview: those of the alert itself, or more where that would be too many. */
export function previewStep(windowMinutes: number, rangeMs: number): number {
  const least = Math.max(
    everyMinutes(windowMinutes),
    windowMinutes / previewOverlapMax,
    rangeMs / minuteMs / previewPointsMax,
  )
  return previewSteps.find((step) => step >= least) ?? Math.ceil(least / 1440) * 1440
}
