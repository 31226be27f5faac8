import type { AuditOutcome } from '@plumbline/sdk'
import { Field, Input } from '../../ui/form/field.tsx'
import { Select } from '../../ui/form/select.tsx'
import { outcomes, type Period } from './audit-changes.ts'

export interface AuditSearch {
  readonly actor?: string | undefined
  readonly operation?: string | undefined
  readonly outcome?: AuditOutcome | undefined
  readonly period?: Period | undefined
  /** Everything of the installation, for operators. */
  readonly everywhere?: true | undefined
}

interface AuditFiltersProps {
  readonly search: AuditSearch
  readonly onChange: (change: AuditSearch) => void
  readonly isOperator: boolean
}

const anyOption = 'any'

/** A text field that filters the list, unless it is empty. */
function TextFilter(props: {
  readonly label: string
  readonly value: string | undefined
  readonly placeholder?: string
  readonly onChange: (value: string | undefined) => void
}) {
  const { label, value, placeholder, onChange } = props
  return (
    <Field label={label}>
      <Input
        type="search"
        className="sm:max-w-44"
        maxLength={100}
        placeholder={placeholder}
        value={value ?? ''}
        onChange={({ currentTarget }) =>
          onChange(currentTarget.value === '' ? undefined : currentTarget.value)
        }
      />
    </Field>
  )
}

export function AuditFilters({ search, onChange, isOperator }: AuditFiltersProps) {
  return (
    <div className="flex flex-wrap items-end gap-3 max-sm:grid max-sm:w-full max-sm:grid-cols-2">
      {isOperator && (
        <Field label="Scope">
          <Select
            className="w-44 max-sm:w-full"
            value={search.everywhere ? 'everywhere' : 'workspace'}
            onChange={(value) => onChange({ everywhere: value === 'everywhere' ? true : undefined })}
            choices={[
              { value: 'workspace', label: 'This workspace' },
              { value: 'everywhere', label: 'The whole service' },
            ]}
          />
        </Field>
      )}
      <TextFilter label="Who" value={search.actor} onChange={(actor) => onChange({ actor })} />
      <TextFilter
        label="Operation"
        placeholder="keys.create"
        value={search.operation}
        onChange={(operation) => onChange({ operation })}
      />
      <Field label="Outcome">
        <Select
          className="w-36 max-sm:w-full"
          value={search.outcome ?? anyOption}
          onChange={(outcome) => onChange({ outcome: outcome === anyOption ? undefined : outcome })}
          choices={[
            { value: anyOption, label: 'Any' },
            ...outcomes.map((outcome) => ({ value: outcome, label: outcome })),
          ]}
        />
      </Field>
      <Field label="Time">
        <Select
          className="w-36 max-sm:w-full"
          value={search.period ?? anyOption}
          onChange={(period) => onChange({ period: period === anyOption ? undefined : period })}
          choices={[
            { value: anyOption, label: 'Any' },
            { value: 'day', label: 'Last day' },
            { value: 'week', label: 'Last week' },
            { value: 'month', label: 'Last 30 days' },
          ]}
        />
      </Field>
    </div>
  )
}
