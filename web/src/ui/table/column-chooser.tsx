/** Chooses the shown and the pinned columns of a table; the shown columns belong in the URL. */
import { Columns3, Pin } from 'lucide-react'
import { useState } from 'react'
import { Button, IconButton } from '../button.tsx'
import { LabelledCheckbox } from '../form/checkbox.tsx'
import { SearchBox } from '../form/search-box.tsx'
import { Popover } from '../overlay/popover.tsx'
import { type Column, shownByDefault } from './columns.ts'
import { useColumnLayout } from './use-column-layout.ts'

interface ColumnChooserProps {
  /** The table's accessible name, which is the storage key of its layout. */
  readonly label: string
  readonly columns: readonly Column<never>[]
  readonly columnIds: readonly string[] | undefined
  /** Whether more columns are loading. */
  readonly isLoading?: boolean
  readonly onOpen?: () => void
  /** Undefined for the defaults. */
  readonly onChange: (columnIds: readonly string[] | undefined) => void
}

/** With more columns than this, a search field is shown. */
const unsearchedMax = 12

export function ColumnChooser(props: ColumnChooserProps) {
  const { label, columns, columnIds, isLoading = false, onOpen, onChange } = props
  const [isOpen, setOpen] = useState(false)
  const [search, setSearch] = useState('')
  const layout = useColumnLayout(label)
  const current = new Set(columnIds ?? shownByDefault(columns))
  const toggle = (id: string, isOn: boolean): void => {
    const next = new Set(current)
    if (isOn) next.add(id)
    else next.delete(id)
    onChange(columns.filter((column) => next.has(column.id)).map((column) => column.id))
  }
  const matches = columns.filter(({ header }) => header.toLowerCase().includes(search.trim().toLowerCase()))
  const isChanged = columnIds !== undefined || layout.pinned.length + Object.keys(layout.widths).length > 0
  return (
    <Popover
      label="Columns"
      isOpen={isOpen}
      onOpenChange={(isNowOpen) => {
        setOpen(isNowOpen)
        if (isNowOpen) onOpen?.()
      }}
      trigger={
        <IconButton label="Columns" look="plain">
          <Columns3 aria-hidden size={16} />
        </IconButton>
      }
    >
      <div className="flex max-h-[min(28rem,70vh)] w-64 flex-col">
        {columns.length > unsearchedMax && (
          <div className="border-b border-line p-2">
            <SearchBox label="Search columns" value={search} onChange={setSearch} />
          </div>
        )}
        <ul className="flex min-h-0 flex-1 flex-col gap-1 overflow-y-auto p-3">
          {matches.map(({ id, header, isFixed = false }) => (
            <li key={id} className="group/item flex items-center justify-between gap-2">
              <LabelledCheckbox
                label={header}
                isChecked={isFixed || current.has(id)}
                disabled={isFixed}
                onChange={(isOn) => toggle(id, isOn)}
              />
              <IconButton
                size="small"
                label={`Pin ${header}`}
                aria-pressed={layout.pinned.includes(id)}
                onClick={() => layout.togglePin(id)}
              >
                <Pin
                  aria-hidden
                  size={12}
                  className={layout.pinned.includes(id) ? 'fill-current text-accent-ink' : 'text-ink-3'}
                />
              </IconButton>
            </li>
          ))}
          {isLoading && <li className="text-sm text-ink-2">Loading more columns…</li>}
          {matches.length === 0 && !isLoading && (
            <li className="text-sm text-ink-2">No column has this name.</li>
          )}
        </ul>
        <div className="border-t border-line p-2">
          <Button
            size="small"
            disabled={!isChanged}
            onClick={() => {
              onChange(undefined)
              layout.reset()
            }}
          >
            Reset columns and widths
          </Button>
        </div>
      </div>
    </Popover>
  )
}
