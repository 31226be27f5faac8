/** A JSON value as a tree, with search and copying of paths and values. Renders only the visible rows. */
import { ChevronDown, ChevronRight, X } from 'lucide-react'
import { type KeyboardEvent, useEffect, useMemo, useState } from 'react'
import { IconButton } from '../button.tsx'
import { classNames } from '../class-names.ts'
import { CopyButton } from '../copy-button.tsx'
import { Input } from '../form/field.tsx'
import { useVisibleRows } from '../visible-rows.ts'
import { type Folds, findInJson, type JsonRow, jsonRows } from './json-rows.ts'

interface JsonTreeProps {
  readonly value: unknown
  /** Its accessible name. */
  readonly label: string
  readonly openDepth?: number
  readonly maxHeightPx?: number
  readonly hasSearch?: boolean
}

const rowPx = 22
/** Longer texts are truncated on the screen, but copied in full. */
const textMax = 2000
/** Texts that may not fit in a row. */
const isLong = (value: unknown): value is string =>
  typeof value === 'string' && (value.length > 40 || value.includes('\n'))

export function JsonTree({
  value,
  label,
  openDepth = 2,
  maxHeightPx = 480,
  hasSearch = true,
}: JsonTreeProps) {
  const [folds, setFolds] = useState<Folds>(new Map())
  const [search, setSearch] = useState('')
  const matches = useMemo(() => findInJson(value, search), [value, search])
  const hits = useMemo(() => new Set(matches.paths), [matches])
  const all = useMemo(() => new Map([...folds, ...matches.folds]), [folds, matches])
  const rows = useMemo(() => jsonRows(value, all, openDepth), [value, all, openDepth])
  const [active, setActive] = useState(0)
  const [textPath, setTextPath] = useState<string>()
  const textRow = rows.find(({ path }) => path === textPath)
  const { indexes, setScroller, scrollTo } = useVisibleRows(rows.length, rowPx)
  const first = matches.paths[0]
  // biome-ignore lint/correctness/useExhaustiveDependencies: Only a new search moves the view.
  useEffect(() => {
    const index = first === undefined ? -1 : rows.findIndex(({ path }) => path === first)
    if (index >= 0) scrollTo(index, 'center')
  }, [first])
  const fold = ({ path, size }: JsonRow, isOpen: boolean): void => {
    if (size !== undefined) setFolds(new Map(folds).set(path, isOpen))
  }
  const open = (row: JsonRow): void => {
    if (row.size !== undefined) fold(row, !row.isOpen)
    else setTextPath(row.path === textPath || !isLong(row.value) ? undefined : row.path)
  }
  const go = (index: number): void => {
    const next = Math.min(rows.length - 1, Math.max(0, index))
    setActive(next)
    scrollTo(next)
  }
  const press = (event: KeyboardEvent): void => {
    const row = rows[active]
    if (row === undefined || event.target !== event.currentTarget) return
    const action = {
      ArrowDown: () => go(active + 1),
      ArrowUp: () => go(active - 1),
      ArrowRight: () => fold(row, true),
      ArrowLeft: () => fold(row, false),
      Home: () => go(0),
      End: () => go(rows.length - 1),
      Enter: () => open(row),
    }[event.key]
    if (action === undefined) return
    event.preventDefault()
    event.stopPropagation()
    action()
  }
  return (
    <div className="flex min-h-0 flex-col gap-1">
      {hasSearch && rows.length > 8 && (
        <div className="flex items-center gap-2">
          <Input
            aria-label={`Search ${label}`}
            placeholder="Search keys and values"
            className="h-7! flex-1"
            value={search}
            onChange={(event) => setSearch(event.currentTarget.value)}
          />
          {search !== '' && <span className="text-xs text-ink-3">{matches.paths.length} found</span>}
        </div>
      )}
      <div
        ref={setScroller}
        role="tree"
        aria-label={label}
        tabIndex={0}
        onKeyDown={press}
        className="group/tree overflow-auto font-mono text-xs"
        style={{ maxHeight: maxHeightPx }}
      >
        <div className="relative w-full" style={{ height: rows.length * rowPx }}>
          {indexes.map((index) => {
            const row = rows[index] as JsonRow
            return (
              <TreeItem
                key={row.path}
                row={row}
                startPx={index * rowPx}
                isActive={index === active}
                isHit={hits.has(row.path)}
                onPress={() => {
                  setActive(index)
                  open(row)
                }}
              />
            )
          })}
        </div>
      </div>
      {textRow !== undefined && isLong(textRow.value) && (
        <section aria-label={`Text of ${textRow.path}`} className="rounded border border-line">
          <p className="flex items-center justify-between gap-2 bg-sunken pl-2 font-mono text-xs text-ink-2">
            <span className="truncate">{textRow.path}</span>
            <IconButton label="Close the text" size="small" onClick={() => setTextPath(undefined)}>
              <X aria-hidden size={14} />
            </IconButton>
          </p>
          <p
            dir="auto"
            // biome-ignore lint/a11y/noNoninteractiveTabindex: It scrolls.
            tabIndex={0}
            className="max-h-80 overflow-auto p-2 text-sm break-words whitespace-pre-wrap"
          >
            {textRow.value}
          </p>
        </section>
      )}
    </div>
  )
}

