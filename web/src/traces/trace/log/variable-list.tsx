import type { StoredLog } from '@plumbline/sdk'
import { LongText } from '../../messages/long-text.tsx'

interface VariableListProps {
  readonly variables: NonNullable<StoredLog['variables']>
}

/** The values of the prompt's variables. */
export function VariableList({ variables }: VariableListProps) {
  return (
    <dl className="flex flex-col gap-2">
      {variables.map(({ label, value }) => (
        <div key={label} className="grid grid-cols-[minmax(80px,1fr)_3fr] gap-3">
          <dt className="truncate font-mono text-xs leading-5 text-ink-2" title={label}>
            {label}
          </dt>
          <dd className="min-w-0">
            {value === null || value === undefined ? (
              <span className="text-xs text-ink-3">no value</span>
            ) : (
              <LongText text={typeof value === 'string' ? value : JSON.stringify(value)} mode="raw" isCode />
            )}
          </dd>
        </div>
      ))}
    </dl>
  )
}
