/** The values of one field: a click includes a value, the button beside it excludes it. */
import { Ban, ChevronDown, ChevronRight } from 'lucide-react'
import { type ReactNode, useDeferredValue, useState } from 'react'
import { useRead } from '../../../app/api.ts'
import { IconButton } from '../../../ui/button.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { CheckBox } from '../../../ui/form/checkbox.tsx'
import { SearchBox } from '../../../ui/form/search-box.tsx'
import { Count } from '../../../ui/text/values.tsx'

/** With more values than this, a search field is shown. */
const valuesMax = 6
const matchesMax = 20

export interface FacetValue {
  readonly value: string
  /** Its name. */
  readonly label?: string
  readonly count: number
  /** Details of an estimated count. */
  readonly marginOfError?: number
}

/** The values in the filter, and how to change it. */
export interface FacetChoice {
  readonly includedValues: readonly string[]
  readonly excludedValues: readonly string[]
  readonly onInclude: (value: string) => void
  readonly onExclude: (value: string) => void
}

interface FacetProps {
  readonly field: string
  readonly label: string
  /** The query of the list, to count more values the same way. */
  readonly input: object
  /** Undefined while counting. */
  readonly values: readonly FacetValue[] | undefined
  readonly choice: FacetChoice
  /** Open by default. */
  readonly isOpen?: boolean
  readonly onOpenChange?: (isOpen: boolean) => void
}

export function Facet({ field, label, input, values, choice, isOpen, onOpenChange }: FacetProps) {
  const filterValues = [...choice.includedValues, ...choice.excludedValues]
  if (isOpen === undefined && values?.length === 0 && filterValues.length === 0) return null
  return (
    <FacetFrame label={label} {...(isOpen !== undefined && { isOpen })} onOpenChange={onOpenChange}>
      {values !== undefined && (
        <FacetValues field={field} label={label} input={input} values={values} choice={choice} />
      )}
    </FacetFrame>
  )
}

interface FacetFrameProps {
  readonly label: string
  readonly isOpen?: boolean
  readonly isOpenAtFirst?: boolean
  readonly onOpenChange?: ((isOpen: boolean) => void) | undefined
  readonly children: ReactNode
}

/** A heading that collapses the section below it. */
export function FacetFrame({ label, isOpen, isOpenAtFirst = true, onOpenChange, children }: FacetFrameProps) {
  const [isUnfolded, setUnfolded] = useState(isOpenAtFirst)
  const isVisible = isOpen ?? isUnfolded
  const Icon = isVisible ? ChevronDown : ChevronRight
  return (
    <section aria-label={label} className="border-b border-line py-1">
      <button
        type="button"
        aria-expanded={isVisible}
        onClick={() => {
          setUnfolded(!isVisible)
          onOpenChange?.(!isVisible)
        }}
        className="flex h-7 w-full items-center gap-1 px-3 text-left text-xs font-medium text-ink-2 hover:text-ink"
      >
        <Icon aria-hidden size={12} className="shrink-0 text-ink-3" />
        <span dir="auto" className="truncate">
          {label}
        </span>
      </button>
      {isVisible && children}
    </section>
  )
}

interface FacetValuesProps extends Pick<FacetProps, 'field' | 'label' | 'input' | 'choice'> {
  readonly values: readonly FacetValue[]
}

function FacetValues({ field, label, input, values, choice }: FacetValuesProps) {
  const [search, setSearch] = useState('')
  const prefix = useDeferredValue(search.trim())
  const hasMore = values.length > valuesMax
  const matches = useRead(
    'traces.facets',
    { ...input, fields: field, prefix, limit: matchesMax },
    { enabled: prefix !== '' },
  ).data?.facets[0]?.values
  const listed = prefix === '' ? values.slice(0, valuesMax) : (matches ?? [])
  const filterValues = [...choice.includedValues, ...choice.excludedValues]
  // Values in the filter stay visible, even if no trace has them.
  const missing = filterValues
    .filter((value) => !listed.some((option) => option.value === value))
    .map((value) => values.find((option) => option.value === value) ?? { value, count: 0 })
  return (
    <>
      {(hasMore || search !== '') && (
        <div className="px-3 py-1">
          <SearchBox label={`Search ${label.toLowerCase()}`} value={search} onChange={setSearch} />
        </div>
      )}
      <ul>
        {[...listed, ...missing].map((option) => (
          <FacetValue key={option.value} facetValue={option} choice={choice} />
        ))}
        {prefix !== '' && matches?.length === 0 && (
          <li className="px-3 py-1 text-xs text-ink-3">No value starts with this.</li>
        )}
      </ul>
    </>
  )
}

interface FacetValueProps {
  readonly facetValue: FacetValue
  readonly choice: FacetChoice
}

function FacetValue({ facetValue, choice }: FacetValueProps) {
  const { value, label = value, count, marginOfError } = facetValue
  const isExcluded = choice.excludedValues.includes(value)
  return (
    <li className="group/value relative flex h-7 items-center hover:bg-hover">
      {/* biome-ignore lint/a11y/noLabelWithoutControl: The box inside is the control; it is no native element. */}
      <label className="flex h-full min-w-0 flex-1 items-center gap-2 px-3 text-sm">
        <CheckBox
          label={label}
          isChecked={choice.includedValues.includes(value)}
          onChange={() => choice.onInclude(value)}
        />
        <span
          dir="auto"
          title={label === value ? value : `${label} (${value})`}
          className={classNames('min-w-0 flex-1 truncate', isExcluded && 'text-ink-3 line-through')}
        >
          {label}
        </span>
        <span className="text-ink-3 group-focus-within/value:invisible group-hover/value:invisible">
          <Count value={count} {...(marginOfError !== undefined && { marginOfError })} />
        </span>
      </label>
      <span
        className={classNames(
          'absolute right-2 group-focus-within/value:opacity-100 group-hover/value:opacity-100',
          isExcluded ? 'bg-surface opacity-100' : 'opacity-0',
        )}
      >
        <IconButton
          size="small"
          label={`Exclude ${label}`}
          aria-pressed={isExcluded}
          onClick={() => choice.onExclude(value)}
        >
          <Ban aria-hidden size={12} className={isExcluded ? 'text-bad' : undefined} />
        </IconButton>
      </span>
    </li>
  )
}
