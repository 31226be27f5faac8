import type { Alert } from '@plumbline/sdk'
import schema from '@plumbline/sdk/input-schemas?alerts.update'
import { useRead, useReadLatest } from '../app/api.ts'
import { Path } from '../app/path.tsx'
import { Screen } from '../app/screen.tsx'
import { useSession } from '../app/session.tsx'
import { useOperationForm } from '../app/use-operation-form.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorState } from '../ui/error-state.tsx'
import { useToasts } from '../ui/overlay/toast.tsx'
import { SkeletonRows } from '../ui/skeleton.tsx'
import { AlertForm } from './alert-form.tsx'
import { alertInput, checkRule, valuesOf } from './alert-values.ts'
import { alertsStep, editAlertRoute } from './routes.ts'

/** Changes an alert. A change of the rule resolves a firing alert. */
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
          parents={[alertsStep, { label: alert?.name ?? '…', link: { to: '/alerts/$id', params: { id } } }]}
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
  const readLatest = useReadLatest()
  const toasts = useToasts()
  const { ownPlace } = useSession()
  const { id } = alert
  const goBack = (): void => void navigate({ to: '/alerts/$id', params: { id } })
  const form = useOperationForm('alerts.update', {
    schema,
    initial: valuesOf(alert),
    draftName: `alert.${ownPlace}/${id}`,
    check: checkRule,
    toInput: (values) => ({ ...alertInput(values), id }),
    readLatest: async () => valuesOf((await readLatest('alerts.get', { id })).alert),
    refreshes: ['alerts.list', 'alerts.get', 'alerts.history'],
    onDone: ({ alert: newAlert }) => {
      toasts.done(`Saved "${newAlert.name}"`)
      goBack()
    },
  })
  return (
    <AlertForm
      form={form}
      action="Save"
      note={
        alert.state === 'firing' && 'This alert is firing. Changing the rule resolves it and starts over.'
      }
      onCancel={goBack}
    />
  )
}
