/** When alerts fired and were resolved, newest first, with their notifications. */
import type { AlertEvent } from '@plumbline/sdk'
import { Link } from '@tanstack/react-router'
import { History } from 'lucide-react'
import { type Output, usePages } from '../app/api.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorState } from '../ui/error-state.tsx'
import { SkeletonRows } from '../ui/skeleton.tsx'
import { ExactTime, RelativeTime } from '../ui/text/values.tsx'
import { measures } from './measures.ts'
import { NotificationLine } from './notification-line.tsx'

/** A notification being sent succeeds or fails within moments. */
const refreshMs = (answer: Output<'alerts.history'> | undefined): number =>
  answer?.events.some(isBeingNotified) ? 1500 : 15_000

const isBeingNotified = ({ notifications }: AlertEvent): boolean =>
  notifications.some(
    ({ status, nextAt, attempts }) => status === 'waiting' && (nextAt === null || attempts === 0),
  )

/** Limits the list to one alert. */
export function EventList({ alertId }: { readonly alertId?: string }) {
  const history = usePages(
    'alerts.history',
    { limit: 50, ...(alertId !== undefined && { alertId }) },
    'events',
    { refreshMs },
  )
  if (history.isError && history.data === undefined)
    return <ErrorState error={history.error} onRetry={() => void history.refetch()} />
  if (history.data === undefined) return <SkeletonRows />
  if (history.items.length === 0)
    return (
      <EmptyState icon={<History size={20} />} title="No alert history yet">
        Each time an alert fires or is resolved, it appears here with the notifications that were sent.
      </EmptyState>
    )
  return (
    <section aria-label="History" className="flex flex-col">
      <ol>
        {history.items.map((event) => (
          <EventEntry key={event.id} event={event} isNamed={alertId === undefined} />
        ))}
      </ol>
      {history.hasNextPage && (
        <div className="p-4">
          <Button isBusy={history.isFetchingNextPage} onClick={history.loadMore}>
            Show earlier
          </Button>
        </div>
      )}
    </section>
  )
}

function EventEntry({ event, isNamed }: { readonly event: AlertEvent; readonly isNamed: boolean }) {
  const { alertId, alertName, type, at: time, value, measure, summary, notifications } = event
  return (
    <li className="grid grid-cols-[88px_1fr] gap-x-3 gap-y-1 border-b border-line px-4 py-3">
      <span>
        <Badge tone={type === 'firing' ? 'bad' : 'good'}>{type === 'firing' ? 'Firing' : 'Resolved'}</Badge>
      </span>
      <div className="flex min-w-0 flex-col gap-1">
        <div className="flex flex-wrap items-baseline gap-x-3 text-sm">
          {isNamed && (
            <Link
              to="/alerts/$id"
              params={{ id: alertId }}
              dir="auto"
              className="font-medium break-words hover:underline"
            >
              {alertName}
            </Link>
          )}
          <span className="text-ink-2">
            <ExactTime time={time} /> · <RelativeTime time={time} />
          </span>
          {value !== null && <span className="numbers text-ink-2">{measures[measure].format(value)}</span>}
        </div>
        <p dir="auto" className="text-sm break-words">
          {summary}
        </p>
        {notifications.length > 0 && (
          <ul aria-label="Messages" className="flex flex-col gap-1 pt-1">
            {notifications.map((notification) => (
              <NotificationLine key={notification.id} notification={notification} />
            ))}
          </ul>
        )}
      </div>
    </li>
  )
}
