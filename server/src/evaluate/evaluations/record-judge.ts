/** Records the prompt and the response of a model judge as a trace in the feature of judges. */
import { judgedSessionKey, judgedTraceKey, judgesFeature } from '@plumbline/contract'
import type { Evaluation } from '@plumbline/storage/control'
import { newId } from '../../id.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import type { JudgeCall } from '../evaluators/model/judge-call.ts'
import type { EvaluationResult } from './judge.ts'

/** The user and organization whose data the judged texts are: the trace is erased with theirs. */
export interface DataOwner {
  readonly user: { readonly id: string; readonly name: string } | null
  readonly organization: { readonly id: string; readonly name: string } | null
}

interface JudgeRecord {
  readonly evaluation: Evaluation
  readonly owner: DataOwner
  readonly calls: readonly JudgeCall[]
  readonly result: EvaluationResult
}

/** Returns the id of the trace. The trace is recorded like any other, so it is durable once this resolves. */
export async function recordJudge(
  record: JudgeRecord,
  { workspace, now }: { readonly workspace: Workspace; readonly now: Date },
): Promise<string> {
  const traceId = newId(now)
  await workspace.recorder.append(
    {
      type: 'trace',
      workspaceId: workspace.id,
      // No key of the workspace sent it, so the ledger does not count it.
      apiKeyId: '',
      receivedAtMs: now.getTime(),
      traceId,
      featureSlug: judgesFeature,
      isSampled: false,
      sampleRate: null,
      sampledBy: null,
      warning: null,
      prompts: {},
    },
    Buffer.from(JSON.stringify(traceOf(record))),
  )
  return traceId
}

function traceOf({ evaluation, owner, calls, result }: JudgeRecord): object {
  const { traceId, logId, sessionId, evaluatorSlug, evaluatorVersion, id, attempts } = evaluation
  const first = calls[0]
  return {
    name: `Judge ${evaluatorSlug}`,
    startTime: first?.startedAt.toISOString(),
    endTime: calls.at(-1)?.endedAt.toISOString(),
    input: first?.input ?? null,
    output:
      result.type === 'verdict'
        ? { value: result.value, comment: result.comment }
        : { problem: result.type === 'problem' ? result.problem.problem : result.comment },
    metadata: {
      [judgedTraceKey]: traceId,
      ...(logId === undefined ? {} : { judgedLogId: logId }),
      ...(sessionId === undefined ? {} : { [judgedSessionKey]: sessionId }),
      evaluator: evaluatorSlug,
      evaluatorVersion,
      evaluationId: id,
      attempt: attempts,
    },
    user: owner.user,
    organization: owner.organization,
    logs: calls.map(logOf),
  }
}

const logOf = (call: JudgeCall, index: number): object => ({
  id: `call-${index + 1}`,
  type: 'generation',
  name: `${call.operation} ${call.model}`,
  startTime: call.startedAt.toISOString(),
  endTime: call.endedAt.toISOString(),
  input: call.input,
  output: call.output,
  ...call.spend,
  metadata: {
    model: call.model,
    provider: call.provider,
    ...(call.problem === undefined ? {} : { error: call.problem }),
  },
})
