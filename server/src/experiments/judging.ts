import { type operations, ServiceError } from '@plumbline/contract'
import type { Verb } from '../verb.ts'
import type { Workspace } from '../workspace.ts'

const tracesMax = 20_000
/** What ended is known for seven days; what was asked for so long ago is not waited for. */
const expectedForMs = 24 * 3_600_000

/** How far an experiment is: its run, its traces on their way, and what is still to be judged of them. */
export const judging: Verb<typeof operations.experiments.judging> = async ({ id }, { workspace, now }) => {
  if ((await workspace.experiments.find(id)) === undefined)
    throw new ServiceError('experiment_not_found', { id })
  // What was acknowledged before this question counts in its answer.
  await workspace.settle()
  const traces = await workspace.traces.ofExperiments([id], tracesMax)
  const stored = new Set(traces.map(({ traceId }) => traceId))
  const recentMs = now.getTime() - expectedForMs
  const underWay = await casesUnderWay(id, { stored, recentMs }, workspace)
  const standing = await workspace.evaluations.standing(traces.map(({ traceId }) => traceId))
  const judges = await judgesAmong(new Set(traces.flatMap((trace) => trace.evaluatorSlugs)), workspace)
  const expected = traces
    .filter(({ startUs }) => startUs >= BigInt(recentMs) * 1000n)
    .flatMap(({ traceId, evaluatorSlugs }) =>
      [...new Set(evaluatorSlugs)].filter((slug) => judges.has(slug)).map((slug) => `${traceId} ${slug}`),
    )
  const unasked = expected.filter((key) => !standing.asked.has(key)).length
  const waiting = standing.waiting + unasked
  return {
    traces: traces.length,
    underWay,
    waiting,
    judged: standing.judged,
    failed: standing.failed,
    hasEnded: underWay === 0 && waiting === 0,
  }
}

/** Cases that have not ended, and those whose trace is not stored yet. */
async function casesUnderWay(
  experimentId: string,
  { stored, recentMs }: { readonly stored: ReadonlySet<string>; readonly recentMs: number },
  { experimentRuns }: Workspace,
): Promise<number> {
  const { items } = await experimentRuns.list({ experimentId }, { limit: 1 })
  const run = items[0]
  if (run === undefined) return 0
  const counts = (await experimentRuns.counts([run.id])).get(run.id)!
  const isRecent = run.endedAt === undefined || run.endedAt.getTime() >= recentMs
  const recorded = isRecent ? await experimentRuns.recorded(run.id) : []
  return counts.waiting + counts.running + recorded.filter((traceId) => !stored.has(traceId)).length
}

/** Those that judge by themselves: people do in their own time. */
async function judgesAmong(
  slugs: ReadonlySet<string>,
  { catalogue }: Workspace,
): Promise<ReadonlySet<string>> {
  const found = await Promise.all(
    [...slugs].map(async (slug) => ({ slug, kind: (await catalogue.evaluator(slug))?.kind })),
  )
  return new Set(found.flatMap(({ slug, kind }) => (kind === undefined || kind === 'human' ? [] : [slug])))
}
