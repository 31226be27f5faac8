/** The mapping of each field of a file: chosen beside it, or dragged onto its target in the row. */
import { GripVertical } from 'lucide-react'
import { useState } from 'react'
import { classNames } from '../../ui/class-names.ts'
import { type Choice, Select } from '../../ui/form/select.tsx'
import { Nothing } from '../../ui/text/values.tsx'
import type { Column } from '../grid/row-types.ts'
import type { Mapping, Target } from './mapping.ts'
import type { FileContent } from './record.ts'

interface MapFieldsProps {
  readonly fields: readonly string[]
  readonly content: FileContent
  readonly columns: readonly Column[]
  readonly mapping: Mapping
  readonly onMap: (field: string, target: Target) => void
}

const sampleMax = 60
const fieldType = 'application/x-plumbline-field'

export function MapFields({ fields, content, columns, mapping, onMap }: MapFieldsProps) {
  const choices: readonly Choice<Target>[] = [
    ...columns.map(({ name }) => ({ value: `column:${name}` as const, label: name })),
    { value: 'newColumn', label: 'New column' },
    { value: 'idealOutput', label: 'Ideal output' },
    { value: 'name', label: 'Name' },
    { value: 'metadata', label: 'Metadata' },
    { value: 'split', label: 'Split' },
    { value: 'labels', label: 'Labels' },
    { value: 'skip', label: 'Skip' },
  ]
  return (
    <div className="grid grid-cols-[3fr_2fr] gap-4 max-md:grid-cols-1">
      <section aria-label="Fields in the file">
        <h3 className="mb-1 text-xs font-medium text-ink-3">Fields in the file</h3>
        <ul className="max-h-72 divide-y divide-line overflow-auto rounded border border-line">
          {fields.map((field) => (
            <li
              key={field}
              draggable
              onDragStart={(event) => event.dataTransfer.setData(fieldType, field)}
              className="flex cursor-grab items-center gap-2 px-2 py-1.5"
            >
              <GripVertical aria-hidden size={14} className="shrink-0 text-ink-3" />
              <div className="min-w-0 flex-1">
                <div className="truncate text-sm font-medium" title={field}>
                  {field === '' ? '(no title)' : field}
                </div>
                <div className="truncate text-xs text-ink-3" dir="auto">
                  {sampleOf(content, field)}
                </div>
              </div>
              <Select
                label={`${field} becomes`}
                className="w-36 shrink-0"
                choices={choices}
                value={mapping.get(field)}
                onChange={(target) => onMap(field, target)}
              />
            </li>
          ))}
        </ul>
      </section>
      <section aria-label="Dataset row" className="max-md:hidden">
        <h3 className="mb-1 text-xs font-medium text-ink-3">Dataset row</h3>
        <ul
          // biome-ignore lint/a11y/noNoninteractiveTabindex: A part that scrolls is reachable by the keyboard.
          tabIndex={0}
          className="flex max-h-72 flex-col gap-1 overflow-auto"
        >
          {choices.map(({ value, label }) => (
            <DropTarget
              key={value}
              label={label}
              fields={fields.filter((field) => mapping.get(field) === value)}
              onDropField={(field) => onMap(field, value)}
            />
          ))}
        </ul>
      </section>
    </div>
  )
}

interface DropTargetProps {
  readonly label: string
  readonly fields: readonly string[]
  readonly onDropField: (field: string) => void
}

function DropTarget({ label, fields, onDropField }: DropTargetProps) {
  const [isOver, setOver] = useState(false)
  return (
    <li
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        setOver(false)
        const field = event.dataTransfer.getData(fieldType)
        if (field !== '') onDropField(field)
      }}
      className={classNames(
        'flex min-h-8 items-center gap-2 rounded border px-2 py-1 text-xs',
        isOver ? 'border-accent bg-selected' : 'border-dashed border-line-strong',
      )}
    >
      <span className="w-28 shrink-0 truncate text-ink-2" title={label}>
        {label}
      </span>
      <span className="min-w-0 flex-1 truncate font-medium">
        {fields.length > 0 ? fields.join(', ') : <Nothing />}
      </span>
    </li>
  )
}

/** The first value of a field. */
function sampleOf({ records }: FileContent, field: string): string {
  for (const record of records) {
    if (!('fields' in record)) continue
    const value = record.fields[field]
    if (value === undefined || value === null || value === '') continue
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    return text.slice(0, sampleMax)
  }
  return ''
}
