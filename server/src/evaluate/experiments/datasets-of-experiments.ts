import type { ComparedDataset } from '@plumbline/contract'
import type { ExperimentTrace } from '@plumbline/storage/traces'
import type { Workspace } from '../../workspace/workspace.ts'

/** The datasets of experiments: those that their runs name, or else those of their traces, as with the client's experiments. */
export async function datasetsOf(
  ids: readonly string[],
  traces: readonly ExperimentTrace[],
  workspace: Workspace,
): Promise<ComparedDataset[]> {
  const datasets = await Promise.all(
    ids.map(async (experimentId) => {
      const { items } = await workspace.experimentRuns.list({ experimentId }, { limit: 1 })
      const [run] = items
      if (run !== undefined) {
        const { datasetSlug, datasetVersion = null, split = null, label = null } = run
        return [{ id: experimentId, datasetSlug, datasetVersion, split, label }]
      }
      return statedDatasets(traces.filter((trace) => trace.experimentId === experimentId))
    }),
  )
  return datasets.flat()
}

function statedDatasets(traces: readonly ExperimentTrace[]): ComparedDataset[] {
  const datasets = new Map<string, ComparedDataset>()
  for (const { experimentId: id, dataset, datasetVersion, split, label } of traces) {
    if (dataset === '') continue
    const version = /^[1-9]\d{0,14}$/.test(datasetVersion) ? Number(datasetVersion) : null
    const experimentDataset = {
      id,
      datasetSlug: dataset,
      datasetVersion: version,
      split: split || null,
      label: label || null,
    }
    datasets.set(JSON.stringify(experimentDataset), experimentDataset)
  }
  return [...datasets.values()]
}
