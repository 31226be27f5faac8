// biome-ignore-all lint/a11y/useSemanticElements: A table element cannot draw only the rows that are seen.
// biome-ignore-all lint/a11y/useFocusableInteractive: The grid has the focus, and says which cell is active.
/** The rows of a dataset as a spreadsheet: it draws what is seen, and takes the keys, copies and pastes. */
import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { CheckBox } from '../../ui/checkbox.tsx'
import { useRemembered } from '../../ui/remembered.ts'
import type { Leaving } from './cell-editor.tsx'
import { cellValue, clearedValue, editedTextOf, type GridField, newRow } from './fields.ts'
import { GridHeader } from './grid-header.tsx'
import { cellId, GridRow, type RowHandlers } from './grid-row.tsx'
import { gridWidths } from './grid-widths.ts'
import { areaOf, type Place, placeAfter, tabbedPlace } from './moves.ts'
import type { PastePlan } from './plan-paste.ts'
import type { StoredRow } from './row-types.ts'
import { useClipboard } from './use-clipboard.ts'
import type { RowChanges } from './use-row-changes.ts'
import type { Rows } from './use-rows.ts'

interface DatasetGridProps {
  readonly label: string
  readonly fields: readonly GridField[]
  readonly rows: Rows
  /** How many rows there are, read or not. */
  readonly count: number
  /** Absent where nothing may be changed. */
  readonly changes: RowChanges | undefined
  readonly selectedIds: ReadonlySet<string>
  readonly onSelect: (update: (before: ReadonlySet<string>) => ReadonlySet<string>) => void
  readonly openId: string | undefined
  readonly onOpen: (row: StoredRow) => void
  /** What a paste would do that has to be looked at first. */
  readonly onPlan: (plan: PastePlan) => void
  readonly onUpload: (row: StoredRow | undefined, field: GridField, file: File) => void
  readonly header: (field: GridField) => ReactNode
  readonly trailingHeader: ReactNode
  readonly empty: ReactNode
}

