/** Views of one thing. Which one is open belongs in the address: pass it in, and change it there. */
import { Tabs as Base } from '@base-ui/react/tabs'
import type { ReactNode } from 'react'

interface TabsProps<Value extends string> {
  readonly tabs: readonly { readonly value: Value; readonly label: ReactNode }[]
  readonly value: Value
  readonly onChange: (value: Value) => void
  readonly label: string
  /** Whether tabs that do not fit go to further lines; else the list scrolls. */
  readonly wraps?: boolean
  /** What the open tab shows. */
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
  return (
    <Base.Root value={value} onValueChange={onChange} className="flex min-h-0 flex-1 flex-col">
      <Base.List
        aria-label={label}
        activateOnFocus={false}
        className={`flex shrink-0 gap-x-4 border-b border-line px-4 ${wraps ? 'flex-wrap' : 'overflow-x-auto'}`}
      >
        {tabs.map((tab) => (
          <Base.Tab
            key={tab.value}
            value={tab.value}
            className="-mb-px h-9 shrink-0 border-b-2 border-transparent text-sm font-medium text-ink-2 hover:text-ink data-active:border-accent data-active:text-ink"
          >
            {tab.label}
          </Base.Tab>
        ))}
      </Base.List>
      <Base.Panel value={value} className="min-h-0 flex-1 outline-none">
        {children}
      </Base.Panel>
    </Base.Root>
  )
}
