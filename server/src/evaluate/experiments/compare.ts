import { type Experiment, invalid, type operations, ServiceError } from '@plumbline/contract'
import { readCursor, writeCursor } from '../../requests/cursor.ts'
import type { Verb } from '../../requests/verb.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { compareCases } from './compare-cases.ts'
import { datasetsOf } from './datasets-of-experiments.ts'
import { withRows } from './rows-of-traces.ts'
import { toExperiment } from './view.ts'

/** Traces per experiment, since the comparison happens in memory. */
const tracesMax = 20_000
const textCharacters = 20_000

export const compare: Verb<typeof operations.experiments.compare> = async (input, { workspace }) => {
  const { limit = 50, cursor, only } = input
  const experiments = await findAll(namesIn(input.ids), workspace)
  const ids = experiments.map(({ id }) => id)
  const baselineId = input.baseline ?? ids[0]!
  if (!ids.includes(baselineId)) throw invalid('baseline', 'must be one of the ids')
  const from = cursor === undefined ? 0 : readCursor('compare', cursor, ['index'])[0]
  const traces = withRows(
    await workspace.traces.ofExperiments(ids, tracesMax),
    await workspace.experimentAttachments.ofExperiments(ids),
  )
  const plan = { ids, baselineId, lowerIsBetter: new Set(namesIn(input.lowerIsBetter ?? '')) }
  const { cases, measures, gaps } = compareCases(traces, plan)
  const regressions = cases.filter(({ isRegression }) => isRegression)
  const listed = only === 'regressions' ? regressions : cases
  const page = listed.slice(from, from + limit)
  const latestTraces = page.flatMap(({ cells }) => cells.flatMap(({ latest }) => latest ?? []))
  const texts = await workspace.traces.texts(latestTraces, textCharacters)
  return {
    experiments,
    datasets: await datasetsOf(ids, traces, workspace),
    baselineId,
    measures,
    caseCount: cases.length,
    regressionCount: regressions.length,
    gaps,
    isWhole: ids.every((id) => traces.filter((trace) => trace.experimentId === id).length < tracesMax),
    cases: page.map(({ key, datasetRowId, isRegression, cells }) => {
      const caseTexts = cells.flatMap(({ latest }) => texts.get(latest?.traceId ?? '') ?? [])
      return {
        key,
        ...(datasetRowId === undefined ? {} : { datasetRowId }),
        isRegression,
        input: caseTexts.find(({ input }) => input !== null)?.input ?? null,
        idealOutput: caseTexts.find(({ idealOutput }) => idealOutput !== null)?.idealOutput ?? null,
        cells: cells.map(({ latest, ...cell }) => ({
          ...cell,
          output: texts.get(latest?.traceId ?? '')?.output ?? null,
        })),
      }
    }),
    ...(from + limit < listed.length ? { nextCursor: writeCursor('compare', [from + limit]) } : {}),
  }
}

async function findAll(ids: readonly string[], workspace: Workspace): Promise<Experiment[]> {
  if (ids.length < 2 || ids.length > 8) throw invalid('ids', 'must name 2 to 8 experiments')
  return Promise.all(
    ids.map(async (id) => {
      const experiment = await workspace.experiments.find(id)
      if (experiment === undefined) throw new ServiceError('experiment_not_found', { id })
      return toExperiment(experiment)
    }),
  )
}

const namesIn = (list: string): string[] => [
  ...new Set(
    list
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== ''),
  ),
]
