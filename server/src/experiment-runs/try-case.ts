/** One case is tried: run, recorded, and told what it came to. */
import type { ExperimentTarget } from '@plumbline/contract'
import { ServiceError } from '@plumbline/contract'
import type { BegunCase, CaseOutcome, Experiment, ExperimentRun } from '@plumbline/storage/control'
import type { OpenModel } from '../connections/models.ts'
import { attemptsMax, pauseAfter } from '../evaluations/pace.ts'
import { type CallProblem, callProblem } from '../evaluators/model/call-problem.ts'
import { type Joining, TracesMissing } from '../experiments/joining.ts'
import type { Workspace } from '../workspace.ts'
import type { Tried } from './answer.ts'
import { callEndpoint } from './call-endpoint.ts'
import { caseIds } from './case-ids.ts'
import { type RecordedCase, recordCase } from './record-case.ts'
import { runPrompt } from './run-prompt.ts'

export interface Trying {
  readonly openModel: OpenModel
  readonly fetch: typeof globalThis.fetch
  readonly headersOf: (run: ExperimentRun) => Readonly<Record<string, string>>
  readonly joining: Pick<Joining, 'join'>
  /** Has a trace judged by evaluators that it does not name itself. */
  readonly judge: (workspace: Workspace, traceId: string, evaluatorSlugs: readonly string[]) => Promise<void>
  readonly signal: AbortSignal
  readonly now: () => Date
}

export interface TriedCase {
  readonly outcome: CaseOutcome
  /** Until when nothing more of the run is begun, since the target asks for patience. */
  readonly hold?: { readonly until: Date; readonly problem: string }
}

/** Never rejects. */
export async function tryCase(
  run: ExperimentRun,
  experiment: Experiment,
  of: BegunCase,
  workspace: Workspace,
  trying: Trying,
): Promise<TriedCase> {
  const ids = caseIds(run, of)
  // Safe: the contract's schema let only such objects in.
  const target = JSON.parse(run.target) as ExperimentTarget
  const values = JSON.parse(of.values) as Record<string, unknown>
  const startedAt = trying.now()
  try {
    const tried =
      target.type === 'prompt'
        ? await promptTried(target, values, workspace, trying)
        : await callEndpoint(target, {
            runId: run.id,
            datasetRowId: of.rowId,
            values,
            traceparent: ids.traceparent,
            headers: trying.headersOf(run),
            fetch: trying.fetch,
            signal: trying.signal,
            now: trying.now,
          })
    if (tried.type === 'problem') return again(of, tried.problem, tried.durationMs, trying.now())
    const { answer } = tried
    const traceId = await recorded({ run, experiment, of, values, answer, ids }, workspace, trying)
    const durationMs = answer.endedAt.getTime() - answer.startedAt.getTime()
    return { outcome: { of, type: 'done', traceId, cost: answer.cost, durationMs } }
  } catch (error) {
    const durationMs = trying.now().getTime() - startedAt.getTime()
    return again(of, problemOfError(error, trying.now()), durationMs, trying.now())
  }
}

async function promptTried(
  target: Extract<ExperimentTarget, { type: 'prompt' }>,
  values: Readonly<Record<string, unknown>>,
  workspace: Workspace,
  { openModel, signal, now }: Trying,
): Promise<Tried> {
  const answer = await runPrompt(target, values, { workspace, openModel, signal, now })
  return { type: 'answered', answer }
}

/** What the catalogue of errors knows is so for good, unless it is the service itself that cannot take records now. */
function problemOfError(error: unknown, now: Date): CallProblem {
  if (error instanceof ServiceError)
    return { type: error.code === 'unavailable' ? 'passing' : 'refused', problem: error.message }
  return callProblem(error, now)
}

/** The case's own trace, or the one that the endpoint says it has recorded. */
async function recorded(recording: RecordedCase, workspace: Workspace, trying: Trying): Promise<string> {
  const { run, answer, ids } = recording
  const told = answer.traceId?.toLowerCase()
  // What is recorded under the traceparent is part of the case's trace anyway.
  const isOther = told !== undefined && told !== ids.otelTraceId && told !== ids.traceId
  const other = isOther ? await joined(recording, told, workspace, trying) : undefined
  if (other !== undefined) {
    await trying.judge(workspace, other, run.evaluatorSlugs)
    return other
  }
  await recordCase(recording, workspace, trying.now())
  return ids.traceId
}

/** Clients send their records a little later than their answers. */
const joinPausesMs = [0, 250, 500, 1000, 2000, 4000]

/** The trace that was told of, once it is in the experiment; undefined where it cannot be. */
async function joined(
  { run, of }: RecordedCase,
  told: string,
  workspace: Workspace,
  { joining, signal }: Trying,
): Promise<string | undefined> {
  for (const pauseMs of joinPausesMs) {
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
    if (signal.aborted) throw signal.reason
    const traceId = /^[0-9a-f]{32}$/.test(told) ? await workspace.traces.idOf(told) : told
    if (traceId === undefined) continue
    try {
      const { elsewhere } = await joining.join(workspace, run.experimentId, [
        { traceId, datasetRowId: of.rowId },
      ])
      return elsewhere.length === 0 ? traceId : undefined
    } catch (error) {
      if (!(error instanceof TracesMissing)) throw error
    }
  }
  return undefined
}

/** What a problem means for the case, and for the others of its run. */
function again(
  of: BegunCase,
  { type, problem, retryAfterMs }: CallProblem,
  durationMs: number,
  now: Date,
): TriedCase {
  const paid = { cost: undefined, durationMs }
  const after = (ms: number): Date => new Date(now.getTime() + Math.ceil(ms))
  const chance = Math.random()
  switch (type) {
    case 'busy': {
      // Not the fault of this one: only the run's deadline counts, and the other cases wait as well.
      const until = after(retryAfterMs ?? pauseAfter(of.attempts, chance))
      const dueAt = new Date(until.getTime() + Math.ceil(chance * 500))
      return {
        outcome: { of, type: 'again', problem, dueAt, isCharged: false, ...paid },
        hold: { until, problem: `It is asked for patience: ${problem}` },
      }
    }
    case 'passing':
    case 'malformed':
      return of.attempts >= attemptsMax
        ? {
            outcome: {
              of,
              type: 'failed',
              problem: `It was tried ${attemptsMax} times. ${problem}`,
              ...paid,
            },
          }
        : {
            outcome: {
              of,
              type: 'again',
              problem,
              dueAt: after(pauseAfter(of.attempts, chance)),
              isCharged: true,
              ...paid,
            },
          }
    // A key or a model that does not work fares no better the next time; once it does, all is tried again at once.
    case 'closed':
    case 'refused':
      return { outcome: { of, type: 'failed', problem, ...paid } }
  }
}
