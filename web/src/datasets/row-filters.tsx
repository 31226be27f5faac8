import { useEffect, useRef, useState } from 'react'
import { SearchBox } from '../ui/form/search-box.tsx'
import { Select } from '../ui/form/select.tsx'
import { useSettled } from '../ui/use-settled.ts'
import { datasetRoute } from './routes.ts'

export interface Facets {
  readonly splits: readonly { readonly name: string; readonly count: number }[]
  readonly labels: readonly { readonly name: string; readonly count: number }[]
}

/** No split or label can be a comma. */
const every = ','

interface RowFiltersProps {
  readonly facets: Facets | undefined
  /** Whether there are rows to search. */
  readonly hasRows: boolean
}

/** Filters rows by a text, and by split or label if the dataset has any. */
export function RowFilters({ facets, hasRows }: RowFiltersProps) {
  const { split, label, q } = datasetRoute.useSearch()
  const navigate = datasetRoute.useNavigate()
  const { splits = [], labels = [] } = facets ?? {}
  if (
    !hasRows &&
    splits.length + labels.length === 0 &&
    [split, label, q].every((part) => part === undefined)
  )
    return null
  const change = (patch: {
    readonly split?: string | undefined
    readonly label?: string | undefined
    readonly q?: string | undefined
  }): void =>
    void navigate({
      search: (previous) => ({ ...previous, ...patch, row: undefined }),
      // Going back leaves the search instead of undoing its last letter.
      replace: 'q' in patch,
    })
  return (
    <div className="flex shrink-0 flex-wrap items-center gap-3 border-b border-line px-4 py-2">
      <div className="w-64">
        <RowSearch text={q ?? ''} onChange={(next) => change({ q: next === '' ? undefined : next })} />
      </div>
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

interface RowSearchProps {
  /** The selection of rows that the grid shows. */
  readonly text: string
  readonly onChange: (text: string) => void
}

function RowSearch({ text, onChange }: RowSearchProps) {
  const [typedText, setTypedText] = useState(text)
  const settledText = useSettled(typedText.trim())
  const latest = useRef({ text, settledText, onChange })
  latest.current = { text, settledText, onChange }
  useEffect(() => {
    if (settledText !== latest.current.text) latest.current.onChange(settledText)
  }, [settledText])
  // The URL may have changed through a link or going back.
  useEffect(() => {
    if (text !== latest.current.settledText) setTypedText(text)
  }, [text])
  return <SearchBox label="Search rows" value={typedText} onChange={setTypedText} />
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
