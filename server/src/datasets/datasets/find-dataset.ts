import { ServiceError } from '@plumbline/contract'
import type { Dataset } from '@plumbline/storage/control'
import type { Workspace } from '../../workspace/workspace.ts'

/** The current dataset, or with the columns of one of its versions; throws if it does not exist. */
export async function findDataset(
  { datasets, datasetVersions }: Workspace,
  slug: string,
  version?: number | null,
): Promise<Dataset> {
  const dataset = await datasets.find(slug)
  if (dataset === undefined) throw new ServiceError('dataset_not_found', { slug })
  if (version == null) return dataset
  const datasetVersion = await datasetVersions.find(slug, version)
  if (datasetVersion === undefined) throw new ServiceError('dataset_version_not_found', { slug, version })
  return { ...dataset, columns: datasetVersion.columns, rowCount: datasetVersion.rowCount }
}
