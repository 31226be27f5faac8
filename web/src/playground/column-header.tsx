import type { Connection, PromptVersion } from '@plumbline/sdk'
import { CopyPlus, Play, Square, X } from 'lucide-react'
import { useId } from 'react'
import { IconButton } from '../ui/button.tsx'
import { Input } from '../ui/form/field.tsx'
import { Select } from '../ui/form/select.tsx'
import type { Column } from './column.ts'

interface ColumnHeaderProps {
  readonly column: Column
  /** Its place, counted from 1. */
  readonly place: number
  readonly connections: readonly Connection[]
  /** Versions of the prompt; none without a prompt. */
  readonly versions: readonly PromptVersion[]
  /** Loads older ones, if there are any. */
  readonly onOlderVersions: () => void
  readonly isRunning: boolean
  readonly onChange: (column: Column) => void
  readonly onRun: () => void
  readonly onStop: () => void
  readonly onCopy: () => void
  /** Absent for the only column. */
  readonly onRemove: (() => void) | undefined
}

/** No version has a space in its name. */
const draft = ' '

/** The header of a column: connection, model, and the draft or a version. */
export function ColumnHeader(props: ColumnHeaderProps) {
  const { column, place, connections, versions, onOlderVersions, isRunning, onChange } = props
  const { onRun, onStop, onCopy, onRemove } = props
  const models = connections.find(({ id }) => id === column.connectionId)?.models ?? []
  const listId = useId()
  return (
    <header className="flex flex-col gap-2 border-b border-line bg-sunken p-3">
      <div className="flex items-center gap-1">
        <h2 className="flex-1 text-sm font-semibold">Column {place}</h2>
        {isRunning ? (
          <IconButton size="small" label={`Stop column ${place}`} onClick={onStop}>
            <Square aria-hidden size={14} />
          </IconButton>
        ) : (
          <IconButton size="small" label={`Run column ${place}`} onClick={onRun}>
            <Play aria-hidden size={14} />
          </IconButton>
        )}
        <IconButton size="small" label={`Copy column ${place}`} onClick={onCopy}>
          <CopyPlus aria-hidden size={14} />
        </IconButton>
        {onRemove !== undefined && (
          <IconButton size="small" label={`Remove column ${place}`} onClick={onRemove}>
            <X aria-hidden size={14} />
          </IconButton>
        )}
      </div>
      <div className="grid grid-cols-2 gap-2">
        <Select
          label={`Connection of column ${place}`}
          value={column.connectionId}
          placeholder="Connection"
          onChange={(connectionId) =>
            onChange({
              ...column,
              connectionId,
              model: connections.find(({ id }) => id === connectionId)?.models[0] ?? column.model,
            })
          }
          choices={connections.map(({ id, name, provider }) => ({ value: id, label: name, hint: provider }))}
        />
        <Input
          aria-label={`Model of column ${place}`}
          placeholder={column.version === undefined ? 'Model' : 'Model of this version'}
          list={listId}
          value={column.model}
          onChange={(event) => onChange({ ...column, model: event.currentTarget.value })}
        />
        <datalist id={listId}>
          {models.map((model) => (
            <option key={model} value={model} />
          ))}
        </datalist>
      </div>
      {versions.length > 0 && (
        <Select
          label={`Version in column ${place}`}
          value={column.version ?? draft}
          onEnd={onOlderVersions}
          onChange={(version) => onChange({ ...column, version: version === draft ? undefined : version })}
          choices={[
            { value: draft, label: 'Draft' },
            // It may be older than the listed ones.
            ...(column.version === undefined || versions.some(({ version }) => version === column.version)
              ? []
              : [{ value: column.version, label: `Version ${column.version}` }]),
            ...versions.map(({ version, tags, model }) => ({
              value: version,
              label: `Version ${version}`,
              hint: [model.model, ...tags].filter((part) => part !== '').join(' · '),
            })),
          ]}
        />
      )}
    </header>
  )
}
