/** The behaviour of the grid: selection, editing, keys and clipboard combined. */
import { useId, useRef, useState } from 'react'
import type { DatasetGridProps } from './dataset-grid.tsx'
import { cellId, type RowHandlers } from './grid-row.tsx'
import { gridWidths } from './grid-widths.ts'
import type { Place } from './moves.ts'
import { reveal } from './reveal.ts'
import { type EditedCell, useCellEditing } from './use-cell-editing.ts'
import { useClipboard } from './use-clipboard.ts'
import { useDrawnRows } from './use-drawn-rows.ts'
import { useGridKeys } from './use-grid-keys.ts'
import { useGridSelection } from './use-grid-selection.ts'
import { useRowChecks } from './use-row-checks.ts'

export function useGrid(props: DatasetGridProps) {
  const { fields, rows, count, changes, onSelect, openId, onOpen, onPlan, onUpload } = props
  const name = useId()
  const picker = useRef<HTMLInputElement>(null)
  const [editedCell, setEdited] = useState<EditedCell>()
  /** One more than there are: a value typed there becomes a row. */
  const placeCount = changes === undefined ? count : count + 1
  const rowView = useDrawnRows({
    count: placeCount,
    editedRow: editedCell?.place.row,
    reach: rows.reach,
  })
  const { scroller, scrollTo, pageRows } = rowView
  const extent = { rows: placeCount, columns: fields.length, pageRows }
  const widths = gridWidths(fields, count)
  const idOf = (place: Place): string => cellId(name, place)
  const selection = useGridSelection({
    onReveal: (place) => {
      scrollTo(place.row)
      requestAnimationFrame(() => reveal(scroller, document.getElementById(idOf(place)), widths.gutterPx))
    },
    onRow: (index) => {
      const row = rows.loadedRows[index]
      if (openId !== undefined && row !== undefined) onOpen(row)
    },
  })
  const refocus = (): void => scroller?.focus({ preventScroll: true })
  const editing = useCellEditing({
    ...{ fields, count, extent, changes, picker, onOpen },
    loadedRows: rows.loadedRows,
    onEdited: setEdited,
    onScrollTo: scrollTo,
    onGo: selection.go,
    onRefocus: refocus,
  })
  const { toggleRow, toggleAll } = useRowChecks(rows.reach, count, onSelect)
  const clear = useClipboard({
    ...{ scroller, fields, rows, count, changes, onPlan, onUpload },
    area: selection.area,
    isEditing: editedCell !== undefined,
  })
  const pressKey = useGridKeys({
    ...{ extent, changes, onOpen },
    active: selection.active,
    loadedRows: rows.loadedRows,
    hasRows: count > 0,
    isPanelOpen: openId !== undefined,
    onGo: selection.go,
    onEdit: editing.begin,
    onSelectAll: () => {
      selection.selectArea({ row: 0, column: 0 }, { row: count - 1, column: fields.length - 1 })
      void rows.reach(count - 1)
    },
    onToggleRow: (index) => void toggleRow(index, false),
    onClear: () => void clear(),
    onLeave: () => selection.setActive(undefined),
  })
  const upload = (place: Place | undefined, file: File): void => {
    const field = place && fields[place.column]
    if (place !== undefined && field !== undefined && changes !== undefined)
      onUpload(rows.loadedRows[place.row], field, file)
  }
  // Rows rerender only when they change, not with the grid, so they read their handlers here.
  const handlers = useRef<RowHandlers>(undefined)
  handlers.current = {
    toggleRow: (index, isRange) => void toggleRow(index, isRange),
    press: selection.press,
    drag: selection.drag,
    beginEdit: editing.begin,
    commit: editing.commit,
    cancel: editing.cancel,
    keep: editing.keep,
    drop: upload,
  }
  return {
    ...{ name, picker, edited: editedCell, placeCount, rowView, widths, idOf, selection },
    ...{ toggleAll, pressKey, upload, handlers },
  }
}
