import type { Output } from '../app/api.ts'

type Dataset = Omit<Output<'experiments.compare'>['datasets'][number], 'id'>

/** The rows that an experiment ran on, in a few words. */
export const describeDataset = ({ datasetSlug, datasetVersion, split, label }: Dataset): string =>
  [
    datasetSlug,
    datasetVersion === null ? '' : `version ${datasetVersion}`,
    split === null ? '' : `split ${split}`,
    label === null ? '' : `label ${label}`,
  ]
    .filter((part) => part !== '')
    .join(', ')
