/** One attempt at a case: runs it, records it, and returns the outcome. */
import { setTimeout as pause } from 'node:timers/promises'
import type { ExperimentTarget } from '@plumbline/contract'
import { ServiceError } from '@plumbline/contract'
import type { CaseUpdate, ClaimedCase, Experiment, ExperimentRun } from '@plumbline/storage/control'
import { parseJsonText } from '@plumbline/storage/parse-json-text'
import type { OpenModel } from '../../outbound/connections/models.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { attemptsMax, backoffAfter } from '../evaluations/retry-policy.ts'
import { type CallProblem, callProblem } from '../evaluators/model/call-problem.ts'
import { type Joining, TracesMissing } from '../experiments/joining.ts'
import { callEndpoint } from './call-endpoint.ts'
import { caseIds } from './case-ids.ts'
import { type CaseRecording, recordCase } from './record-case.ts'
import { runPrompt } from './run-prompt.ts'
import type { CallResult } from './target-response.ts'

export interface CaseDeps {
  readonly openModel: OpenModel
  readonly fetch: typeof globalThis.fetch
  readonly headersOf: (run: ExperimentRun) => Readonly<Record<string, string>>
  readonly joining: Pick<Joining, 'join'>
  /** Enqueues evaluations of a trace by evaluators that it does not refer to itself. */
  readonly judge: (workspace: Workspace, traceId: string, evaluatorSlugs: readonly string[]) => Promise<void>
  readonly signal: AbortSignal
  readonly now: () => Date
}

export interface CaseAttempt {
  readonly update: CaseUpdate
  /** Pauses the whole run, since the target limits its rate of requests. */
  readonly backoff?: { readonly until: Date; readonly problem: string }
}

/** Never rejects. */
export async function attemptCase(
  run: ExperimentRun,
  experiment: Experiment,
  experimentCase: ClaimedCase,
  workspace: Workspace,
  deps: CaseDeps,
): Promise<CaseAttempt> {
  const ids = caseIds(run, experimentCase)
  // Safe: the contract's schema admits only such objects.
  const target = JSON.parse(run.target) as ExperimentTarget
  const values = parseJsonText(experimentCase.values) as Record<string, unknown>
  const startedAt = deps.now()
  // The cost counts even if the response cannot be recorded, since it was paid for.
  let cost: number | undefined
  try {
    const result =
      target.type === 'prompt'
        ? await callPrompt(target, values, workspace, deps)
        : await callEndpoint(target, {
            runId: run.id,
            datasetRowId: experimentCase.rowId,
            values,
            traceparent: ids.traceparent,
            headers: deps.headersOf(run),
            fetch: deps.fetch,
            signal: deps.signal,
            now: deps.now,
          })
    if (result.type === 'problem')
      return attemptOfProblem(
        experimentCase,
        result.problem,
        { cost, durationMs: result.durationMs },
        deps.now(),
      )
    const { response } = result
    cost = response.cost
    // The response contains data of a user who was erased meanwhile.
    if (await workspace.experimentRuns.isErased(experimentCase))
      throw new ServiceError('unavailable', { problem: 'The row of this case was emptied by an erasure.' })
    const traceId = await recordOrJoin(
      { run, experiment, experimentCase, values, response, ids },
      workspace,
      deps,
    )
    const durationMs = response.endedAt.getTime() - response.startedAt.getTime()
    return { update: { experimentCase, type: 'done', traceId, cost, durationMs } }
  } catch (error) {
    const durationMs = deps.now().getTime() - startedAt.getTime()
    const problem = problemOfError(error, deps.now())
    return attemptOfProblem(experimentCase, problem, { cost, durationMs }, deps.now())
  }
}

async function callPrompt(
  target: Extract<ExperimentTarget, { type: 'prompt' }>,
  values: Readonly<Record<string, unknown>>,
  workspace: Workspace,
  { openModel, signal, now }: CaseDeps,
): Promise<CallResult> {
  const response = await runPrompt(target, values, { workspace, openModel, signal, now })
  return { type: 'response', response }
}

