/** The field values of the listed traces, with counts; a click filters by a value. */
import { fieldEntries, traceFields } from '@plumbline/sdk/trace-fields'
import { useState } from 'react'
import { useRead } from '../../../app/api.ts'
import { ErrorState } from '../../../ui/error-state.tsx'
import { SkeletonRows } from '../../../ui/skeleton.tsx'
import { Count } from '../../../ui/text/values.tsx'
import { toggleValue, valuesOf, withClause } from '../../filter/change-filter.ts'
import type { TraceQuery } from '../use-trace-query.ts'
import { Facet, type FacetChoice } from './facet.tsx'
import { RangeFacet } from './range-facet.tsx'

const fields = fieldEntries.flatMap(([field, { label, facet }]) =>
  facet === 'default' ? [{ field, label }] : [],
)
/** Number fields, by their typed names. */
const ranges = [
  { field: 'duration', label: traceFields.durationMs.label },
  { field: 'cost', label: traceFields.cost.label },
  { field: 'tokens', label: traceFields.tokens.label },
  { field: 'score', label: 'Score value' },
] as const
const valuesMax = 6

interface FacetSideProps {
  readonly query: TraceQuery
  readonly onFilter: (text: string) => void
}

export function FacetSide({ query: { text, filter, scope }, onFilter }: FacetSideProps) {
  const input = { ...filter, ...scope }
  const response = useRead('traces.facets', { ...input, limit: valuesMax + 1 })
  const facets = new Map(response.data?.facets.map(({ field, values }) => [field, values]))
  if (response.isError && response.data === undefined)
    return <ErrorState error={response.error} onRetry={() => void response.refetch()} />
  if (response.data === undefined) return <SkeletonRows />
  const choiceOf = (field: string): FacetChoice => ({
    includedValues: valuesOf(text, field),
    excludedValues: valuesOf(text, field, true),
    onInclude: (value) => onFilter(toggleValue(text, field, value)),
    onExclude: (value) => onFilter(toggleValue(text, field, value, true)),
  })
  const scoreChoice: FacetChoice = {
    includedValues: [],
    excludedValues: [],
    onInclude: (name) =>
      onFilter(withClause(text, { type: 'presence', field: `score.${name}`, isThere: true })),
    onExclude: (name) =>
      onFilter(withClause(text, { type: 'presence', field: `score.${name}`, isThere: false })),
  }
  return (
    <div className="flex flex-col">
      {response.data.sample !== undefined && <SampleNote sample={response.data.sample} />}
      {fields.map(({ field, label }) => (
        <Facet
          key={field}
          field={field}
          label={label}
          input={input}
          values={facets.get(field) ?? []}
          choice={choiceOf(field)}
        />
      ))}
      {ranges.map(({ field, label }) => (
        <RangeFacet key={field} field={field} label={label} text={text} onFilter={onFilter} />
      ))}
      <Facet
        field="score"
        label="Score"
        input={input}
        values={facets.get('score') ?? []}
        choice={scoreChoice}
      />
      {(facets.get('metadata') ?? []).slice(0, valuesMax).map(({ value: key }) => (
        <KeyFacet key={key} field={`metadata.${key}`} input={input} choice={choiceOf(`metadata.${key}`)} />
      ))}
    </div>
  )
}

interface SampleNoteProps {
  readonly sample: { readonly traces: number; readonly total: number }
}

const SampleNote = ({ sample: { traces, total } }: SampleNoteProps) => (
  <p className="border-b border-line px-3 py-2 text-xs text-ink-3">
    Estimated from <Count value={traces} /> of <Count value={total} /> traces. Search for a value to count it
    exactly.
  </p>
)

interface KeyFacetProps {
  readonly field: string
  readonly input: object
  readonly choice: FacetChoice
}

/** A metadata key; its values are counted once it is opened. */
function KeyFacet({ field, input, choice }: KeyFacetProps) {
  const [isOpen, setOpen] = useState(choice.includedValues.length + choice.excludedValues.length > 0)
  const values = useRead(
    'traces.facets',
    { ...input, fields: field, limit: valuesMax + 1 },
    { enabled: isOpen },
  ).data?.facets[0]?.values
  return (
    <Facet
      field={field}
      label={field}
      input={input}
      values={values}
      choice={choice}
      isOpen={isOpen}
      onOpenChange={setOpen}
    />
  )
}
