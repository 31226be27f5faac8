/** The rows of a waterfall: only visible ones are rendered, and their elements are reused on scroll. */
import { type KeyboardEvent, type Ref, useEffect, useImperativeHandle, useRef } from 'react'
import { useVisibleRows } from '../../../ui/visible-rows.ts'
import type { ReadTrace } from '../read-trace.ts'
import { overrunOf, type TimeAxis } from './time-axis.ts'
import { TraceRow } from './trace-row.tsx'
import type { LogNode } from './trace-tree.ts'
import type { TreeRow } from './tree-rows.ts'
import { WaterfallRow } from './waterfall-row.tsx'

export interface WaterfallRowsHandle {
  focus(): void
  scrollTo(index: number): void
}

interface WaterfallRowsProps {
  readonly ref: Ref<WaterfallRowsHandle>
  /** Their accessible name. */
  readonly name: string
  readonly read: ReadTrace
  readonly axis: TimeAxis
  /** Counted after the row of the trace itself, which is the first. */
  readonly rows: readonly TreeRow[]
  /** Index among all rows, including that of the trace. */
  readonly active: number
  readonly onPress: (event: KeyboardEvent) => void
  readonly onSelect: (node: LogNode) => void
  readonly onSelectTrace: () => void
  readonly onFold: (node: LogNode, isOpen: boolean) => void
  /** Shown if there are no rows; may be empty. */
  readonly empty: string
  readonly takesFocus: boolean
}

const rowPx = 28

export function WaterfallRows(props: WaterfallRowsProps) {
  const { ref, name, read, axis, rows, active, onPress, onSelect, onSelectTrace, onFold, empty, takesFocus } =
    props
  const rowCount = rows.length + 1
  const { indexes, scroller, setScroller, scrollTo } = useVisibleRows(rowCount, rowPx)
  useImperativeHandle(ref, () => ({ focus: () => scroller?.focus(), scrollTo }))
  const activeId = rows[active - 1]?.node.log.id
  // biome-ignore lint/correctness/useExhaustiveDependencies: Only another active row moves the view.
  useEffect(() => {
    if (active > 0) scrollTo(active)
  }, [activeId, scroller])
  useEffect(() => {
    // The tree takes the focus initially, unless something else already has it.
    if (takesFocus && document.activeElement === document.body) scroller?.focus()
  }, [takesFocus, scroller])
  // The element of a row that leaves at one end is reused for a row that enters at the other.
  const slots = useRef(0)
  slots.current = Math.max(slots.current, indexes.length)
  const playhead = rows[active - 1]?.node.startMs
  return (
    <div
      ref={setScroller}
      role="tree"
      aria-label="Logs"
      aria-activedescendant={`${name}-${active}`}
      tabIndex={0}
      onKeyDown={onPress}
      className="group/tree relative min-h-0 flex-1 overflow-y-auto outline-none"
    >
      <div className="relative w-full" style={{ height: rowCount * rowPx }}>
        <div aria-hidden className="pointer-events-none absolute inset-0 grid grid-cols-(--waterfall)">
          <span />
          <span className="relative mr-(--label) border-l border-line">
            {playhead !== undefined && (
              <span
                className="absolute inset-y-0 z-1 w-px bg-accent"
                style={{ left: `${((playhead - axis.fromMs) / (axis.toMs - axis.fromMs)) * 100}%` }}
              />
            )}
          </span>
        </div>
        {indexes.map((index) => {
          const row = rows[index - 1]
          return row === undefined ? (
            <TraceRow
              key="trace"
              id={`${name}-0`}
              trace={read.trace}
              axis={axis}
              read={read}
              isActive={active === 0}
              onSelect={onSelectTrace}
            />
          ) : (
            <WaterfallRow
              key={index % slots.current}
              id={`${name}-${index}`}
              row={row}
              axis={axis}
              overrunMs={overrunOf(row.node, read.nodes, read.endMs)}
              topPx={index * rowPx}
              isActive={index === active}
              onSelect={onSelect}
              onFold={onFold}
            />
          )
        })}
      </div>
      {rows.length === 0 && empty !== '' && <p className="px-4 py-3 text-sm text-ink-3">{empty}</p>}
    </div>
  )
}
