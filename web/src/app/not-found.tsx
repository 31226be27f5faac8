import { Link } from '@tanstack/react-router'
import { Compass } from 'lucide-react'
import { buttonClass } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'

/** The state of a screen whose URL matches nothing. */
export function NotFound() {
  return (
    <EmptyState
      icon={<Compass size={20} />}
      title="Page not found"
      action={
        <Link to="/traces" className={buttonClass('primary')}>
          Go to Traces
        </Link>
      }
    >
      It may have been deleted, or the link may be incomplete.
    </EmptyState>
  )
}

/** The same as a full page. */
export function NotFoundPage() {
  return (
    <main className="grid min-h-full place-items-center">
      <h1 className="sr-only">Not found</h1>
      <NotFound />
    </main>
  )
}
