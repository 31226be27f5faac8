import { type operations, ServiceError } from '@plumbline/contract'
import type { Verb } from '../../requests/verb.ts'
import type { Workspace } from '../../workspace/workspace.ts'

const tracesMax = 20_000
/** Only evaluations of recent traces are expected, since ended ones are deleted after seven days. */
const expectedForMs = 24 * 3_600_000

/** The progress of an experiment: its run, traces not stored yet, and pending evaluations. */
export const judging: Verb<typeof operations.experiments.judging> = async ({ id }, { workspace, now }) => {
  if ((await workspace.experiments.find(id)) === undefined)
    throw new ServiceError('experiment_not_found', { id })
  // Everything acknowledged before this request counts.
  await workspace.settle()
  const traces = await workspace.traces.ofExperiments([id], tracesMax)
  const storedIds = new Set(traces.map(({ traceId }) => traceId))
  const recentMs = now.getTime() - expectedForMs
  const underWay = await casesUnderWay(id, { storedIds, recentMs }, workspace)
  const progress = await workspace.evaluations.progressOf(traces.map(({ traceId }) => traceId))
  const judges = await judgesAmong(new Set(traces.flatMap((trace) => trace.evaluatorSlugs)), workspace)
  const expected = traces
    .filter(({ startUs }) => startUs >= BigInt(recentMs) * 1000n)
    .flatMap(({ traceId, evaluatorSlugs }) =>
      [...new Set(evaluatorSlugs)].filter((slug) => judges.has(slug)).map((slug) => `${traceId} ${slug}`),
    )
  const unqueued = expected.filter((key) => !progress.requestedKeys.has(key)).length
  const waiting = progress.waiting + unqueued
  return {
    traces: traces.length,
    underWay,
    waiting,
    judged: progress.judged,
    failed: progress.failed,
    hasEnded: underWay === 0 && waiting === 0,
  }
}

/** Cases that have not ended, or whose trace is not stored yet. */
async function casesUnderWay(
  experimentId: string,
  { storedIds, recentMs }: { readonly storedIds: ReadonlySet<string>; readonly recentMs: number },
  { experimentRuns }: Workspace,
): Promise<number> {
  const { items } = await experimentRuns.list({ experimentId }, { limit: 1 })
  const run = items[0]
  if (run === undefined) return 0
  const counts = (await experimentRuns.counts([run.id])).get(run.id)!
  const isRecent = run.endedAt === undefined || run.endedAt.getTime() >= recentMs
  const recorded = isRecent ? await experimentRuns.listTraceIds(run.id) : []
  return counts.waiting + counts.running + recorded.filter((traceId) => !storedIds.has(traceId)).length
}

/** The evaluators that run automatically, without `human` ones. */
async function judgesAmong(slugs: ReadonlySet<string>, { cache }: Workspace): Promise<ReadonlySet<string>> {
  const evaluators = await Promise.all(
    [...slugs].map(async (slug) => ({ slug, kind: (await cache.evaluator(slug))?.kind })),
  )
  return new Set(
    evaluators.flatMap(({ slug, kind }) => (kind === undefined || kind === 'human' ? [] : [slug])),
  )
}
