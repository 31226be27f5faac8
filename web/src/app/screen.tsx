/** The frame of a screen: title, actions, an optional range picker, and content. */
import { type ReactNode, useEffect } from 'react'
import { RangePicker } from './range/range-picker.tsx'

interface ScreenProps {
  readonly title: string
  /** Replaces the visible title, for example with breadcrumbs or an editable name. `title` stays the document title. */
  readonly heading?: ReactNode
  /** Buttons at the right of the title. */
  readonly actions?: ReactNode
  /** Shows the time range picker; the screen reads it with `useRange`. */
  readonly hasRange?: boolean
  readonly children: ReactNode
}

const actionsClass =
  'contents max-md:order-last max-md:flex max-md:max-w-full max-md:flex-wrap max-md:items-center max-md:gap-x-1 max-md:gap-y-1.5 max-md:empty:hidden max-md:[&_a]:px-2 max-md:[&_label]:mr-2 max-md:[&_label]:shrink-0 max-md:[&_label]:whitespace-nowrap max-md:[&_button:not([role])]:px-2'

export function Screen({ title, heading, actions, hasRange = false, children }: ScreenProps) {
  useEffect(() => {
    document.title = `${title} · Plumbline`
  }, [title])
  return (
    <main id="content" tabIndex={-1} className="flex h-full min-w-0 flex-1 flex-col outline-none">
      <header className="flex min-h-14 shrink-0 flex-wrap items-center gap-x-3 gap-y-2 border-b border-line px-4 py-2">
        <h1 className="min-w-36 flex-1 truncate text-title font-semibold tracking-tight max-md:ml-10">
          {heading ?? title}
        </h1>
        {/* On a phone the range is beside the title and the actions are below it, so that all are visible without scrolling. */}
        <div className="flex flex-wrap items-center gap-2 max-md:contents">
          <div className={actionsClass}>{actions}</div>
          {hasRange && <RangePicker />}
        </div>
      </header>
      <div className="flex min-h-0 flex-1 flex-col overflow-auto">{children}</div>
    </main>
  )
}
