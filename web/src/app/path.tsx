/** The breadcrumbs of a screen: links to its parents, and its own name. */
import { Link, type LinkProps } from '@tanstack/react-router'
import { ChevronLeft } from 'lucide-react'
import { Fragment, type ReactNode } from 'react'

export interface PathStep {
  readonly label: string
  readonly link: LinkProps
}

interface PathProps {
  /**
   * The list first. On a phone only the last parent is shown, as an arrow: its label would be truncated to a letter.
   */
  readonly parents: readonly PathStep[]
  readonly children: ReactNode
}

export function Path({ parents, children }: PathProps) {
  return (
    <span className="flex min-w-0 items-center">
      {parents.map(({ label, link }, index) => (
        <Fragment key={label}>
          <Link
            {...link}
            dir="auto"
            title={label}
            className={`min-w-6 shrink-9999 truncate font-normal text-ink-2 hover:text-ink ${index < parents.length - 1 ? 'max-sm:hidden' : 'max-sm:-ml-1 max-sm:shrink-0 max-sm:p-1'}`}
          >
            <ChevronLeft aria-hidden size={20} className="sm:hidden" />
            <span className="max-sm:sr-only">{label}</span>
          </Link>
          <span aria-hidden className="shrink-0 px-1.5 font-normal text-ink-3 max-sm:hidden">
            /
          </span>
        </Fragment>
      ))}
      {typeof children === 'string' ? (
        <span className="truncate" dir="auto" title={children}>
          {children}
        </span>
      ) : (
        children
      )}
    </span>
  )
}