export function DatasetGrid(props: DatasetGridProps) {
  const { label, fields, rows, count, changes, selectedIds, onSelect, openId, onOpen, onPlan } = props
  const { onUpload, header, trailingHeader, empty } = props
  const [active, setActive] = useState<Place>()
  const [anchor, setAnchor] = useState<Place>()
  const [edited, setEdited] = useState<{ readonly place: Place; readonly text: string }>()
  const [density] = useRemembered('density', 'comfortable')
  const rowPx = density === 'compact' ? 28 : 36
  const name = useId()
  const scroller = useRef<HTMLDivElement>(null)
  const picker = useRef<HTMLInputElement>(null)
  const isDragging = useRef(false)
  const selectionAnchor = useRef<number>(undefined)

  /** One more than there are: what is typed there becomes a row. */
  const placeCount = changes === undefined ? count : count + 1
  const virtualizer = useVirtualizer({
    count: placeCount,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowPx,
    overscan: 12,
    scrollPaddingStart: 36,
    // What is being typed stays, however far one scrolls.
    rangeExtractor: (range) =>
      edited === undefined
        ? defaultRangeExtractor(range)
        : [...new Set([...defaultRangeExtractor(range), edited.place.row])].sort((a, b) => a - b),
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: Rows of another height are measured anew.
  useEffect(() => virtualizer.measure(), [rowPx, virtualizer])
  const items = virtualizer.getVirtualItems()
  const lastSeen = virtualizer.range?.endIndex ?? 0
  const { reach } = rows
  // A little ahead, so that scrolling does not wait.
  useEffect(() => void reach(lastSeen + 50), [lastSeen, reach])

  const extent = {
    rows: placeCount,
    columns: fields.length,
    pageRows: Math.max(1, Math.floor((scroller.current?.clientHeight ?? 400) / rowPx) - 2),
  }
  const area = active === undefined ? undefined : areaOf(active, anchor ?? active)
  const { gutterPx, template, widthPx } = gridWidths(fields, count)

  const go = (place: Place, extend = false): void => {
    setAnchor(extend ? (anchor ?? active) : undefined)
    setActive(place)
    virtualizer.scrollToIndex(place.row)
    requestAnimationFrame(() => reveal(scroller.current, document.getElementById(idOf(place)), gutterPx))
    const row = rows.loaded[place.row]
    if (openId !== undefined && row !== undefined) onOpen(row)
  }
  const idOf = (place: Place): string => cellId(name, place)
  const refocus = (): void => scroller.current?.focus({ preventScroll: true })

  const beginEdit = (place: Place, typed?: string): void => {
    const field = fields[place.column]
    const row = rows.loaded[place.row]
    if (field === undefined) return
    // A row that is not read yet cannot be edited; it will be in a moment.
    if (row === undefined && place.row < count) return
    if (changes === undefined) {
      if (row !== undefined) onOpen(row)
      return
    }
    if ((field.type === 'image' || field.type === 'file') && typed === undefined) {
      picker.current?.click()
      return
    }
    virtualizer.scrollToIndex(place.row)
    setEdited({ place, text: typed ?? (row === undefined ? '' : editedTextOf(row, field)) })
  }
  const commit = (place: Place, value: unknown, leaving: Leaving): void => {
    const field = fields[place.column]
    const row = rows.loaded[place.row]
    setEdited(undefined)
    if (field === undefined || changes === undefined) return
    if (row === undefined) {
      if (value !== null && value !== '') void changes.append([newRow([{ field, value }])])
    } else {
      const before = cellValue(row, field) ?? clearedValue(field)
      if (JSON.stringify(before) !== JSON.stringify(value))
        void changes.edit([{ row, changes: [{ field, value }] }])
    }
    if (leaving === 'stay') return
    refocus()
    const next =
      leaving === 'down'
        ? placeAfter({ key: 'ArrowDown', isMod: false }, place, extent)
        : tabbedPlace(place, leaving === 'right' ? 1 : -1, extent)
    if (next !== undefined) go(next)
  }
  const toggleRow = async (index: number, isRange: boolean): Promise<void> => {
    // There are boxes before their rows have been read: what is pressed meanwhile is not lost.
    const all = await reach(index)
    const row = all[index]
    if (row === undefined) return
    const from = isRange ? (selectionAnchor.current ?? index) : index
    const block = all.slice(Math.min(from, index), Math.max(from, index) + 1)
    selectionAnchor.current = index
    onSelect((before) => {
      const next = new Set(before)
      const isOn = !next.has(row.id)
      for (const { id } of block) isOn ? next.add(id) : next.delete(id)
      return next
    })
  }

  const { clear, copy, paste } = useClipboard({
    fields,
    rows,
    count,
    changes,
    area,
    isEditing: edited !== undefined,
    onPlan,
    onUpload,
  })

  /** What a key does here; undefined leaves it to the page. */
  const actionOf = (
    { key, shiftKey, altKey }: React.KeyboardEvent,
    isMod: boolean,
  ): (() => void) | undefined => {
    const place = active ?? { row: 0, column: 0 }
    const row = rows.loaded[place.row]
    const moved = altKey ? undefined : placeAfter({ key, isMod }, place, extent)
    if (moved !== undefined) return () => go(active === undefined ? place : moved, shiftKey)
    if (isMod && key.toLowerCase() === 'z' && changes !== undefined) return changes.undo
    if (isMod && key.toLowerCase() === 'a' && count > 0) return chooseAll
    if (isMod && key === 'Enter' && row !== undefined) return () => onOpen(row)
    if (isMod || altKey || active === undefined) return undefined
    if (key === 'Tab') {
      const next = tabbedPlace(active, shiftKey ? -1 : 1, extent)
      return next && (() => go(next))
    }
    if (key === 'Enter' || key === 'F2') return () => beginEdit(active)
    // An open panel is closed first; without an active cell, Tab leaves the grid.
    if (key === 'Escape') return openId === undefined ? () => setActive(undefined) : undefined
    if (key === 'Delete' || key === 'Backspace') return clear
    if (key === ' ' && shiftKey) return () => toggleRow(active.row, false)
    return key.length === 1 && changes !== undefined ? () => beginEdit(active, key) : undefined
  }
  const chooseAll = (): void => {
    setActive({ row: 0, column: 0 })
    setAnchor({ row: rows.loaded.length - 1, column: fields.length - 1 })
  }
  const press = (event: React.KeyboardEvent): void => {
    if (event.target !== event.currentTarget || event.nativeEvent.isComposing) return
    const action = actionOf(event, event.metaKey || event.ctrlKey)
    if (action === undefined) return
    event.preventDefault()
    action()
  }

  // Rows are drawn anew when they change, not whenever the grid is: they find here what to do.
  const handlers = useRef<RowHandlers>(undefined)
  handlers.current = {
    toggleRow: (index, isRange) => void toggleRow(index, isRange),
    press: (place, extend) => {
      isDragging.current = true
      go(place, extend)
    },
    drag: (place, isPressed) => {
      if (!isPressed) isDragging.current = false
      if (!isDragging.current || active === undefined) return
      setAnchor((from) => from ?? active)
      setActive(place)
    },
    beginEdit,
    commit,
    cancel: () => {
      setEdited(undefined)
      refocus()
    },
    drop: (place, file) => {
      const field = fields[place.column]
      if (field !== undefined && changes !== undefined) onUpload(rows.loaded[place.row], field, file)
    },
  }

  const allSelected = count > 0 && selectedIds.size >= count
  return (
    <div
      ref={scroller}
      role="grid"
      aria-label={label}
      aria-rowcount={placeCount + 1}
      aria-colcount={fields.length + 1}
      aria-multiselectable
      aria-readonly={changes === undefined}
      aria-activedescendant={active === undefined ? undefined : idOf(active)}
      tabIndex={0}
      onKeyDown={press}
      onCopy={copy}
      onCut={copy}
      onPaste={(event) => void paste(event)}
      onFocus={(event) => {
        if (event.target === event.currentTarget && active === undefined && !isDragging.current)
          setActive({ row: 0, column: 0 })
      }}
      onPointerUp={() => {
        isDragging.current = false
      }}
      className="group/grid min-h-0 flex-1 overflow-auto text-sm -outline-offset-2 select-none"
    >
      <div style={{ minWidth: widthPx }}>
        <GridHeader
          fields={fields}
          template={template}
          header={header}
          trailing={trailingHeader}
          checkbox={
            count > 0 && (
              <CheckBox
                label="Select all rows"
                isChecked={allSelected}
                isMixed={selectedIds.size > 0 && !allSelected}
                onChange={(isOn) => {
                  if (!isOn) onSelect(() => new Set())
                  else void reach(count).then((all) => onSelect(() => new Set(all.map(({ id }) => id))))
                }}
              />
            )
          }
        />
        <div role="rowgroup" className="relative" style={{ height: virtualizer.getTotalSize() }}>
          {items.map(({ index, start, key }) => {
            const row = rows.loaded[index]
            const isIn = area !== undefined && index >= area.top && index <= area.bottom
            return (
              <GridRow
                key={key}
                index={index}
                startPx={start}
                row={row}
                isNew={index === count}
                isSelected={row !== undefined && selectedIds.has(row.id)}
                isOpen={row !== undefined && row.id === openId}
                fields={fields}
                template={template}
                name={name}
                activeColumn={active?.row === index ? active.column : undefined}
                firstIn={isIn ? area.left : undefined}
                lastIn={isIn ? area.right : undefined}
                editedColumn={edited?.place.row === index ? edited.place.column : undefined}
                editedText={edited?.place.row === index ? edited.text : undefined}
                handlers={handlers}
              />
            )
          })}
        </div>
        {count === 0 && empty}
      </div>
      <input
        ref={picker}
        type="file"
        aria-label="File for the cell"
        tabIndex={-1}
        hidden
        onChange={(event) => {
          const [file] = event.currentTarget.files ?? []
          const field = active && fields[active.column]
          if (file !== undefined && field !== undefined && active !== undefined)
            onUpload(rows.loaded[active.row], field, file)
          event.currentTarget.value = ''
        }}
      />
    </div>
  )
}

/** Scrolls sideways until the cell is seen whole, beside the numbers that stay. */
function reveal(scroller: HTMLElement | null, cell: HTMLElement | null, gutterPx: number): void {
  if (scroller === null || cell === null) return
  const left = cell.offsetLeft - gutterPx
  const right = cell.offsetLeft + cell.offsetWidth
  if (left < scroller.scrollLeft) scroller.scrollLeft = left
  else if (right > scroller.scrollLeft + scroller.clientWidth)
    scroller.scrollLeft = right - scroller.clientWidth
}
