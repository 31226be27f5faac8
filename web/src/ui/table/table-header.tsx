// biome-ignore-all lint/a11y/useSemanticElements: A table element cannot be virtualized.
// biome-ignore-all lint/a11y/useFocusableInteractive: The table has the focus, and says which row is active.
/** The names of a table's columns; a click sorts by one. */
import { ArrowDown, ArrowUp } from 'lucide-react'
import type { KeyboardEvent, ReactNode } from 'react'
import { classNames } from '../class-names.ts'
import { ColumnEdge } from './column-edge.tsx'
import type { Column, Grid, Sort } from './columns.ts'

interface TableHeaderProps {
  readonly columns: readonly Column<never>[]
  readonly grid: Grid
  readonly onResize: (id: string, widthPx: number | undefined) => void
  readonly sort: Sort | undefined
  readonly onSort: ((column: string) => void) | undefined
  readonly checkbox: ReactNode
}

export function TableHeader({ columns, grid, onResize, sort, onSort, checkbox }: TableHeaderProps) {
  return (
    <div
      role="rowgroup"
      className="group/header sticky top-0 z-2 border-b border-line bg-surface text-xs font-medium text-ink-3"
    >
      <div
        role="row"
        aria-rowindex={1}
        className="grid h-8 items-center bg-surface"
        style={{ gridTemplateColumns: grid.template }}
      >
        {checkbox && (
          <div role="columnheader" aria-label="Selection" className="grid place-items-center">
            {checkbox}
          </div>
        )}
        {columns.map(({ id, header, align, sortBy }) => {
          const direction = sort?.column === id ? (sort.isDescending ? 'descending' : 'ascending') : undefined
          return (
            <div
              key={id}
              role="columnheader"
              aria-sort={direction}
              className={classNames(
                'relative flex h-full min-w-0 items-center px-2 first:pl-4 last:pr-4',
                align === 'right' && 'justify-end',
                grid.offsets[id] !== undefined && 'sticky z-1 bg-surface',
              )}
              style={{ left: grid.offsets[id] }}
            >
              {onSort !== undefined && sortBy !== undefined ? (
                <button
                  type="button"
                  onClick={() => onSort(id)}
                  onKeyDown={(event) => resizeByKey(event, (widthPx) => onResize(id, widthPx))}
                  aria-keyshortcuts="Alt+ArrowLeft Alt+ArrowRight"
                  className="inline-flex max-w-full items-center gap-1 rounded-sm hover:text-ink"
                >
                  <span className="truncate">{header}</span>
                  {direction === 'descending' && <ArrowDown aria-hidden size={12} />}
                  {direction === 'ascending' && <ArrowUp aria-hidden size={12} />}
                </button>
              ) : (
                <span className={header === '' ? 'sr-only' : 'block truncate'}>
                  {header === '' ? 'Actions' : header}
                </span>
              )}
              {header !== '' && <ColumnEdge onResize={(widthPx) => onResize(id, widthPx)} />}
            </div>
          )
        })}
      </div>
    </div>
  )
}

/** Alt and an arrow key make a column wider or narrower. */
function resizeByKey(event: KeyboardEvent<HTMLElement>, resize: (widthPx: number) => void): void {
  const step = { ArrowLeft: -24, ArrowRight: 24 }[event.key]
  if (!event.altKey || step === undefined) return
  event.preventDefault()
  event.stopPropagation()
  resize((event.currentTarget.parentElement?.offsetWidth ?? 0) + step)
}
