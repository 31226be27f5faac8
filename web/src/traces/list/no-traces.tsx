import { Link } from '@tanstack/react-router'
import { ListTree } from 'lucide-react'
import { useRead } from '../../app/api.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'

interface NoTracesProps {
  readonly isFiltered: boolean
  readonly onClear: () => void
  readonly onWiden: () => void
}

/** Why the list is empty, and what leads on: nothing was ever sent, or the filter or the range leaves nothing. */
export function NoTraces({ isFiltered, onClear, onWiden }: NoTracesProps) {
  const any = useRead('traces.list', { limit: 1 }).data?.traces
  if (any === undefined) return null
  if (any.length === 0) {
    return (
      <EmptyState
        icon={<ListTree size={20} />}
        title="No traces yet"
        action={
          <Link to="/get-started" className={buttonClass('primary')}>
            Get started
          </Link>
        }
      >
        Each run of your application becomes a trace here: what it was asked, every call it made, what it
        answered, how long it took and what it cost.
      </EmptyState>
    )
  }
  return (
    <EmptyState
      icon={<ListTree size={20} />}
      title={isFiltered ? 'Nothing matches the filter' : 'Nothing in this range'}
      action={
        <div className="flex gap-2">
          {isFiltered && <Button onClick={onClear}>Clear the filter</Button>}
          <Button onClick={onWiden}>Last 90 days</Button>
        </div>
      }
    >
      {isFiltered
        ? 'No trace in this range has all of it. Take a filter off, or choose a longer range.'
        : 'There are traces, but none that started then.'}
    </EmptyState>
  )
}
