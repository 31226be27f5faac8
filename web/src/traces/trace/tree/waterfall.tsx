/**
 * The tree of a trace with a waterfall aligned to its rows. The playhead marks the start of the active log across all
 * rows: bars that cross it were running at that moment.
 */
import { ChevronsDownUp, ChevronsUpDown, Search } from 'lucide-react'
import { type Ref, useCallback, useDeferredValue, useId, useMemo, useRef, useState } from 'react'
import { IconButton } from '../../../ui/button.tsx'
import { Input } from '../../../ui/form/field.tsx'
import { formatDuration } from '../../../ui/text/format.ts'
import type { ReadTrace } from '../read-trace.ts'
import { axisOf, type TimeAxis, ticksOf } from './time-axis.ts'
import type { LogNode } from './trace-tree.ts'
import { useTreeKeys } from './tree-keys.ts'
import { foundRows, treeRows } from './tree-rows.ts'
import { useLogSearch } from './use-log-search.ts'
import { WaterfallRows, type WaterfallRowsHandle } from './waterfall-rows.tsx'

interface WaterfallProps {
  readonly read: ReadTrace
  /** The active log; the trace itself if absent. */
  readonly activeId: string | undefined
  readonly onActivate: (id: string | undefined) => void
  readonly search: string
  readonly onSearch: (text: string) => void
  /** In a panel, the keys j, k and / belong to the list. */
  readonly isCompact: boolean
}

export function Waterfall({ read, activeId, onActivate, search, onSearch, isCompact }: WaterfallProps) {
  const { nodes, root } = read
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set())
  const searchText = useDeferredValue(search.trim())
  const { fits, isSearching } = useLogSearch(read, searchText)
  const rows = useMemo(
    () => (searchText === '' ? treeRows(nodes, folded, root) : foundRows(nodes, fits, root)),
    [nodes, root, folded, searchText, fits],
  )
  const axis = useMemo(() => axisOf(nodes, read), [nodes, read])
  // The trace itself is the first row.
  const active = useMemo(
    () => (activeId === undefined ? 0 : rows.findIndex(({ node }) => node.log.id === activeId) + 1),
    [rows, activeId],
  )
  const list = useRef<WaterfallRowsHandle>(null)
  const field = useRef<HTMLInputElement>(null)
  const latest = useRef(onActivate)
  latest.current = onActivate
  // Memoized, so that unchanged rows do not rerender.
  const activate = useCallback((node: LogNode) => latest.current(node.log.id), [])
  const fold = useCallback((node: LogNode, isOpen: boolean) => {
    setFolded((previous) => {
      const next = new Set(previous)
      if (isOpen) next.delete(node.log.id)
      else next.add(node.log.id)
      return next
    })
  }, [])
  const press = useTreeKeys({
    nodes,
    root,
    rows,
    active,
    onGo: (index) => {
      list.current?.scrollTo(index)
      onActivate(rows[index - 1]?.node.log.id)
    },
    onActivate: activate,
    onFold: fold,
    onSearch: () => field.current?.focus(),
    onFocus: () => list.current?.focus(),
    isOnScreen: !isCompact,
  })
  const matches = useMemo(() => rows.filter(({ isPath }) => !isPath), [rows])
  return (
    <div className="@container flex min-h-0 flex-1 flex-col">
      <div className="flex min-h-0 flex-1 flex-col [--cost:none] [--indent:4px] [--label:80px] [--tokens:none] [--waterfall:minmax(0,3fr)_minmax(0,2fr)] @lg:[--cost:inline] @lg:[--indent:8px] @lg:[--waterfall:minmax(0,1fr)_minmax(0,1fr)] @2xl:[--tokens:inline] @3xl:[--indent:14px] @3xl:[--waterfall:minmax(0,5fr)_minmax(0,6fr)]">
        <SearchField
          ref={field}
          value={search}
          onChange={onSearch}
          summary={summaryOf(read, searchText === '' ? undefined : matches.length, isSearching)}
          isFolded={folded.size > 0}
          onFoldAll={() => setFolded(folded.size > 0 ? new Set() : holdersOf(read))}
          onEnter={() => {
            const [first] = matches
            if (first !== undefined) activate(first.node)
            list.current?.focus()
          }}
        />
        <AxisHeader axis={axis} />
        <WaterfallRows
          ref={list}
          name={useId()}
          read={read}
          axis={axis}
          rows={rows}
          active={active}
          onPress={press}
          onSelect={activate}
          onSelectTrace={() => onActivate(undefined)}
          onFold={fold}
          takesFocus={!isCompact}
          empty={emptyText(read, searchText, isSearching)}
        />
      </div>
    </div>
  )
}

