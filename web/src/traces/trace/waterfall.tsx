/**
 * The tree of a trace with a waterfall aligned to its rows. Draws only what is seen. The playhead is the start of the
 * active log, drawn through all rows: what crosses it ran at that moment.
 */
import { useVirtualizer } from '@tanstack/react-virtual'
import { Search } from 'lucide-react'
import { type KeyboardEvent, useDeferredValue, useEffect, useId, useMemo, useRef, useState } from 'react'
import { classNames } from '../../ui/class-names.ts'
import { Input } from '../../ui/field.tsx'
import { formatDuration } from '../../ui/format.ts'
import { useShortcuts } from '../../ui/shortcuts.tsx'
import type { ReadTrace } from './read-trace.ts'
import { axisOf, ticksOf } from './time-axis.ts'
import { TraceRow } from './trace-row.tsx'
import type { LogNode } from './trace-tree.ts'
import { foundRows, searcher, treeRows } from './tree-rows.ts'
import { WaterfallRow } from './waterfall-row.tsx'

interface WaterfallProps {
  readonly read: ReadTrace
  /** The active log; the trace itself where absent. */
  readonly activeId: string | undefined
  readonly onActivate: (id: string | undefined) => void
  readonly search: string
  readonly onSearch: (text: string) => void
  /** In a panel the keys j, k and / are the list's. */
  readonly isCompact: boolean
}

const rowPx = 28

