import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'

/** Where a screen is below all queues. */
export function QueuePath({
  id,
  name,
  last,
}: {
  readonly id?: string
  readonly name: string
  readonly last?: ReactNode
}) {
  const here = (text: ReactNode) => (
    <span dir="auto" className="min-w-0 truncate">
      {text}
    </span>
  )
  return (
    <span className="flex min-w-0 items-baseline gap-2">
      <Link to="/annotation" className="shrink-0 text-ink-2 hover:text-ink max-sm:hidden">
        Annotation
      </Link>
      <span aria-hidden className="text-ink-3 max-sm:hidden">
        /
      </span>
      {id === undefined || last === undefined ? (
        here(name)
      ) : (
        <>
          <Link
            to="/annotation/$id"
            params={{ id }}
            dir="auto"
            className="min-w-0 truncate text-ink-2 hover:text-ink"
            title={name}
          >
            {name}
          </Link>
          <span aria-hidden className="text-ink-3">
            /
          </span>
          <span className="shrink-0">{last}</span>
        </>
      )}
    </span>
  )
}