/** The number of matches, or of loaded logs while more pages are loading. */
function summaryOf(
  { nodes, outline }: ReadTrace,
  matches: number | undefined,
  isSearching: boolean,
): string | undefined {
  if (outline?.isComplete === false) return `${nodes.length} of ${outline.logCount} loaded`
  if (matches === undefined) return undefined
  return isSearching ? 'Searching…' : `${matches} of ${nodes.length}`
}

function emptyText({ outline, root }: ReadTrace, searchText: string, isSearching: boolean): string {
  if (isSearching || outline?.isComplete === false) return 'Loading…'
  if (searchText !== '') return 'No logs match.'
  return root === undefined ? 'This trace has no logs.' : ''
}

/** All logs with children, except those at the top level. */
const holdersOf = ({ nodes, root }: ReadTrace): ReadonlySet<string> => {
  const top = root === undefined ? 0 : 1
  return new Set(
    nodes.filter(({ depth, index, end }) => depth > top && end > index + 1).map(({ log }) => log.id),
  )
}

interface SearchFieldProps {
  readonly ref: Ref<HTMLInputElement>
  readonly value: string
  readonly onChange: (text: string) => void
  /** The number of matches. */
  readonly summary: string | undefined
  readonly onEnter: () => void
  readonly isFolded: boolean
  readonly onFoldAll: () => void
}

function SearchField(props: SearchFieldProps) {
  const { ref, value, onChange, summary, onEnter, isFolded, onFoldAll } = props
  return (
    <div className="flex h-10 shrink-0 items-center gap-2 border-b border-line px-2">
      <Search aria-hidden size={14} className="ml-1 shrink-0 text-ink-3" />
      <Input
        ref={ref}
        aria-label="Search the tree"
        placeholder="Search names, content, type:tool"
        className="h-7! min-w-0 flex-1 border-transparent! bg-transparent!"
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape' && value !== '') {
            event.stopPropagation()
            onChange('')
          }
          if (event.key === 'ArrowDown' || event.key === 'Enter') {
            event.preventDefault()
            onEnter()
          }
        }}
      />
      <span className="shrink-0 text-xs text-ink-3" role="status">
        {summary}
      </span>
      <IconButton label={isFolded ? 'Expand all' : 'Collapse all'} size="small" onClick={onFoldAll}>
        {isFolded ? <ChevronsUpDown aria-hidden size={14} /> : <ChevronsDownUp aria-hidden size={14} />}
      </IconButton>
    </div>
  )
}

const ticksMax = 4

function AxisHeader({ axis }: { readonly axis: TimeAxis }) {
  return (
    <div
      aria-hidden
      className="grid h-6 shrink-0 grid-cols-(--waterfall) border-b border-line text-2xs text-ink-3"
    >
      <span />
      <span className="numbers relative mr-(--label) text-2xs">
        {ticksOf(axis, ticksMax).map((ms) => (
          <span
            key={ms}
            className="absolute inset-y-0 border-l border-line pl-1 leading-6 whitespace-nowrap @max-lg:even:hidden"
            style={{ left: `${(ms / (axis.toMs - axis.fromMs)) * 100}%` }}
          >
            {ms === 0 ? '0' : formatDuration(ms)}
          </span>
        ))}
      </span>
    </div>
  )
}
