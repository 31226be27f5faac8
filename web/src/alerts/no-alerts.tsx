import { Link } from '@tanstack/react-router'
import { BellRing, Plus } from 'lucide-react'
import { useSession } from '../app/session.tsx'
import { buttonClass } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { describeStart, startingPoints } from './starting-points.ts'
import { useStartingPoints } from './use-starting-points.ts'

const reasons = {
  errors: 'Errors from a tool, a provider or a release.',
  cost: '50% more than the most expensive day of the last week.',
  latency: 'Twice last week’s p95, for five minutes.',
  score: '10% below last week’s average.',
  silence: 'No traces arrive: the application or its connection is down.',
} as const

/** Introduces alerts with templates that fit this workspace. */
export function NoAlerts() {
  const { may } = useSession()
  const drafts = useStartingPoints({ enabled: may('editor') })
  if (!may('editor'))
    return (
      <EmptyState icon={<BellRing size={20} />} title="No alerts yet">
        Workspace editors can add alerts on cost, latency, errors, scores and volume.
      </EmptyState>
    )
  return (
    <EmptyState
      icon={<BellRing size={20} />}
      title="No alerts yet"
      action={
        <Link to="/alerts/new" search={{}} className={buttonClass('primary')}>
          <Plus aria-hidden size={14} /> New alert
        </Link>
      }
    >
      <p>
        An alert checks your traces every minute and notifies a channel when a value crosses its threshold.
      </p>
      <ul aria-label="Templates" className="mt-4 flex flex-col gap-2 text-left">
        {startingPoints.map((point) => (
          <li key={point}>
            <Link
              to="/alerts/new"
              search={{ start: point }}
              className="block rounded border border-line px-3 py-2 hover:bg-hover"
            >
              {drafts === undefined ? (
                <Skeleton className="my-1 h-3 w-2/5" />
              ) : (
                <span className="block text-sm font-medium text-ink">
                  {describeStart(point, drafts[point])}
                </span>
              )}
              <span className="block text-xs text-ink-2">{reasons[point]}</span>
            </Link>
          </li>
        ))}
      </ul>
    </EmptyState>
  )
}
