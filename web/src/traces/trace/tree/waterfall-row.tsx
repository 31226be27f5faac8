// biome-ignore-all lint/a11y/useFocusableInteractive: The tree has the focus, and says which row is active.
// biome-ignore-all lint/a11y/useKeyWithClickEvents: The tree takes the keys.
/** One log: its place in the tree, its cost including descendants, and its time on the shared axis. */
import { ChevronDown, ChevronRight, CircleAlert } from 'lucide-react'
import { memo } from 'react'
import { type LogTypeName, logTypeClass } from '../../../ui/badge.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { formatDuration } from '../../../ui/text/format.ts'
import { Money, Tokens } from '../../../ui/text/values.tsx'
import { Indent } from './indent.tsx'
import { LogIcon } from './log-icon.tsx'
import { type Bar, barOf, type TimeAxis } from './time-axis.ts'
import type { LogNode } from './trace-tree.ts'
import type { TreeRow } from './tree-rows.ts'

interface WaterfallRowProps {
  readonly row: TreeRow
  readonly axis: TimeAxis
  readonly id: string
  /** How much later than its parent it ended; 0 if it did not. */
  readonly overrunMs: number
  readonly topPx: number
  readonly isActive: boolean
  readonly onSelect: (node: LogNode) => void
  readonly onFold: (node: LogNode, isOpen: boolean) => void
}

export const WaterfallRow = memo(function WaterfallRow(props: WaterfallRowProps) {
  const { row, axis, id, overrunMs, topPx, isActive, onSelect, onFold } = props
  const { node, depth, isOpen, isPath } = row
  const { log, sums } = node
  const bar = barOf(node, axis)
  const Arrow = isOpen === true ? ChevronDown : ChevronRight
  const tokens = sums.inputTokens + sums.outputTokens
  const failedBelow = sums.errors - (node.isFailed ? 1 : 0)
  return (
    <div
      id={id}
      role="treeitem"
      aria-level={depth + 2}
      aria-expanded={isOpen}
      aria-selected={isActive}
      onClick={() => onSelect(node)}
      className={classNames(
        'absolute inset-x-0 top-0 grid contain-strict h-7 cursor-pointer grid-cols-(--waterfall) items-center text-sm',
        isActive
          ? 'bg-selected before:absolute before:inset-y-0 before:left-0 before:w-0.5 group-focus/tree:before:bg-accent'
          : 'hover:bg-hover',
        isPath && 'text-ink-3',
      )}
      style={{ transform: `translateY(${topPx}px)` }}
    >
      <div className="flex h-full min-w-0 items-center gap-1.5 pr-2 pl-3.5">
        <Indent level={depth + 2} />
        {isOpen === undefined ? (
          <span className="w-4 shrink-0" />
        ) : (
          // biome-ignore lint/a11y/noStaticElementInteractions: The tree's keys collapse it.
          <span
            title={isOpen ? 'Collapse' : `Expand ${sums.logs} logs`}
            className="grid size-4 shrink-0 place-items-center rounded-sm text-ink-3 hover:bg-line"
            onClick={(event) => {
              event.stopPropagation()
              onFold(node, !isOpen)
            }}
          >
            <Arrow aria-hidden size={12} />
          </span>
        )}
        <LogIcon type={log.type} />
        <span dir="auto" className="min-w-0 truncate" title={log.name ?? undefined}>
          {log.name ?? <span className="text-ink-3">{log.type}</span>}
        </span>
        {isOpen === false && <span className="numbers shrink-0 text-2xs text-ink-3">{sums.logs}</span>}
        {node.isFailed && (
          <CircleAlert role="img" aria-label="failed" size={14} className="shrink-0 text-bad" />
        )}
        {failedBelow > 0 && (
          <span
            className="flex shrink-0 items-center gap-0.5 text-2xs text-bad"
            title={`${failedBelow} failed below`}
          >
            <span aria-hidden className="size-1.5 rounded-full bg-bad" />
            {failedBelow}
          </span>
        )}
        <span className="flex-1" />
        <span className="numbers [display:var(--tokens)] shrink-0 text-2xs text-ink-3">
          {tokens > 0 && <Tokens value={tokens} isEstimate={sums.tokensEstimated} />}
        </span>
        <span className="numbers [display:var(--cost)] min-w-17 shrink-0 text-right text-2xs text-ink-3">
          {sums.cost !== null && <Money value={sums.cost} isEstimate={sums.tokensEstimated} />}
        </span>
      </div>
      <div className="relative mr-(--label) h-full">
        {bar !== undefined && <TimeBar bar={bar} node={node} type={log.type} overrunMs={overrunMs} />}
      </div>
    </div>
  )
})

interface TimeBarProps {
  readonly bar: Bar
  readonly node: LogNode
  readonly type: LogTypeName
  readonly overrunMs: number
}

function TimeBar({ bar, node, type, overrunMs }: TimeBarProps) {
  const { left, width, isRunning } = bar
  const { startMs, endMs } = node
  const overrun =
    overrunMs === 0
      ? undefined
      : `Ends ${formatDuration(overrunMs)} after ${node.parent === undefined ? 'the trace' : 'its parent log'}`
  const label = isRunning
    ? 'no end'
    : startMs === undefined || endMs === undefined
      ? 'no start'
      : formatDuration(endMs - startMs)
  return (
    <>
      <div
        className={classNames(
          'absolute top-2 h-3 min-w-0.5 rounded-sm bg-current opacity-80',
          node.isFailed ? 'text-bad' : logTypeClass[type],
          isRunning && 'border border-dashed border-current bg-transparent',
        )}
        style={{ left: `${left * 100}%`, width: `${width * 100}%` }}
      />
      {/* The axis leaves room for it after every bar. */}
      <span
        className={classNames(
          'numbers absolute top-1.5 z-2 ml-1.5 rounded-sm bg-surface px-0.5 text-2xs leading-4 whitespace-nowrap',
          overrun === undefined ? 'text-ink-2' : 'text-warn',
        )}
        style={{ left: `${(left + width) * 100}%` }}
        title={overrun}
      >
        {label}
        {overrun !== undefined && <span className="sr-only">. {overrun}</span>}
      </span>
    </>
  )
}
