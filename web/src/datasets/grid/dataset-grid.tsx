// biome-ignore-all lint/a11y/useSemanticElements: A table element cannot draw only the rows that are seen.
// biome-ignore-all lint/a11y/useFocusableInteractive: The grid has the focus, and says which cell is active.
/** The rows of a dataset as a spreadsheet: it draws what is seen, and takes the keys, copies and pastes. */
import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual'
import { type ClipboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { CheckBox } from '../../ui/checkbox.tsx'
import { classNames } from '../../ui/class-names.ts'
import { useRemembered } from '../../ui/remembered.ts'
import { readBlock, writeBlock } from './block.ts'
import { CellEditor, type Leaving } from './cell-editor.tsx'
import { CellText } from './cell-text.tsx'
import { cellValue, clearedValue, editedTextOf, type GridField, newRow, textOf } from './fields.ts'
import { GridHeader } from './grid-header.tsx'
import { areaOf, type Place, placeAfter, tabbedPlace } from './moves.ts'
import { type PastePlan, planPaste } from './plan-paste.ts'
import type { StoredRow } from './row-types.ts'
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
  readonly onSelect: (ids: ReadonlySet<string>) => void
  readonly openId: string | undefined
  readonly onOpen: (row: StoredRow) => void
  /** What a paste would do that has to be looked at first. */
  readonly onPlan: (plan: PastePlan) => void
  readonly onUpload: (row: StoredRow | undefined, field: GridField, file: File) => void
  readonly header: (field: GridField) => ReactNode
  readonly trailingHeader: ReactNode
  readonly empty: ReactNode
}

/** The box, and the number of the row. */
const gutterOf = (count: number): number => 56 + 8 * String(count).length
/** A paste of more cells than this is shown first. */
const silentRowsMax = 200

const widthOf = ({ type, part }: GridField): string =>
  part === 'name' || type === 'image' || type === 'file' ? 'minmax(140px, 1fr)' : 'minmax(220px, 2fr)'
