/** Views of one thing. The open tab belongs in the URL: pass it in, and change it there. */
import { type KeyboardEvent, type ReactNode, useId } from 'react'

interface TabsProps<Value extends string> {
  readonly tabs: readonly { readonly value: Value; readonly label: ReactNode }[]
  readonly value: Value
  readonly onChange: (value: Value) => void
  readonly label: string
  /** Whether tabs that do not fit wrap; otherwise the list scrolls. */
  readonly wraps?: boolean
  /** The panel of the open tab. */
  readonly children: ReactNode
}

export function Tabs<Value extends string>({
  tabs,
  value,
  onChange,
  label,
  wraps = false,
  children,
}: TabsProps<Value>) {
  const id = useId()
  const open = Math.max(
    tabs.findIndex((tab) => tab.value === value),
    0,
  )
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <div
        role="tablist"
        aria-label={label}
        onKeyDown={moveFocus}
        className={`flex shrink-0 gap-x-4 border-b border-line px-4 ${wraps ? 'flex-wrap' : 'overflow-x-auto'}`}
      >
        {tabs.map((tab, index) => (
          <button
            key={tab.value}
            type="button"
            role="tab"
            id={`${id}-${index}`}
            aria-selected={index === open}
            aria-controls={index === open ? `${id}-panel` : undefined}
            tabIndex={index === open ? 0 : -1}
            onClick={() => onChange(tab.value)}
            className="-mb-px h-9 shrink-0 border-b-2 border-transparent text-sm font-medium text-ink-2 hover:text-ink aria-selected:border-accent aria-selected:text-ink"
          >
            {tab.label}
          </button>
        ))}
      </div>
      <div
        role="tabpanel"
        id={`${id}-panel`}
        aria-labelledby={`${id}-${open}`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: A tab panel may scroll without containing anything focusable.
        tabIndex={0}
        className="min-h-0 flex-1 -outline-offset-2"
      >
        {children}
      </div>
    </div>
  )
}

/** The arrows, Home and End move the focus from tab to tab; Enter or Space opens the tab. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const tabs = [...event.currentTarget.querySelectorAll<HTMLElement>('[role="tab"]')]
  const index = tabs.indexOf(event.target as HTMLElement)
  const next = { ArrowRight: index + 1, ArrowLeft: index - 1, Home: 0, End: -1 }[event.key]
  if (index === -1 || next === undefined) return
  event.preventDefault()
  tabs.at(next % tabs.length)?.focus()
}
