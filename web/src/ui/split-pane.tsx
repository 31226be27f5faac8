/** Two parts side by side with an edge to drag; the width is remembered. */
import { type KeyboardEvent, type PointerEvent, type ReactNode, useRef } from 'react'
import { useShortcuts } from './shortcuts.tsx'
import { useRememberedNumber } from './storage/remembered.ts'

interface EdgeProps {
  readonly label: string
  readonly widthPx: number
  readonly minPx: number
  readonly maxPx: number
  readonly onResize: (widthPx: number) => void
  /** 1 if dragging to the right widens, -1 if it narrows. */
  readonly direction: 1 | -1
}

function Edge({ label, widthPx, minPx, maxPx, onResize, direction }: EdgeProps) {
  const dragStart = useRef<{ readonly x: number; readonly widthPx: number }>(undefined)
  const resize = (next: number): void => onResize(Math.min(maxPx, Math.max(minPx, next)))
  const move = ({ clientX }: PointerEvent): void => {
    if (dragStart.current !== undefined)
      resize(dragStart.current.widthPx + (clientX - dragStart.current.x) * direction)
  }
  const press = (event: KeyboardEvent): void => {
    const steps = { ArrowLeft: -24, ArrowRight: 24 }[event.key]
    if (steps === undefined) return
    event.preventDefault()
    resize(widthPx + steps * direction)
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: A rule cannot be moved.
    <div
      role="separator"
      aria-label={label}
      aria-orientation="vertical"
      aria-valuenow={Math.round(widthPx)}
      aria-valuemin={minPx}
      aria-valuemax={maxPx}
      tabIndex={0}
      onKeyDown={press}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId)
        dragStart.current = { x: event.clientX, widthPx }
      }}
      onPointerMove={move}
      onPointerUp={() => {
        dragStart.current = undefined
      }}
      className="relative z-1 w-px shrink-0 cursor-col-resize touch-none bg-line before:absolute before:inset-y-0 before:-left-1 before:w-2 hover:bg-accent"
    />
  )
}

interface SplitPaneProps {
  /** The storage key of the width. */
  readonly name: string
  readonly label: string
  readonly initialPx: number
  readonly minPx?: number
  readonly maxPx?: number
  /** The maximum width of the left part, in percent. */
  readonly shareMax?: number
  /** The left part, which is resized. */
  readonly first: ReactNode
  readonly second: ReactNode
}

export function SplitPane({
  name,
  label,
  initialPx,
  minPx = 180,
  maxPx = 1200,
  shareMax = 70,
  first,
  second,
}: SplitPaneProps) {
  const [widthPx, setWidth] = useRememberedNumber(`width.${name}`, initialPx)
  return (
    <div className="flex min-h-0 min-w-0 flex-1 max-md:flex-col">
      <div
        className="flex min-h-0 min-w-0 shrink-0 flex-col max-md:!w-full max-md:basis-1/2"
        style={{ width: `min(${widthPx}px, ${shareMax}%)` }}
      >
        {first}
      </div>
      <Edge label={label} widthPx={widthPx} minPx={minPx} maxPx={maxPx} onResize={setWidth} direction={1} />
      <div className="flex min-h-0 min-w-0 flex-1 flex-col">{second}</div>
    </div>
  )
}

interface SidePanelProps {
  /** The storage key of the width. */
  readonly name: string
  /** Its accessible name. */
  readonly label: string
  readonly onClose: () => void
  readonly initialPx?: number
  readonly children: ReactNode
}

/** A panel beside a list that stays: Esc closes it; on a small screen it covers the list. Put both in a flex row. */
export function SidePanel({ name, label, onClose, initialPx = 560, children }: SidePanelProps) {
  const [widthPx, setWidth] = useRememberedNumber(`width.${name}`, initialPx)
  useShortcuts([{ keys: 'escape', label: 'Close panel', onPress: onClose }])
  return (
    <>
      <span className="flex max-md:hidden">
        <Edge
          label={`Width of ${label}`}
          widthPx={widthPx}
          minPx={320}
          maxPx={1400}
          onResize={setWidth}
          direction={-1}
        />
      </span>
      <aside
        aria-label={label}
        className="flex min-h-0 shrink-0 flex-col overflow-hidden bg-surface max-md:fixed max-md:inset-0 max-md:z-20 max-md:!w-full"
        style={{ width: `min(${widthPx}px, 75%)` }}
      >
        {children}
      </aside>
    </>
  )
}
