import { isDeepStrictEqual } from 'node:util'
import { invalid, type operations, type Replay, ServiceError } from '@plumbline/contract'
import type { Connection } from '@plumbline/storage/control'
import type { LanguageModel } from 'ai'
import type { OpenModel } from '../../outbound/connections/models.ts'
import type { Verb } from '../../requests/verb.ts'
import { readExtras } from '../../workspace/extras.ts'
import { readModel } from '../../workspace/model.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import type { CachedVersion } from '../../workspace/workspace-cache.ts'
import type { Judge } from '../evaluations/judge.ts'
import { subjectOfLog } from '../evaluators/rules/subject.ts'
import { callVersion, type ReplayModel } from './call-version.ts'
import { makeJudgeOutput, type ReplayEvaluator } from './judge-output.ts'
import { messagesOfCall, missingVariables } from './messages-of-call.ts'
import { latestCalls, namedCalls, type RecordedCall } from './recorded-calls.ts'

export interface ReplayDeps {
  readonly judge: Judge
  readonly openModel: OpenModel
}

const callsDefault = 10
/** Concurrent calls of the model; a user waits for the response. */
const concurrency = 4

/** Runs recorded calls of a prompt on another version, and judges both outputs in the same way. */
export const makeCreate =
  ({ judge, openModel }: ReplayDeps): Verb<typeof operations.replays.create> =>
  async ({ slug, version: name, connectionId, model, limit, traceIds, evaluatorSlugs }, context) => {
    const { workspace } = context
    const prompt = await workspace.cache.prompt(slug)
    if (prompt === undefined) throw new ServiceError('prompt_not_found', { slug })
    const version = prompt.versions.find((candidate) => candidate.version === name)
    if (version === undefined)
      throw new ServiceError('version_not_found', { slug, selector: `version "${name}"` })
    const evaluators = await findEvaluators(evaluatorSlugs ?? [], workspace)
    const replayModel = await openReplayModel({ version, connectionId, model, openModel }, workspace)
    const calls =
      traceIds == null
        ? await latestCalls(slug, limit ?? callsDefault, workspace)
        : await namedCalls(slug, traceIds, workspace)
    const judgeOutput = makeJudgeOutput(judge, evaluators, workspace)
    const replay = (call: RecordedCall): Promise<Replay> =>
      replayCall(call, { version, versions: prompt.versions, replayModel, judgeOutput })
    const replays: Replay[] = []
    for (let start = 0; start < calls.length; start += concurrency)
      replays.push(...(await Promise.all(calls.slice(start, start + concurrency).map(replay))))
    return { replays }
  }

interface ModelSelection {
  readonly version: CachedVersion
  readonly connectionId: string
  readonly model: string | null | undefined
  readonly openModel: OpenModel
}

async function openReplayModel(
  { version, connectionId, model: requestedModel, openModel }: ModelSelection,
  workspace: Workspace,
): Promise<ReplayModel> {
  const connection: Connection | undefined = await workspace.connections.find(connectionId)
  if (connection === undefined) throw new ServiceError('connection_not_found', { id: connectionId })
  const configuration = readModel(version.model)
  const model = requestedModel ?? configuration.model
  if (model === '') throw invalid('model', 'is required, since the version names none')
  const languageModel: LanguageModel = await openModel(connection, model, workspace.id)
  const overrides = await workspace.prices.list()
  const { parameters } = configuration
  return { languageModel, provider: connection.provider, model, parameters, overrides }
}

async function findEvaluators(slugs: readonly string[], workspace: Workspace): Promise<ReplayEvaluator[]> {
  const evaluators = await workspace.evaluators.findMany(slugs)
  return slugs.map((slug, index) => {
    const evaluator = evaluators.find((candidate) => candidate.slug === slug)
    if (evaluator === undefined) throw new ServiceError('evaluator_not_found', { slug })
    if (evaluator.kind === 'human')
      throw invalid(
        `evaluatorSlugs[${index}]`,
        'must not name a "human" evaluator: people judge, not the service',
      )
    return evaluator
  })
}

interface ReplayContext {
  readonly version: CachedVersion
  readonly versions: readonly CachedVersion[]
  readonly replayModel: ReplayModel
  readonly judgeOutput: ReturnType<typeof makeJudgeOutput>
}

async function replayCall(
  { trace, log }: RecordedCall,
  { version, versions, replayModel, judgeOutput }: ReplayContext,
): Promise<Replay> {
  const recordedVersion = versions.find((candidate) => candidate.version === log.promptVersion)
  const candidate = textsOf(version)
  // Safe: the log was found in the trace.
  const subject = subjectOfLog(trace, log.id)!
  const { startTime, output } = log
  const recorded = {
    version: log.promptVersion ?? null,
    model: log.model ?? null,
    output,
    cost: subject.cost,
    durationMs: subject.durationMs,
    scores: await judgeOutput(subject),
  }
  const shared = {
    traceId: trace.id,
    logId: log.id,
    startTime,
    variables: Object.fromEntries((log.variables ?? []).map(({ label, value }) => [label, value ?? null])),
    missingVariables: missingVariables(log, candidate),
    recorded,
  }
  const prepared = messagesOfCall(log, candidate, recordedVersion && textsOf(recordedVersion))
  if ('problem' in prepared) return { ...shared, replayed: null, problem: prepared.problem, isSame: false }
  const result = await callVersion(prepared.messages, replayModel)
  if ('problem' in result) return { ...shared, replayed: null, problem: result.problem, isSame: false }
  const scores = await judgeOutput({ ...subject, ...result, input: prepared.messages, logs: [] })
  const { inputTokens, outputTokens, ...call } = result
  return {
    ...shared,
    replayed: { version: version.version, model: replayModel.model, ...call, scores },
    problem: null,
    isSame: isDeepStrictEqual(output, call.output),
  }
}

const textsOf = ({ text, systemText, messages }: CachedVersion) => ({
  text,
  systemText,
  ...readExtras({ messages }),
})
