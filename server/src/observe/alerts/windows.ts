/** Which time window an alert measures, and when it is checked again. */
import type { AlertRule } from '@plumbline/contract'

const minuteMs = 60_000
/** A window is measured about this many times while it passes, and at most once a minute. */
const evaluationsPerWindow = 360

/** How often an alert is checked, in minutes: every minute for windows of up to six hours, every four for a day. */
export const everyMinutes = (windowMinutes: number): number =>
  Math.max(1, Math.ceil(windowMinutes / evaluationsPerWindow))

type WindowTimes = Pick<AlertRule, 'windowMinutes' | 'delaySeconds'>

/** The end of the window to measure now: a whole minute, so that a preview sees the same windows. */
export const windowEnd = ({ delaySeconds }: WindowTimes, now: Date): Date =>
  floorToMinute(new Date(now.getTime() - delaySeconds * 1000))

/** The instant rounded down to a whole minute. */
export const floorToMinute = (time: Date): Date => new Date(Math.floor(time.getTime() / minuteMs) * minuteMs)

/** When the next window will have ended, and its late records will have arrived. */
export function nextEvaluation({ windowMinutes, delaySeconds }: WindowTimes, now: Date): Date {
  const everyMs = everyMinutes(windowMinutes) * minuteMs
  const delayMs = delaySeconds * 1000
  return new Date((Math.floor((now.getTime() - delayMs) / everyMs) + 1) * everyMs + delayMs)
}

/** Limits on the work of a preview. */
const previewPointsMax = 1500
const previewOverlapMax = 12
const previewSteps = [1, 2, 5, 10, 15, 20, 30, 60, 120, 180, 240, 360, 720, 1440]

/** Minutes between two windows of a preview: the alert's own interval, or more if that would be too many windows. */
export function previewStep(windowMinutes: number, rangeMs: number): number {
  const least = Math.max(
    everyMinutes(windowMinutes),
    windowMinutes / previewOverlapMax,
    rangeMs / minuteMs / previewPointsMax,
  )
  return previewSteps.find((step) => step >= least) ?? Math.ceil(least / 1440) * 1440
}
