/** Which columns a table shows; the choice belongs in the address. */
import { Columns3 } from 'lucide-react'
import { useState } from 'react'
import { Button, IconButton } from '../button.tsx'
import { LabelledCheckbox } from '../form/checkbox.tsx'
import { Popover } from '../overlay/popover.tsx'
import { type Column, shownByDefault } from './columns.ts'

interface ColumnChooserProps {
  readonly columns: readonly Column<never>[]
  readonly columnIds: readonly string[] | undefined
  /** Undefined for the defaults. */
  readonly onChange: (shown: readonly string[] | undefined) => void
}

export function ColumnChooser({ columns, columnIds, onChange }: ColumnChooserProps) {
  const [isOpen, setOpen] = useState(false)
  const current = new Set(columnIds ?? shownByDefault(columns))
  const toggle = (id: string, isOn: boolean): void => {
    const next = new Set(current)
    if (isOn) next.add(id)
    else next.delete(id)
    onChange(columns.filter((column) => next.has(column.id)).map((column) => column.id))
  }
  return (
    <Popover
      label="Columns"
      isOpen={isOpen}
      onOpenChange={setOpen}
      trigger={
        <IconButton label="Columns" look="plain">
          <Columns3 aria-hidden size={16} />
        </IconButton>
      }
    >
      <div className="flex min-w-48 flex-col gap-2 p-3">
        {columns.map(({ id, header, isFixed = false }) => (
          <LabelledCheckbox
            key={id}
            label={header}
            isChecked={isFixed || current.has(id)}
            disabled={isFixed}
            onChange={(isOn) => toggle(id, isOn)}
          />
        ))}
        <Button size="small" disabled={columnIds === undefined} onClick={() => onChange(undefined)}>
          Reset
        </Button>
      </div>
    </Popover>
  )
}
