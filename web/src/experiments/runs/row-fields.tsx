/** The dataset rows of a run: a version, a split, a label. */
import { type Output, useRead } from '../../app/api.ts'
import { Field } from '../../ui/form/field.tsx'
import { Select } from '../../ui/form/select.tsx'
import { exactNumber } from '../../ui/text/format.ts'
import type { RunDraft } from './run-draft.ts'

type Version = Output<'datasetVersions.list'>['versions'][number]
type Facet = Output<'datasets.facets'>['splits'][number]

/** All current rows. */
export const everyRow = {
  rowIds: undefined,
  datasetVersion: undefined,
  split: undefined,
  label: undefined,
} as const satisfies Partial<RunDraft>

export const rowsLabel = (count: number): string => `${exactNumber(count)} ${count === 1 ? 'row' : 'rows'}`

export interface RowChoices {
  readonly versions: readonly Version[]
  /** Whether the dataset differs from its latest version. */
  readonly hasChanges: boolean
  readonly splits: readonly Facet[]
  readonly labels: readonly Facet[]
  /** Of the selection. */
  readonly rowCount: number
}

/** `rowCount` is that of the current dataset. */
export function useRowChoices(
  { datasetSlug, datasetVersion, split, label }: RunDraft,
  rowCount: number | undefined,
): RowChoices {
  const slug = datasetSlug ?? ''
  const options = { enabled: datasetSlug !== undefined }
  const version = datasetVersion === undefined ? {} : { version: datasetVersion }
  const versions = useRead('datasetVersions.list', { slug, limit: 100 }, options).data
  const splits = useRead('datasets.facets', { slug, ...version }, options).data?.splits ?? []
  const ofSplit = split === undefined ? {} : { split }
  const labels = useRead('datasets.facets', { slug, ...version, ...ofSplit }, options).data?.labels ?? []
  const chosenVersion = versions?.versions.find((each) => each.version === datasetVersion)
  const countOf = (facets: readonly Facet[], name: string): number =>
    facets.find((facet) => facet.name === name)?.count ?? 0
  return {
    versions: versions?.versions ?? [],
    hasChanges: versions?.hasChanges ?? true,
    splits,
    labels,
    rowCount:
      label !== undefined
        ? countOf(labels, label)
        : split !== undefined
          ? countOf(splits, split)
          : (chosenVersion?.rowCount ?? rowCount ?? 0),
  }
}

interface RowFieldsProps {
  readonly draft: RunDraft
  readonly choices: RowChoices
  readonly onChange: (patch: Partial<RunDraft>) => void
}

export const RowFields = ({ draft, choices, onChange: change }: RowFieldsProps) => (
  <div className="grid grid-cols-3 gap-4 empty:hidden max-sm:grid-cols-1">
    <VersionField draft={draft} choices={choices} onChange={change} />
    <FacetField
      label="Split"
      allLabel="All splits"
      facets={choices.splits}
      value={draft.split}
      onChange={(split) => change({ split, label: undefined })}
    />
    <FacetField
      label="Label"
      allLabel="All labels"
      facets={choices.labels}
      value={draft.label}
      onChange={(label) => change({ label })}
    />
  </div>
)

/** Stands for the latest version: versions start at 1. */
const latest = '0'

/** The latest by default. Empty if there is no version: the run creates the first. */
function VersionField({ draft, choices: { versions, hasChanges }, onChange: change }: RowFieldsProps) {
  const [newest, ...older] = versions
  if (newest === undefined) return null
  const current = hasChanges
    ? { value: latest, label: 'Current rows', hint: `saved as version ${newest.version + 1}` }
    : { value: latest, label: `Version ${newest.version}`, hint: 'the latest' }
  return (
    <Field label="Dataset version">
      <Select
        value={String(draft.datasetVersion ?? latest)}
        onChange={(version) =>
          change({ ...everyRow, datasetVersion: version === latest ? undefined : Number(version) })
        }
        choices={[
          current,
          ...(hasChanges || draft.datasetVersion === newest.version ? versions : older).map(
            ({ version, note, rowCount }) => ({
              value: String(version),
              label: note === '' ? `Version ${version}` : `Version ${version} · ${note}`,
              hint: rowsLabel(rowCount),
            }),
          ),
        ]}
      />
    </Field>
  )
}

interface FacetFieldProps {
  readonly label: string
  readonly allLabel: string
  readonly facets: readonly Facet[]
  readonly value: string | undefined
  readonly onChange: (value: string | undefined) => void
}

/** No split or label can be a comma. */
const every = ','

/** Empty if no row has one. */
function FacetField({ label, allLabel, facets, value, onChange }: FacetFieldProps) {
  if (facets.length === 0 && value === undefined) return null
  const isKnown = value === undefined || facets.some(({ name }) => name === value)
  return (
    <Field label={label}>
      <Select
        value={value ?? every}
        onChange={(name) => onChange(name === every ? undefined : name)}
        choices={[
          { value: every, label: allLabel },
          ...(isKnown ? facets : [...facets, { name: value, count: 0 }]).map(({ name, count }) => ({
            value: name,
            label: name,
            hint: rowsLabel(count),
          })),
        ]}
      />
    </Field>
  )
}
