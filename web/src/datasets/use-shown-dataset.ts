import { useRead } from '../app/api.ts'
import type { Dataset } from './grid/row-types.ts'
import type { RowSelection } from './grid/use-rows.ts'

/** The dataset as the grid shows it: with the columns and the number of rows of its version, split, label and search. */
export function useShownDataset(dataset: Dataset, selection: RowSelection) {
  const { version, split, label, q } = selection
  const { slug } = dataset
  const facets = useRead('datasets.facets', { slug })
  const matches = useRead(
    'datasets.facets',
    { slug, ...withoutUndefined(selection) },
    { enabled: q !== undefined },
  )
  const versionsQuery = useRead(
    'datasetVersions.list',
    { slug, ...(version !== undefined && { version }) },
    { enabled: version !== undefined },
  )
  const shownVersion = versionsQuery.data?.versions.find((candidate) => candidate.version === version)
  const counts = [
    shownVersion?.rowCount ?? dataset.rowCount,
    ...countOf(facets.data?.splits, split),
    ...countOf(facets.data?.labels, label),
    // Until the rows are counted, the number of loaded rows is used.
    ...(q === undefined ? [] : [(!matches.isPlaceholderData && matches.data?.rowCount) || 0]),
  ]
  return {
    dataset: { ...dataset, columns: shownVersion?.columns ?? dataset.columns, rowCount: Math.min(...counts) },
    facets: version === undefined ? facets.data : undefined,
    error: version === undefined ? undefined : (versionsQuery.error ?? undefined),
  }
}

const countOf = (
  facets: readonly { readonly name: string; readonly count: number }[] = [],
  name: string | undefined,
): number[] => (name === undefined ? [] : [facets.find((facet) => facet.name === name)?.count ?? 0])

const withoutUndefined = ({ version, split, label, q }: RowSelection) => ({
  ...(version !== undefined && { version }),
  ...(split !== undefined && { split }),
  ...(label !== undefined && { label }),
  ...(q !== undefined && { q }),
})
