import { ChevronRight } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { classNames } from '../../../ui/class-names.ts'

interface SectionProps {
  readonly title: string
  readonly actions?: ReactNode
  readonly children: ReactNode
  /** Collapsed initially. */
  readonly isFolded?: boolean
  readonly hint?: ReactNode
}

/** A collapsible, titled section of a log's detail. */
export function Section({ title, actions, children, isFolded = false, hint }: SectionProps) {
  // Until the user toggles it, it follows its content.
  const [choice, setChoice] = useState<boolean>()
  const isOpen = choice ?? !isFolded
  return (
    <section aria-label={title} className="border-b border-line">
      <header className="flex min-h-9 items-center gap-2 px-4">
        <h3 className="flex min-w-0 flex-1 items-center text-sm font-medium">
          <button
            type="button"
            aria-expanded={isOpen}
            onClick={() => setChoice(!isOpen)}
            className="-ml-1 flex shrink-0 items-center gap-1 rounded-sm pr-1 hover:text-accent-ink"
          >
            <ChevronRight
              aria-hidden
              size={14}
              className={classNames('shrink-0 text-ink-3 transition-transform', isOpen && 'rotate-90')}
            />
            {title}
          </button>
          {hint !== undefined && <span className="ml-2 truncate text-xs font-normal text-ink-3">{hint}</span>}
        </h3>
        {actions}
      </header>
      {isOpen && <div className="px-4 pb-4">{children}</div>}
    </section>
  )
}
