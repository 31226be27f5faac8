import { Link } from '@tanstack/react-router'
import { useChange } from '../app/api.ts'
import { Path } from '../app/path.tsx'
import { Screen } from '../app/screen.tsx'
import { useSession } from '../app/session.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { SkeletonRows } from '../ui/skeleton.tsx'
import { useToasts } from '../ui/toast.tsx'
import { AlertForm } from './alert-form.tsx'
import { emptyDraft } from './draft.ts'
import { alertsStep, newAlertRoute } from './routes.ts'
import { isStartingPoint, startInWords, startingPoints } from './starting-points.ts'
import { useStartingPoints } from './use-starting-points.ts'

/** Makes an alert, from nothing or from a starting point that fits what was recorded of late. */
export function NewAlertScreen() {
  const { start: startName } = newAlertRoute.useSearch()
  const start = isStartingPoint(startName) ? startName : undefined
  const navigate = newAlertRoute.useNavigate()
  const toasts = useToasts()
  const { may } = useSession()
  const drafts = useStartingPoints()
  const create = useChange('alerts.create', {
    refreshes: ['alerts.list'],
    showsErrors: true,
    onDone: ({ alert }) => {
      toasts.done(`Created "${alert.name}"`)
      void navigate({ to: '/alerts/$id', params: { id: alert.id } })
    },
  })
  return (
    <Screen title="New alert" heading={<Path above={[alertsStep]}>New</Path>} hasRange>
      {!may('editor') ? (
        <EmptyState title="You can view alerts but not edit them">
          Ask an admin for the editor role.
        </EmptyState>
      ) : drafts === undefined ? (
        <SkeletonRows />
      ) : (
        <>
          <nav
            aria-label="Templates"
            className="flex shrink-0 flex-wrap items-center gap-2 border-b border-line px-4 py-2 text-xs text-ink-2"
          >
            Start from a template:
            {startingPoints.map((point) => (
              <Link
                key={point}
                to="/alerts/new"
                search={(before) => ({ ...before, start: point })}
                aria-current={start === point ? 'true' : undefined}
                className="rounded-sm border border-line-strong px-2 py-0.5 hover:bg-hover aria-[current=true]:border-accent aria-[current=true]:bg-selected aria-[current=true]:text-accent-ink"
              >
                {startInWords(point, drafts[point])}
              </Link>
            ))}
          </nav>
          <AlertForm
            key={start ?? 'empty'}
            initial={start === undefined ? emptyDraft : drafts[start]}
            action="Create"
            error={create.error}
            isBusy={create.isPending}
            onSave={(input) => create.mutate(input)}
            onCancel={() => void navigate({ to: '/alerts', search: {} })}
          />
        </>
      )}
    </Screen>
  )
}
