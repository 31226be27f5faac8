/** The name of a column with its actions, and the button that adds a column. */
import { Braces, ChevronDown, File, Image, Plus, Type } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { IconButton } from '../../ui/button.tsx'
import { lateDialog } from '../../ui/overlay/late-dialog.tsx'
import { Menu } from '../../ui/overlay/menu.tsx'
import { columnTypes } from '../column-types.ts'
import type { ColumnUpdate } from '../use-dataset-columns.ts'
import type { GridField } from './fields.ts'
import type { Column } from './row-types.ts'

const NameDialog = lateDialog(async () => (await import('../../ui/overlay/name-dialog.tsx')).NameDialog)

const SchemaDialog = lateDialog(async () => (await import('./schema-dialog.tsx')).SchemaDialog)

const icons: Readonly<Record<Column['type'], ReactNode>> = {
  text: <Type aria-hidden size={12} className="shrink-0" />,
  json: <Braces aria-hidden size={12} className="shrink-0" />,
  image: <Image aria-hidden size={12} className="shrink-0" />,
  file: <File aria-hidden size={12} className="shrink-0" />,
}

interface ColumnHeaderProps {
  readonly field: GridField
  readonly columns: readonly Column[]
  /** Absent if nothing may be changed. */
  readonly onChange: ((change: ColumnUpdate) => void) | undefined
  readonly onRename: ((key: string, newKey: string) => void) | undefined
  /** Replaces a column; rejects with the service's error. */
  readonly onSchema: ((column: Column) => Promise<void>) | undefined
}

export function ColumnHeader({ field, columns, onChange, onRename, onSchema }: ColumnHeaderProps) {
  const [isRenaming, setRenaming] = useState(false)
  const [isSchemaOpen, setSchemaOpen] = useState(false)
  const name = (
    <span className="flex min-w-0 flex-1 items-center gap-1.5" title={field.header}>
      {icons[field.type]}
      <span className="truncate">{field.header}</span>
    </span>
  )
  if (field.part !== 'values' || onChange === undefined) return name
  const position = columns.findIndex((column) => column.name === field.header)
  const change = (patch: Partial<Column>): void =>
    onChange((all) => all.map((column) => (column.name === field.header ? { ...column, ...patch } : column)))
  const move = (step: 1 | -1): void =>
    onChange((all) => {
      const index = all.findIndex(({ name }) => name === field.header)
      const column = all[index]
      return column === undefined
        ? all
        : all.toSpliced(index, 1).toSpliced(Math.max(0, index + step), 0, column)
    })
  return (
    <>
      <Menu
        align="start"
        trigger={
          <button
            type="button"
            className="-mx-1 flex h-7 min-w-0 flex-1 items-center gap-1 rounded-sm px-1 text-left hover:bg-hover hover:text-ink"
          >
            {name}
            <ChevronDown aria-hidden size={12} className="shrink-0" />
          </button>
        }
        items={[
          ...(onRename ? [{ label: 'Rename', onSelect: () => setRenaming(true) }] : []),
          ...(onSchema ? [{ label: 'Schema', onSelect: () => setSchemaOpen(true) }] : []),
          { label: 'Move left', disabled: position === 0, onSelect: () => move(-1) },
          {
            label: 'Move right',
            disabled: position === columns.length - 1,
            onSelect: () => move(1),
          },
          ...columnTypes.map(({ value, label }, index) => ({
            label: `Type: ${label === 'JSON' ? label : label.toLowerCase()}`,
            icon: icons[value],
            disabled: value === field.type,
            startsGroup: index === 0,
            onSelect: () => change({ type: value }),
          })),
          {
            label: 'Remove',
            isDangerous: true,
            startsGroup: true,
            onSelect: () => onChange((all) => all.filter((column) => column.name !== field.header)),
          },
        ]}
      />
      <NameDialog
        isOpen={isRenaming}
        onClose={() => setRenaming(false)}
        title="Rename column"
        action="Rename"
        initial={field.header}
        save={async (name) => onRename?.(field.header, name)}
      />
      {onSchema && (
        <SchemaDialog
          isOpen={isSchemaOpen}
          onClose={() => setSchemaOpen(false)}
          column={columns[position]}
          save={onSchema}
        />
      )}
    </>
  )
}

interface NewColumnProps {
  readonly onChange: (change: ColumnUpdate) => void
}

export function NewColumnButton({ onChange }: NewColumnProps) {
  const [type, setType] = useState<Column['type']>()
  return (
    <>
      <Menu
        trigger={
          <IconButton size="small" label="Add column">
            <Plus aria-hidden size={14} />
          </IconButton>
        }
        items={columnTypes.map(({ value, label }) => ({
          label,
          icon: icons[value],
          onSelect: () => setType(value),
        }))}
      />
      <NameDialog
        isOpen={type !== undefined}
        onClose={() => setType(undefined)}
        title="New column"
        action="Add"
        save={async (name) => {
          if (type !== undefined) onChange((all) => [...all, { name, type }])
        }}
      />
    </>
  )
}