const widthPxOf = ({ type, part }: GridField): number =>
  part === 'name' || type === 'image' || type === 'file' ? 140 : 220

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
  const gutterPx = gutterOf(count)
  const template = `${gutterPx}px ${fields.map(widthOf).join(' ')} 48px`
  const widthPx = gutterPx + 48 + fields.reduce((sum, field) => sum + widthPxOf(field), 0)

  const go = (place: Place, extend = false): void => {
    setAnchor(extend ? (anchor ?? active) : undefined)
    setActive(place)
    virtualizer.scrollToIndex(place.row)
    requestAnimationFrame(() => reveal(scroller.current, document.getElementById(cellId(place)), gutterPx))
    const row = rows.loaded[place.row]
    if (openId !== undefined && row !== undefined) onOpen(row)
  }
  const cellId = ({ row, column }: Place): string => `${name}-${row}-${column}`
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
  const clear = (): void => {
    if (area === undefined || changes === undefined) return
    const edits = rows.loaded.slice(area.top, area.bottom + 1).flatMap((row) => {
      const cleared = fields
        .slice(area.left, area.right + 1)
        .filter((field) => textOf(row, field) !== '')
        .map((field) => ({ field, value: clearedValue(field) }))
      return cleared.length > 0 ? [{ row, changes: cleared }] : []
    })
    if (edits.length > 0) void changes.edit(edits)
  }
  const toggleRow = (index: number, isRange: boolean): void => {
    const row = rows.loaded[index]
    if (row === undefined) return
    const next = new Set(selectedIds)
    const isOn = !next.has(row.id)
    const from = isRange ? (selectionAnchor.current ?? index) : index
    for (const one of rows.loaded.slice(Math.min(from, index), Math.max(from, index) + 1))
      isOn ? next.add(one.id) : next.delete(one.id)
    selectionAnchor.current = index
    onSelect(next)
  }

  const copy = (event: ClipboardEvent): void => {
    if (area === undefined || edited !== undefined) return
    event.preventDefault()
    const block = rows.loaded
      .slice(area.top, area.bottom + 1)
      .map((row) => fields.slice(area.left, area.right + 1).map((field) => textOf(row, field)))
    event.clipboardData.setData('text/plain', writeBlock(block))
    if (event.type === 'cut') clear()
  }
  const paste = async (event: ClipboardEvent): Promise<void> => {
    if (changes === undefined || edited !== undefined) return
    const corner = area ?? { top: count, bottom: count, left: 0, right: 0 }
    const field = fields[corner.left]
    const [file] = event.clipboardData.files
    const text = event.clipboardData.getData('text/plain')
    event.preventDefault()
    if (file !== undefined && text === '' && field !== undefined) {
      onUpload(rows.loaded[corner.top], field, file)
      return
    }
    const block = readBlock(text)
    const loaded = await reach(corner.top + block.length)
    const plan = planPaste(block, corner, fields, loaded)
    const isSilent =
      plan.newRows.length === 0 &&
      plan.problems.length === 0 &&
      plan.lost <= 0 &&
      plan.changes.length <= silentRowsMax
    if (!isSilent) onPlan(plan)
    else if (plan.changes.length > 0) await changes.edit(plan.changes)
  }

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
      aria-activedescendant={active === undefined ? undefined : cellId(active)}
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
                  if (!isOn) onSelect(new Set())
                  else void reach(count).then((all) => onSelect(new Set(all.map(({ id }) => id))))
                }}
              />
            )
          }
        />
        <div role="rowgroup" className="relative" style={{ height: virtualizer.getTotalSize() }}>
          {items.map(({ index, start, key }) => {
            const row = rows.loaded[index]
            const isNew = index === count
            const isSelected = row !== undefined && selectedIds.has(row.id)
            const isEditedRow = edited?.place.row === index
            return (
              <div
                key={key}
                role="row"
                aria-rowindex={index + 2}
                aria-selected={isSelected}
                className={classNames(
                  'absolute inset-x-0 grid h-(--row) border-b border-line',
                  isEditedRow && 'z-2',
                  isSelected || (row !== undefined && row.id === openId) ? 'bg-selected' : 'bg-surface',
                )}
                style={{ transform: `translateY(${start}px)`, gridTemplateColumns: template }}
              >
                <div
                  role="gridcell"
                  aria-label={isNew ? 'New row' : `Row ${index + 1}`}
                  className="sticky left-0 z-1 flex items-center gap-2 border-r border-line bg-inherit pl-4 text-2xs text-ink-3"
                  onClickCapture={(event) => {
                    if (isNew) return
                    event.stopPropagation()
                    toggleRow(index, event.shiftKey)
                  }}
                >
                  {isNew ? (
                    <span className="text-base leading-none">+</span>
                  ) : (
                    <>
                      <CheckBox
                        label={`Select row ${index + 1}`}
                        isChecked={isSelected}
                        onChange={() => undefined}
                      />
                      <span className="numbers truncate">{index + 1}</span>
                    </>
                  )}
                </div>
                {fields.map((field, column) => {
                  const place = { row: index, column }
                  const isActive = active?.row === index && active.column === column
                  const isIn =
                    area !== undefined &&
                    index >= area.top &&
                    index <= area.bottom &&
                    column >= area.left &&
                    column <= area.right
                  const isEdited = isEditedRow && edited.place.column === column
                  return (
                    <div
                      key={field.id}
                      id={cellId(place)}
                      role="gridcell"
                      aria-colindex={column + 2}
                      onPointerDown={(event) => {
                        if (isEdited || event.button !== 0) return
                        isDragging.current = true
                        go(place, event.shiftKey)
                      }}
                      onPointerEnter={(event) => {
                        if (event.buttons !== 1) isDragging.current = false
                        if (!isDragging.current || active === undefined) return
                        setAnchor((from) => from ?? active)
                        setActive(place)
                      }}
                      onDoubleClick={() => !isEdited && beginEdit(place)}
                      onDragOver={(event) => event.preventDefault()}
                      onDrop={(event) => {
                        event.preventDefault()
                        const [file] = event.dataTransfer.files
                        if (file !== undefined && changes !== undefined) onUpload(row, field, file)
                      }}
                      className={classNames(
                        'relative flex min-w-0 items-center border-r border-line px-2',
                        isIn && !isActive && 'bg-selected',
                        isActive && 'outline-2 -outline-offset-2 outline-accent',
                      )}
                    >
                      {isEdited ? (
                        <CellEditor
                          field={field}
                          initial={edited.text}
                          onCommit={(value, leaving) => commit(place, value, leaving)}
                          onCancel={() => {
                            setEdited(undefined)
                            refocus()
                          }}
                        />
                      ) : (
                        <CellText row={row} field={field} isAbsent={row === undefined && !isNew} />
                      )}
                    </div>
                  )
                })}
              </div>
            )
          })}
        </div>
        {count === 0 && empty}
      </div>
      <input
        ref={picker}
        type="file"
        aria-label="File of the cell"
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
