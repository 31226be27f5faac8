import { type Evaluation, lateProblem, type Outcome } from '@plumbline/storage/control'
import type { Workspace } from '../workspace.ts'
import type { Judge } from './judge.ts'
import type { FindJudged } from './judged.ts'
import { outcomeOf, outcomeOfError, type Tried, triedEnough } from './outcome.ts'
import { attemptsMax } from './pace.ts'

interface Trying {
  readonly judge: Judge
  readonly workspace: Workspace
  readonly findJudged: FindJudged
  readonly signal: AbortSignal
  readonly now: () => Date
}

/** Judges once. Never rejects: whatever went wrong is what came of it. */
export async function tryEvaluation(of: Evaluation, trying: Trying): Promise<Tried> {
  const { judge, workspace, findJudged, signal, now } = trying
  if (of.deadlineAt < now()) return { outcome: failed(of, `${lateProblem} ${of.problem ?? ''}`.trim()) }
  // It was begun more often than it may fail, so each time the process died of it, or was stopped.
  if (of.attempts > attemptsMax)
    return { outcome: failed(of, triedEnough(of.problem ?? 'The service stopped each time.')) }
  try {
    const found = await findJudged(of)
    if ('problem' in found) return { outcome: failed(of, found.problem) }
    const said = await judge(found.by, found.subject, { workspace, signal, now })
    return outcomeOf(of, said, { now: now(), chance: Math.random() })
  } catch (error) {
    return outcomeOfError(of, error, { now: now(), chance: Math.random() })
  }
}

const failed = (of: Evaluation, problem: string): Outcome => ({ of, type: 'failed', problem })
