import { Select } from '../ui/form/select.tsx'
import { datasetRoute } from './routes.ts'

export interface Facets {
  readonly splits: readonly { readonly name: string; readonly count: number }[]
  readonly labels: readonly { readonly name: string; readonly count: number }[]
}

/** No split and no label is a comma. */
const every = ','

/** Shows the rows of a split or a label; nothing where the dataset has neither. */
export function RowFilters({ facets }: { readonly facets: Facets | undefined }) {
  const { split, label } = datasetRoute.useSearch()
  const navigate = datasetRoute.useNavigate()
  const { splits = [], labels = [] } = facets ?? {}
  if (splits.length + labels.length === 0 && split === undefined && label === undefined) return null
  const change = (patch: {
    readonly split?: string | undefined
    readonly label?: string | undefined
  }): void => void navigate({ search: (previous) => ({ ...previous, ...patch, row: undefined }) })
  return (
    <div className="flex shrink-0 flex-wrap items-center gap-3 border-b border-line px-4 py-2">
      <FacetSelect
        label="Split"
        allLabel="All splits"
        facets={splits}
        value={split}
        onChange={(next) => change({ split: next })}
      />
      <FacetSelect
        label="Label"
        allLabel="All labels"
        facets={labels}
        value={label}
        onChange={(next) => change({ label: next })}
      />
    </div>
  )
}

interface FacetSelectProps {
  readonly label: string
  readonly allLabel: string
  readonly facets: Facets['splits']
  readonly value: string | undefined
  readonly onChange: (value: string | undefined) => void
}

function FacetSelect({ label, allLabel, facets, value, onChange }: FacetSelectProps) {
  if (facets.length === 0 && value === undefined) return null
  const isKnown = value === undefined || facets.some(({ name }) => name === value)
  const shownFacets = isKnown ? facets : [...facets, { name: value, count: 0 }]
  return (
    <Select
      label={label}
      className="w-44"
      value={value ?? every}
      onChange={(next) => onChange(next === every ? undefined : next)}
      choices={[
        { value: every, label: allLabel },
        ...shownFacets.map(({ name, count }) => ({
          value: name,
          label: name,
          hint: `${count.toLocaleString('en-US')} ${count === 1 ? 'row' : 'rows'}`,
        })),
      ]}
    />
  )
}
