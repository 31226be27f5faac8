// biome-ignore-all lint/a11y/useSemanticElements: A table element cannot draw only the rows that are seen.
// biome-ignore-all lint/a11y/useFocusableInteractive: The table has the focus, and says which row is active.
/** The names of a table's columns; a click sorts by one. */
import { ArrowDown, ArrowUp } from 'lucide-react'
import type { ReactNode } from 'react'
import { classNames } from '../class-names.ts'
import type { Column, Sort } from './columns.ts'

interface TableHeaderProps {
  readonly columns: readonly Column<never>[]
  readonly template: string
  readonly sort: Sort | undefined
  readonly onSort: ((column: string) => void) | undefined
  readonly checkbox: ReactNode
}

export function TableHeader({ columns, template, sort, onSort, checkbox }: TableHeaderProps) {
  return (
    <div
      role="rowgroup"
      className="sticky top-0 z-1 border-b border-line bg-surface text-xs font-medium text-ink-3"
    >
      <div
        role="row"
        aria-rowindex={1}
        className="grid h-8 items-center"
        style={{ gridTemplateColumns: template }}
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
              className={classNames('min-w-0 px-2 first:pl-4 last:pr-4', align === 'right' && 'text-right')}
            >
              {onSort !== undefined && sortBy !== undefined ? (
                <button
                  type="button"
                  onClick={() => onSort(id)}
                  className="inline-flex max-w-full items-center gap-1 rounded-sm hover:text-ink"
                >
                  <span className="truncate">{header}</span>
                  {direction === 'descending' && <ArrowDown aria-hidden size={12} />}
                  {direction === 'ascending' && <ArrowUp aria-hidden size={12} />}
                </button>
              ) : (
                <span className="block truncate">{header}</span>
              )}
            </div>
          )
        })}
      </div>
    </div>
  )
}
