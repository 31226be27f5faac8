/** The minimum and maximum of a number, with typed units: `2s`, `10k`. */
import { useState } from 'react'
import { Input } from '../../../ui/form/field.tsx'
import { type Bounds, boundsOf, withBounds } from '../../filter/change-filter.ts'
import { type FieldKind, findField } from '../../filter/filter-fields.ts'
import { readNumber, writeNumber } from '../../filter/filter-number.ts'
import { FacetFrame } from './facet.tsx'

const examples: Readonly<Partial<Record<FieldKind, string>>> = {
  duration: '2s',
  money: '0.01',
  count: '10k',
  score: '0.5',
}

interface RangeFacetProps {
  readonly field: string
  readonly label: string
  /** The filter. */
  readonly text: string
  readonly onFilter: (text: string) => void
}

export function RangeFacet({ field, label, text, onFilter }: RangeFacetProps) {
  const kind = findField(field)?.kind ?? 'count'
  const bounds = boundsOf(text, field)
  const change = (patch: Bounds): void => onFilter(withBounds(text, field, { ...bounds, ...patch }))
  const isSet = bounds.min !== undefined || bounds.max !== undefined
  return (
    <FacetFrame label={label} isOpenAtFirst={isSet}>
      <div className="flex items-center gap-1 px-3 pb-1 text-xs text-ink-3">
        <BoundField
          key={`min ${bounds.min}`}
          label={`${label}, at least`}
          kind={kind}
          value={bounds.min}
          onChange={(min) => change({ min })}
        />
        –
        <BoundField
          key={`max ${bounds.max}`}
          label={`${label}, at most`}
          kind={kind}
          value={bounds.max}
          onChange={(max) => change({ max })}
        />
      </div>
    </FacetFrame>
  )
}

interface BoundFieldProps {
  readonly label: string
  readonly kind: FieldKind
  readonly value: number | undefined
  readonly onChange: (value: number | undefined) => void
}

function BoundField({ label, kind, value, onChange }: BoundFieldProps) {
  const initial = value === undefined ? '' : writeNumber(value, kind)
  const [text, setText] = useState(initial)
  const number = readNumber(text.trim(), kind)
  const isWrong = text.trim() !== '' && number === undefined
  const apply = (): void => {
    if (!isWrong && text.trim() !== initial) onChange(number)
  }
  return (
    <Input
      aria-label={label}
      aria-invalid={isWrong || undefined}
      title={isWrong ? `Type a number such as ${examples[kind]}.` : label}
      placeholder={examples[kind]}
      value={text}
      onChange={(event) => setText(event.target.value)}
      onBlur={apply}
      onKeyDown={(event) => {
        if (event.key === 'Enter') apply()
      }}
      className="h-7 min-w-0 flex-1"
    />
  )
}