/** Errors of the contract are permanent, unless the service itself cannot accept records now. */
function problemOfError(error: unknown, now: Date): CallProblem {
  if (error instanceof ServiceError)
    return { type: error.code === 'unavailable' ? 'transient' : 'permanent', problem: error.message }
  return callProblem(error, now)
}

/** The id of the case's own trace, or of the one that the endpoint reports. */
async function recordOrJoin(recording: CaseRecording, workspace: Workspace, deps: CaseDeps): Promise<string> {
  const { run, response, ids } = recording
  const reportedId = response.traceId?.toLowerCase()
  // Spans recorded under the traceparent are part of the case's trace anyway.
  const isOtherTrace =
    reportedId !== undefined && reportedId !== ids.otelTraceId && reportedId !== ids.traceId
  const reportedTraceId = isOtherTrace
    ? await joinReportedTrace(recording, reportedId, workspace, deps)
    : undefined
  if (reportedTraceId !== undefined) {
    await deps.judge(workspace, reportedTraceId, run.evaluatorSlugs)
    return reportedTraceId
  }
  await recordCase(recording, workspace, deps.now())
  return ids.traceId
}

/** Pauses between attempts to find the trace: clients export their records shortly after they respond. */
const joinPausesMs = [0, 250, 500, 1000, 2000, 4000]

/** Joins the reported trace to the experiment; undefined if that is impossible. */
async function joinReportedTrace(
  { run, experimentCase }: CaseRecording,
  reportedId: string,
  workspace: Workspace,
  { joining, signal }: CaseDeps,
): Promise<string | undefined> {
  for (const pauseMs of joinPausesMs) {
    await pause(pauseMs)
    if (signal.aborted) throw signal.reason
    const traceId = /^[0-9a-f]{32}$/.test(reportedId) ? await workspace.traces.idOf(reportedId) : reportedId
    if (traceId === undefined) continue
    try {
      const { elsewhere } = await joining.join(workspace, run.experimentId, [
        { traceId, datasetRowId: experimentCase.rowId },
      ])
      return elsewhere.length === 0 ? traceId : undefined
    } catch (error) {
      if (!(error instanceof TracesMissing)) throw error
    }
  }
  return undefined
}

/** The consequences of a problem for the case and for its run. */
function attemptOfProblem(
  experimentCase: ClaimedCase,
  { type, problem, retryAfterMs }: CallProblem,
  spend: Pick<CaseUpdate, 'cost' | 'durationMs'>,
  now: Date,
): CaseAttempt {
  const timeAfter = (ms: number): Date => new Date(now.getTime() + Math.ceil(ms))
  const chance = Math.random()
  switch (type) {
    case 'busy': {
      // Not this case's fault: the attempt is not charged, and the whole run waits.
      const until = timeAfter(retryAfterMs ?? backoffAfter(experimentCase.attempts, chance))
      const dueAt = new Date(until.getTime() + Math.ceil(chance * 500))
      return {
        update: { experimentCase, type: 'again', problem, dueAt, isCharged: false, ...spend },
        backoff: { until, problem: `The endpoint is rate limiting requests: ${problem}` },
      }
    }
    case 'transient':
    case 'malformed':
      return experimentCase.attempts >= attemptsMax
        ? {
            update: {
              experimentCase,
              type: 'failed',
              problem: `It was attempted ${attemptsMax} times. ${problem}`,
              ...spend,
            },
          }
        : {
            update: {
              experimentCase,
              type: 'again',
              problem,
              dueAt: timeAfter(backoffAfter(experimentCase.attempts, chance)),
              isCharged: true,
              ...spend,
            },
          }
    // A retry cannot repair a key or a model; once repaired, the user retries all cases at once.
    case 'unusable':
    case 'permanent':
      return { update: { experimentCase, type: 'failed', problem, ...spend } }
  }
}