interface TreeItemProps {
  readonly row: JsonRow
  readonly startPx: number
  readonly isActive: boolean
  /** Whether the search matches it. */
  readonly isHit: boolean
  readonly onPress: () => void
}

const TreeItem = ({ row, startPx, isActive, isHit, onPress }: TreeItemProps) => (
  // biome-ignore lint/a11y/useKeyWithClickEvents: The tree takes the keys.
  // biome-ignore lint/a11y/useFocusableInteractive: The tree has the focus.
  <div
    role="treeitem"
    aria-level={row.depth + 1}
    aria-expanded={row.size === undefined ? undefined : row.isOpen}
    aria-selected={isActive}
    title={isLong(row.value) ? 'Press to read the full text below' : undefined}
    onClick={({ target }) => {
      // Copying does not collapse the row.
      if (!(target instanceof Element && target.closest('button'))) onPress()
    }}
    className={classNames(
      'group/row absolute inset-x-0 flex items-center gap-1 pr-1 hover:bg-hover',
      isHit && 'bg-warn-surface',
      isActive && 'group-focus/tree:bg-selected',
      (row.size !== undefined || isLong(row.value)) && 'cursor-pointer',
    )}
    style={{ height: rowPx, transform: `translateY(${startPx}px)`, paddingLeft: 4 + row.depth * 16 }}
  >
    <Row row={row} />
  </div>
)

function Row({ row }: { readonly row: JsonRow }) {
  const { name, value, size, isOpen, path } = row
  const Arrow = isOpen ? ChevronDown : ChevronRight
  return (
    <>
      <span className="w-3 shrink-0 text-ink-3">
        {size !== undefined && size > 0 && <Arrow aria-hidden size={12} />}
      </span>
      {name !== undefined && <span className="shrink-0 text-ink-2">{name}:</span>}
      <span className="min-w-0 flex-1 truncate">
        {size === undefined ? <Leaf value={value} /> : <Holder value={value} size={size} />}
      </span>
      {/* Overlays the end of a text, which otherwise fills the row. */}
      <span className="invisible absolute inset-y-0 right-0 flex items-center bg-hover group-focus-within/row:visible group-hover/row:visible [&_button]:size-5">
        {path !== '' && <CopyButton text={path} label={`Copy path ${path}`} />}
        <CopyButton
          text={() => (typeof value === 'string' ? value : JSON.stringify(value, null, 2))}
          label={`Copy value of ${path === '' ? 'all' : path}`}
        />
      </span>
    </>
  )
}

const Holder = ({ value, size }: { readonly value: unknown; readonly size: number }) => (
  <span className="text-ink-3">{Array.isArray(value) ? `[${size}]` : `{${size}}`}</span>
)

function Leaf({ value }: { readonly value: unknown }) {
  if (typeof value === 'string') {
    const text = JSON.stringify(value.length > textMax ? `${value.slice(0, textMax)}…` : value)
    return <span className="text-good">{text}</span>
  }
  if (typeof value === 'number') return <span className="text-info">{value}</span>
  return <span className="text-type-generation">{String(value)}</span>
}