export function Waterfall({ read, activeId, onActivate, search, onSearch, isCompact }: WaterfallProps) {
  const { trace, nodes } = read
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set())
  const wanted = useDeferredValue(search.trim())
  const fitting = useMemo(() => searcher(nodes), [nodes])
  const rows = useMemo(
    () => (wanted === '' ? treeRows(nodes, folded) : foundRows(nodes, fitting(wanted))),
    [nodes, folded, wanted, fitting],
  )
  const axis = useMemo(() => axisOf(nodes, read), [nodes, read])
  // The trace itself is the first row.
  const active = activeId === undefined ? 0 : rows.findIndex(({ node }) => node.log.id === activeId) + 1
  const scroller = useRef<HTMLDivElement>(null)
  const field = useRef<HTMLInputElement>(null)
  const name = useId()
  const virtualizer = useVirtualizer({
    count: rows.length + 1,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowPx,
    overscan: 16,
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: The view follows what is activated, and nothing else.
  useEffect(() => {
    if (active > 0) virtualizer.scrollToIndex(active)
  }, [activeId])

  const latest = useRef({ rows, onActivate, folded })
  latest.current = { rows, onActivate, folded }
  // Of one identity, so that rows that did not change are not drawn again.
  const [acts] = useState(() => ({
    select: (node: LogNode) => latest.current.onActivate(node.log.id),
    fold: (node: LogNode, isOpen: boolean) => {
      const next = new Set(latest.current.folded)
      if (isOpen) next.delete(node.log.id)
      else next.add(node.log.id)
      setFolded(next)
    },
  }))
  const go = (index: number): void => {
    const next = Math.min(rows.length, Math.max(0, index))
    virtualizer.scrollToIndex(next)
    onActivate(next === 0 ? undefined : rows[next - 1]?.node.log.id)
  }
  const row = rows[active - 1]
  const goTo = (node: LogNode | undefined): void => {
    if (node !== undefined) onActivate(node.log.id)
  }
  const inward = (): void => {
    if (row?.isOpen === false) acts.fold(row.node, true)
    else if (row === undefined || row.isOpen === true) go(active + 1)
  }
  const outward = (): void => {
    if (row === undefined) return
    if (row.isOpen === true && wanted === '') acts.fold(row.node, false)
    else if (row.node.parent === undefined) go(0)
    else goTo(nodes[row.node.parent])
  }
  const nextFailed = (): void => {
    const at = row?.node.index ?? -1
    goTo(
      nodes.find(({ isFailed, index }) => isFailed && index > at) ?? nodes.find(({ isFailed }) => isFailed),
    )
  }
  const along = (step: 1 | -1): void => goTo(neighbourInTime(nodes, row?.node, step))
  const keys: Readonly<Record<string, () => void>> = {
    ArrowDown: () => go(active + 1),
    ArrowUp: () => go(active - 1),
    Home: () => go(0),
    End: () => go(rows.length),
    PageDown: () => go(active + 20),
    PageUp: () => go(active - 20),
    ArrowRight: inward,
    ArrowLeft: outward,
    'shift ArrowRight': () => along(1),
    'shift ArrowLeft': () => along(-1),
    Enter: () => document.getElementById(detailId)?.focus(),
  }
  const press = (event: KeyboardEvent): void => {
    const action = keys[(event.shiftKey ? 'shift ' : '') + event.key]
    if (action === undefined || event.metaKey || event.ctrlKey || event.altKey) return
    event.preventDefault()
    event.stopPropagation()
    action()
  }
  useShortcuts(
    [
      { keys: 'j', label: 'Next log', onPress: () => go(active + 1) },
      { keys: 'k', label: 'Previous log', onPress: () => go(active - 1) },
      { keys: 'arrowdown', onPress: () => go(active + 1) },
      { keys: 'arrowup', onPress: () => go(active - 1) },
      { keys: 'home', label: 'The trace itself', onPress: () => go(0) },
      { keys: 'end', label: 'Last log', onPress: () => go(rows.length) },
      { keys: 'enter', label: 'Read the log', onPress: () => document.getElementById(detailId)?.focus() },
      { keys: 'e', label: 'Next failed log', onPress: nextFailed },
      { keys: 'shift+arrowright', label: 'Next log in time', onPress: () => along(1) },
      { keys: 'shift+arrowleft', label: 'Previous log in time', onPress: () => along(-1) },
      { keys: '/', label: 'Search in the tree', onPress: () => field.current?.focus() },
    ],
    !isCompact,
  )
  const playhead = row?.node.startMs
  const ticks = ticksOf(axis, 4)
  return (
    <div className="@container flex min-h-0 flex-1 flex-col [--label:64px] [--waterfall:minmax(0,1fr)_minmax(0,1fr)] @3xl:[--waterfall:minmax(0,5fr)_minmax(0,6fr)]">
      <div className="flex h-10 shrink-0 items-center gap-2 border-b border-line px-2">
        <Search aria-hidden size={14} className="ml-1 shrink-0 text-ink-3" />
        <Input
          ref={field}
          aria-label="Search in the tree"
          placeholder="Search names, content, type:tool"
          className="h-7! min-w-0 flex-1 border-transparent! bg-transparent!"
          value={search}
          onChange={(event) => onSearch(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'Escape' && search !== '') {
              event.stopPropagation()
              onSearch('')
            }
            if (event.key === 'ArrowDown' || event.key === 'Enter') {
              event.preventDefault()
              const first = rows.find(({ isPath }) => !isPath)
              goTo(first?.node)
              scroller.current?.focus()
            }
          }}
        />
        {wanted !== '' && (
          <span className="shrink-0 text-xs text-ink-3" role="status">
            {rows.filter(({ isPath }) => !isPath).length} of {nodes.length}
          </span>
        )}
      </div>
      <div
        aria-hidden
        className="grid h-6 shrink-0 grid-cols-(--waterfall) border-b border-line text-2xs text-ink-3"
      >
        <span />
        <span className="numbers relative mr-(--label) text-2xs">
          {ticks.map((ms) => (
            <span
              key={ms}
              className="absolute inset-y-0 border-l border-line pl-1 leading-6"
              style={{ left: `${(ms / (axis.toMs - axis.fromMs)) * 100}%` }}
            >
              {ms === 0 ? '0' : formatDuration(ms)}
            </span>
          ))}
        </span>
      </div>
      <div
        ref={scroller}
        role="tree"
        aria-label="Logs"
        aria-activedescendant={`${name}-${active}`}
        tabIndex={0}
        onKeyDown={press}
        className="relative min-h-0 flex-1 overflow-y-auto -outline-offset-2"
      >
        <div className="relative w-full" style={{ height: virtualizer.getTotalSize() }}>
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
          {virtualizer.getVirtualItems().map(({ index, start }) => {
            const shown = rows[index - 1]
            return shown === undefined ? (
              <TraceRow
                key="trace"
                id={`${name}-0`}
                trace={trace}
                axis={axis}
                read={read}
                isActive={active === 0}
                onSelect={() => onActivate(undefined)}
              />
            ) : (
              <WaterfallRow
                key={shown.node.index}
                id={`${name}-${index}`}
                row={shown}
                axis={axis}
                topPx={start}
                isActive={index === active}
                onSelect={acts.select}
                onFold={acts.fold}
              />
            )
          })}
        </div>
        {rows.length === 0 && (
          <p className={classNames('px-4 py-3 text-sm text-ink-3')}>
            {wanted === '' ? 'The trace has no logs.' : 'No log has all of these words.'}
          </p>
        )}
      </div>
    </div>
  )
}

/** Where enter leads: the detail of the active log. */
export const detailId = 'log-detail'

function neighbourInTime(
  nodes: readonly LogNode[],
  from: LogNode | undefined,
  step: 1 | -1,
): LogNode | undefined {
  const timed = nodes
    .filter(({ startMs }) => startMs !== undefined)
    .sort((a, b) => (a.startMs as number) - (b.startMs as number))
  const at = from === undefined ? -1 : timed.indexOf(from)
  return timed[at + step]
}
