import type { Alert } from '@plumbline/sdk'
import { useChange, useRead } from '../app/api.ts'
import { Path } from '../app/path.tsx'
import { Screen } from '../app/screen.tsx'
import { useSession } from '../app/session.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorState } from '../ui/error-state.tsx'
import { SkeletonRows } from '../ui/skeleton.tsx'
import { useToasts } from '../ui/toast.tsx'
import { AlertForm } from './alert-form.tsx'
import { draftOf } from './draft.ts'
import { alertsStep, editAlertRoute } from './routes.ts'

/** Changes an alert; one that fires is resolved where its rule changes. */
export function EditAlertScreen() {
  const { id } = editAlertRoute.useParams()
  const query = useRead('alerts.get', { id })
  const { may } = useSession()
  const alert = query.data?.alert
  return (
    <Screen
      title={`Edit ${alert?.name ?? 'alert'}`}
      heading={
        <Path
          above={[alertsStep, { label: alert?.name ?? '…', link: { to: '/alerts/$id', params: { id } } }]}
        >
          Edit
        </Path>
      }
      hasRange
    >
      {query.isError && alert === undefined ? (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      ) : alert === undefined ? (
        <SkeletonRows />
      ) : may('editor') ? (
        <Editor key={alert.id} alert={alert} />
      ) : (
        <EmptyState title="You can view alerts but not edit them">
          Ask an admin for the editor role.
        </EmptyState>
      )}
    </Screen>
  )
}

function Editor({ alert }: { readonly alert: Alert }) {
  const navigate = editAlertRoute.useNavigate()
  const toasts = useToasts()
  const goBack = (): void => void navigate({ to: '/alerts/$id', params: { id: alert.id } })
  const update = useChange('alerts.update', {
    refreshes: ['alerts.list', 'alerts.get', 'alerts.history'],
    showsErrors: true,
    onDone: ({ alert: saved }) => {
      toasts.done(`Saved "${saved.name}"`)
      goBack()
    },
  })
  return (
    <AlertForm
      initial={draftOf(alert)}
      action="Save"
      noteOf={() =>
        alert.state === 'firing'
          ? 'This alert is firing. Changing the rule resolves it and starts over.'
          : null
      }
      error={update.error}
      isBusy={update.isPending}
      onSave={(input) => update.mutate({ ...input, id: alert.id })}
      onCancel={goBack}
    />
  )
}
