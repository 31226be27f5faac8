/** The values that the traces of the list have, with how many have each; a click filters by one. */
import { fieldEntries } from '@plumbline/sdk/trace-fields'
import { ChevronDown, ChevronRight } from 'lucide-react'
import { useState } from 'react'
import { useRead } from '../../app/api.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { CheckBox } from '../../ui/form/checkbox.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { Count } from '../../ui/text/values.tsx'
import { toggleValue, valuesOf, withClause } from '../filter/change-filter.ts'
import type { TraceQuery } from './use-trace-query.ts'

const fields = fieldEntries.flatMap(([field, { label, facet }]) =>
  facet === 'default' ? [{ field, label }] : [],
)
const valuesMax = 6

interface FacetSideProps {
  readonly query: TraceQuery
  readonly onFilter: (text: string) => void
}

export function FacetSide({ query: { text, filter, scope }, onFilter }: FacetSideProps) {
  const answer = useRead('traces.facets', { ...filter, ...scope, limit: valuesMax + 1 })
  const facets = new Map(answer.data?.facets.map(({ field, values }) => [field, values]))
  if (answer.isError && answer.data === undefined)
    return <ErrorState error={answer.error} onRetry={() => void answer.refetch()} />
  if (answer.data === undefined) return <SkeletonRows />
  const toggle = (field: string) => (value: string) => onFilter(toggleValue(text, field, value))
  return (
    <div className="flex flex-col">
      {fields.map(({ field, label }) => (
        <Facet
          key={field}
          label={label}
          values={withChosen(facets.get(field) ?? [], valuesOf(text, field))}
          selection={valuesOf(text, field)}
          onToggle={toggle(field)}
        />
      ))}
      <Facet
        label="Score"
        values={facets.get('score') ?? []}
        selection={[]}
        onToggle={(name) =>
          onFilter(withClause(text, { type: 'presence', field: `score.${name}`, isThere: true }))
        }
      />
      {(facets.get('metadata') ?? []).slice(0, valuesMax).map(({ value: key }) => (
        <KeyFacet
          key={key}
          field={`metadata.${key}`}
          input={{ ...filter, ...scope }}
          selection={valuesOf(text, `metadata.${key}`)}
          onToggle={toggle(`metadata.${key}`)}
        />
      ))}
    </div>
  )
}

interface Counted {
  readonly value: string
  readonly count: number
}

/** What is asked for stays to be seen, also where no trace has it. */
const withChosen = (values: readonly Counted[], selection: readonly string[]): readonly Counted[] => [
  ...values,
  ...selection
    .filter((value) => !values.some((counted) => counted.value === value))
    .map((value) => ({ value, count: 0 })),
]

interface FacetProps {
  readonly label: string
  readonly values: readonly Counted[]
  readonly selection: readonly string[]
  readonly onToggle: (value: string) => void
}

function Facet({ label, values, selection, onToggle }: FacetProps) {
  const [isOpen, setOpen] = useState(true)
  if (values.length === 0) return null
  return (
    <section aria-label={label} className="border-b border-line py-1">
      <FacetHeader label={label} isOpen={isOpen} onToggle={() => setOpen(!isOpen)} />
      {isOpen && <FacetValues values={values} selection={selection} onToggle={onToggle} />}
    </section>
  )
}

interface KeyFacetProps {
  readonly field: string
  readonly input: object
  readonly selection: readonly string[]
  readonly onToggle: (value: string) => void
}

/** A key of the metadata; its values are counted once it is opened. */
function KeyFacet({ field, input, selection, onToggle }: KeyFacetProps) {
  const [isOpen, setOpen] = useState(selection.length > 0)
  const values = useRead(
    'traces.facets',
    { ...input, fields: field, limit: valuesMax + 1 },
    { enabled: isOpen },
  ).data?.facets[0]?.values
  return (
    <section aria-label={field} className="border-b border-line py-1">
      <FacetHeader label={field} isOpen={isOpen} onToggle={() => setOpen(!isOpen)} />
      {isOpen && values !== undefined && (
        <FacetValues values={withChosen(values, selection)} selection={selection} onToggle={onToggle} />
      )}
    </section>
  )
}

interface FacetHeaderProps {
  readonly label: string
  readonly isOpen: boolean
  readonly onToggle: () => void
}

function FacetHeader({ label, isOpen, onToggle }: FacetHeaderProps) {
  const Icon = isOpen ? ChevronDown : ChevronRight
  return (
    <button
      type="button"
      aria-expanded={isOpen}
      onClick={onToggle}
      className="flex h-7 w-full items-center gap-1 px-3 text-left text-xs font-medium text-ink-2 hover:text-ink"
    >
      <Icon aria-hidden size={12} className="shrink-0 text-ink-3" />
      <span dir="auto" className="truncate">
        {label}
      </span>
    </button>
  )
}

function FacetValues({ values, selection, onToggle }: Omit<FacetProps, 'label'>) {
  const visibleValues = values.filter(({ value }, index) => index < valuesMax || selection.includes(value))
  return (
    <ul>
      {visibleValues.map(({ value, count }) => (
        <li key={value}>
          {/* biome-ignore lint/a11y/noLabelWithoutControl: The box inside is the control; it is no native element. */}
          <label className="flex h-7 items-center gap-2 px-3 text-sm hover:bg-hover">
            <CheckBox label={value} isChecked={selection.includes(value)} onChange={() => onToggle(value)} />
            <span dir="auto" title={value} className="min-w-0 flex-1 truncate">
              {value}
            </span>
            <span className="text-ink-3">
              <Count value={count} />
            </span>
          </label>
        </li>
      ))}
      {values.length > visibleValues.length && (
        <li className="px-3 py-1 text-2xs text-ink-3">Type in the filter to find more values.</li>
      )}
    </ul>
  )
}
