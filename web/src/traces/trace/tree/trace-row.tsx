// biome-ignore-all lint/a11y/useFocusableInteractive: The tree has the focus, and says which row is active.
// biome-ignore-all lint/a11y/useKeyWithClickEvents: The tree takes the keys.
/** The trace itself, as the first row of its tree. */
import type { StoredTrace } from '@plumbline/sdk'
import { CircleAlert, ListTree } from 'lucide-react'
import { classNames } from '../../../ui/class-names.ts'
import { formatDuration } from '../../../ui/text/format.ts'
import { Money } from '../../../ui/text/values.tsx'
import type { ReadTrace } from '../read-trace.ts'
import { LogIcon } from './log-icon.tsx'
import type { TimeAxis } from './time-axis.ts'

interface TraceRowProps {
  readonly id: string
  readonly trace: StoredTrace
  readonly read: ReadTrace
  readonly axis: TimeAxis
  readonly isActive: boolean
  readonly onSelect: () => void
}

export function TraceRow({ id, trace, read, axis, isActive, onSelect }: TraceRowProps) {
  const width = ((read.endMs ?? axis.toMs) - read.startMs) / (axis.toMs - axis.fromMs)
  const left = (read.startMs - axis.fromMs) / (axis.toMs - axis.fromMs)
  const { cost, durationMs, tokensEstimated } = trace.totals
  const root = read.root?.log
  return (
    <div
      id={id}
      role="treeitem"
      aria-level={1}
      aria-expanded
      aria-selected={isActive}
      onClick={onSelect}
      className={classNames(
        'absolute inset-x-0 top-0 grid contain-strict h-7 cursor-pointer grid-cols-(--waterfall) items-center text-sm font-medium',
        isActive
          ? 'bg-selected before:absolute before:inset-y-0 before:left-0 before:w-0.5 group-focus/tree:before:bg-accent'
          : 'hover:bg-hover',
      )}
    >
      <div className="flex h-full min-w-0 items-center gap-1.5 pr-2 pl-2">
        <ListTree role="img" aria-label="trace" size={14} className="shrink-0 text-accent-ink" />
        {/* A plain span adds nothing to the trace. */}
        {root !== undefined && root.type !== 'span' && <LogIcon type={root.type} />}
        <span dir="auto" className="min-w-0 truncate" title={trace.name}>
          {trace.name}
        </span>
        {read.root?.isFailed === true && (
          <CircleAlert role="img" aria-label="failed" size={14} className="shrink-0 text-bad" />
        )}
        <span className="flex-1" />
        <span className="numbers [display:var(--cost)] min-w-17 shrink-0 text-right text-2xs text-ink-3">
          {cost !== null && <Money value={cost} isEstimate={tokensEstimated} />}
        </span>
      </div>
      <div className="relative mr-(--label) h-full">
        <div
          className="absolute top-2.5 h-2 min-w-0.5 rounded-sm bg-line-strong"
          style={{ left: `${left * 100}%`, width: `${Math.min(1 - left, width) * 100}%` }}
        />
        <span
          className="numbers absolute top-1.5 ml-1.5 text-2xs leading-4 whitespace-nowrap text-ink-2"
          style={{ left: `${Math.min(1, left + width) * 100}%` }}
        >
          {durationMs === null ? 'no end' : formatDuration(durationMs)}
        </span>
      </div>
    </div>
  )
}
