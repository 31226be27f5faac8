// biome-ignore-all lint/a11y/useSemanticElements: A table element cannot be virtualized.
// biome-ignore-all lint/a11y/useFocusableInteractive: The table has the focus, and says which row is active.

import type { ReactNode } from 'react'
import { classNames } from '../class-names.ts'
import { CheckBox } from '../form/checkbox.tsx'
import { Nothing } from '../text/values.tsx'
import type { Column, Grid } from './columns.ts'

interface TableRowProps<Row> {
  readonly id: string
  readonly index: number
  readonly row: Row
  readonly columns: readonly Column<Row>[]
  readonly grid: Grid
  readonly startPx: number
  readonly heightPx: number
  /** Its cells hold more than one line. */
  readonly isTall: boolean
  readonly isActive: boolean
  readonly isOpen: boolean
  /** Undefined if rows cannot be selected. */
  readonly isSelected: boolean | undefined
  readonly onPress: () => void
  readonly onToggle: (isRange: boolean) => void
  readonly isPressable: boolean
}

export function TableRow<Row>(props: TableRowProps<Row>) {
  const {
    id,
    index,
    row,
    columns,
    grid: { template, offsets },
    startPx,
    heightPx,
    isTall,
  } = props
  const { isActive, isOpen, isSelected, isPressable, onPress, onToggle } = props
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: The table takes the keys.
    <div
      id={id}
      role="row"
      aria-rowindex={index + 2}
      aria-selected={isSelected}
      onClick={onPress}
      className={classNames(
        'absolute inset-x-0 grid border-b border-line',
        isTall ? 'items-start' : 'items-center',
        isPressable && 'cursor-pointer',
        isOpen || isSelected === true ? 'bg-selected' : 'bg-surface hover:bg-hover',
        isActive &&
          'shadow-none before:absolute before:inset-y-0 before:left-0 before:w-0.5 before:bg-accent',
      )}
      style={{ height: heightPx, transform: `translateY(${startPx}px)`, gridTemplateColumns: template }}
    >
      {isSelected !== undefined && (
        <div
          role="gridcell"
          className={classNames(
            'grid h-full place-items-center',
            Object.keys(offsets).length > 0 && 'sticky left-0 z-1 bg-inherit',
          )}
          onClickCapture={(event) => {
            event.stopPropagation()
            onToggle(event.shiftKey)
          }}
        >
          <CheckBox label="Select row" isChecked={isSelected} onChange={() => undefined} />
        </div>
      )}
      {columns.map((column) => (
        <div
          key={column.id}
          role="gridcell"
          className={classNames(
            'min-w-0 truncate px-2 first:pl-4 last:pr-4',
            column.align === 'right' && 'text-right',
            offsets[column.id] !== undefined && 'sticky z-1 flex h-full flex-col justify-center bg-inherit',
          )}
          style={{ left: offsets[column.id] }}
        >
          {contentOf(column, row)}
        </div>
      ))}
    </div>
  )
}

/** An empty cell shows a dash, except in a column without a header, which has buttons that a row may lack. */
function contentOf<Row>(column: Column<Row>, row: Row): ReactNode {
  const content = column.cell(row)
  const isEmpty = content === undefined || content === null || content === '' || content === false
  return isEmpty && column.header !== '' ? <Nothing /> : content
}
