/** What is to be written down of an evaluation, and of the lane of its model, once it was tried. */
import { ServiceError } from '@plumbline/contract'
import { ControlStoreAway, type Evaluation, type Outcome } from '@plumbline/storage/control'
import { TraceStoreAway } from '@plumbline/storage/traces'
import type { Judged } from './judge.ts'
import { attemptsMax, pauseAfter } from './pace.ts'

export interface Tried {
  readonly outcome: Outcome
  /** What the lane is to do: begin nothing until then, show again that its model works, or note that it does. */
  readonly lane?:
    | { readonly type: 'hold'; readonly until: Date; readonly problem: string }
    | { readonly type: 'doubt' }
    | { readonly type: 'works' }
}

interface Trying {
  readonly now: Date
  /** From 0 to 1. */
  readonly chance: number
}

export function outcomeOf(of: Evaluation, judged: Judged, trying: Trying): Tried {
  const { paid } = judged
  switch (judged.type) {
    case 'verdict': {
      const { value, comment } = judged
      return { outcome: { of, type: 'judged', value, comment, ...paid }, lane: { type: 'works' } }
    }
    case 'nothing':
      return { outcome: { of, type: 'skipped', comment: judged.comment, ...paid } }
    case 'problem':
      return { ...triedAgain(of, judged.problem, trying, paid) }
  }
}

type Problem = Extract<Judged, { type: 'problem' }>

function triedAgain(
  of: Evaluation,
  { type, problem, retryAfterMs }: Problem['problem'],
  { now, chance }: Trying,
  paid: Problem['paid'],
): Tried {
  const after = (ms: number): Date => new Date(now.getTime() + Math.ceil(ms))
  switch (type) {
    case 'malformed':
    case 'refused':
      return { outcome: { of, type: 'failed', problem, ...paid } }
    case 'busy': {
      // Not the fault of this one: only its deadline counts, and the others of the lane wait as well.
      const until = after(retryAfterMs ?? pauseAfter(of.attempts, chance))
      const dueAt = new Date(until.getTime() + Math.ceil(chance * 500))
      return {
        outcome: { of, type: 'again', problem, dueAt, isCharged: false, ...paid },
        lane: { type: 'hold', until, problem: `The provider asks for patience: ${problem}` },
      }
    }
    case 'closed':
    case 'passing': {
      const lane = type === 'closed' ? { lane: { type: 'doubt' } as const } : {}
      if (of.attempts >= attemptsMax)
        return { outcome: { of, type: 'failed', problem: triedEnough(problem), ...paid }, ...lane }
      const dueAt = after(pauseAfter(of.attempts, chance))
      return { outcome: { of, type: 'again', problem, dueAt, isCharged: true, ...paid }, ...lane }
    }
  }
}

/** Of what was thrown: what the catalogue of errors knows is so for good, anything else may pass. */
export function outcomeOfError(of: Evaluation, error: unknown, trying: Trying): Tried {
  const problem = error instanceof Error ? error.message : String(error)
  if (error instanceof TraceStoreAway || error instanceof ControlStoreAway) {
    const dueAt = new Date(trying.now.getTime() + Math.ceil(pauseAfter(of.attempts, trying.chance)))
    return { outcome: { of, type: 'again', problem, dueAt, isCharged: false } }
  }
  const type = error instanceof ServiceError ? 'refused' : 'passing'
  return triedAgain(of, { type, problem }, trying, {})
}

export const triedEnough = (problem: string): string => `It was tried ${attemptsMax} times. ${problem}`
