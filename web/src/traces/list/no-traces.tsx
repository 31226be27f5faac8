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

/** Why the list is empty, with a way forward: nothing was ever sent, or nothing matches the filter or the range. */
export function NoTraces({ isFiltered, onClear, onWiden }: NoTracesProps) {
  const newest = useRead('traces.list', { limit: 1 }).data?.traces
  if (newest === undefined) return null
  if (newest.length === 0) {
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
        Each run of your application appears here as a trace: its input, every call it made, its output, how
        long it took and what it cost.
      </EmptyState>
    )
  }
  return (
    <EmptyState
      icon={<ListTree size={20} />}
      title={isFiltered ? 'No traces match the filter' : 'No traces in this range'}
      action={
        <div className="flex gap-2">
          {isFiltered && <Button onClick={onClear}>Clear filter</Button>}
          <Button onClick={onWiden}>Last 90 days</Button>
        </div>
      }
    >
      {isFiltered
        ? 'Remove a filter, or choose a longer range.'
        : 'There are traces, but none that started in this range.'}
    </EmptyState>
  )
}
