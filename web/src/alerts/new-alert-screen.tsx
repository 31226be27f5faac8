import schema from '@plumbline/sdk/input-schemas?alerts.create'
import { Link } from '@tanstack/react-router'
import { Path } from '../app/path.tsx'
import { Screen } from '../app/screen.tsx'
import { useSession } from '../app/session.tsx'
import { useOperationForm } from '../app/use-operation-form.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { useToasts } from '../ui/overlay/toast.tsx'
import { SkeletonRows } from '../ui/skeleton.tsx'
import { AlertForm } from './alert-form.tsx'
import { type AlertValues, alertInput, checkRule, newAlert } from './alert-values.ts'
import { alertsStep, newAlertRoute } from './routes.ts'
import { describeStart, isStartingPoint, startingPoints } from './starting-points.ts'
import { useStartingPoints } from './use-starting-points.ts'

/** Creates an alert, from scratch or from a starting point that fits the last days. */
export function NewAlertScreen() {
  const { start: startName } = newAlertRoute.useSearch()
  const start = isStartingPoint(startName) ? startName : undefined
  const { may } = useSession()
  const values = useStartingPoints()
  return (
    <Screen title="New alert" heading={<Path parents={[alertsStep]}>New</Path>} hasRange>
      {!may('editor') ? (
        <EmptyState title="You can view alerts but not edit them">
          Ask an admin for the editor role.
        </EmptyState>
      ) : values === undefined ? (
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
                search={(previous) => ({ ...previous, start: point })}
                aria-current={start === point ? 'true' : undefined}
                className="rounded-sm border border-line-strong px-2 py-0.5 hover:bg-hover aria-[current=true]:border-accent aria-[current=true]:bg-selected aria-[current=true]:text-accent-ink"
              >
                {describeStart(point, values[point])}
              </Link>
            ))}
          </nav>
          <NewAlert
            key={start ?? 'empty'}
            name={`new/${start ?? ''}`}
            initial={start === undefined ? newAlert : values[start]}
          />
        </>
      )}
    </Screen>
  )
}

function NewAlert({ name, initial }: { readonly name: string; readonly initial: AlertValues }) {
  const navigate = newAlertRoute.useNavigate()
  const toasts = useToasts()
  const { ownPlace } = useSession()
  const form = useOperationForm('alerts.create', {
    schema,
    initial,
    draftName: `alert.${ownPlace}/${name}`,
    check: checkRule,
    toInput: alertInput,
    refreshes: ['alerts.list'],
    onDone: ({ alert }) => {
      toasts.done(`Created "${alert.name}"`)
      void navigate({ to: '/alerts/$id', params: { id: alert.id } })
    },
  })
  return (
    <AlertForm form={form} action="Create" onCancel={() => void navigate({ to: '/alerts', search: {} })} />
  )
}
