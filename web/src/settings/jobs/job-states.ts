import type { Job } from '@plumbline/sdk'
import type { Tone } from '../../ui/badge.tsx'

/** In the order of a job's life cycle. */
export const jobStates = [
  'waiting',
  'running',
  'failed',
  'done',
  'cancelled',
] as const satisfies readonly Job['state'][]

export const stateTones: Readonly<Record<Job['state'], Tone>> = {
  waiting: 'neutral',
  running: 'info',
  failed: 'bad',
  done: 'good',
  cancelled: 'neutral',
}

/** Whether a job in this state can be run again by hand, or cancelled. */
export const canRetry = (state: Job['state']): boolean => state === 'failed' || state === 'cancelled'
export const canCancel = (state: Job['state']): boolean => state === 'waiting' || state === 'running'
