/** One alert: its state, the values of its window, and its history. */
import type { Alert } from '@plumbline/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { BellOff, Ellipsis, Pencil } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { type Output, refresh, useChange, useRead } from '../app/api.ts'
import { useCommands } from '../app/palette/commands.tsx'
import { Path } from '../app/path.tsx'
import { rangeInput, useRange } from '../app/range/use-range.ts'
import { Screen } from '../app/screen.tsx'
import { useSession } from '../app/session.tsx'
import { Button, IconButton } from '../ui/button.tsx'
import { ErrorState } from '../ui/error-state.tsx'
import { ConfirmDialog } from '../ui/overlay/dialog.tsx'
import { Menu } from '../ui/overlay/menu.tsx'
import { useToasts } from '../ui/overlay/toast.tsx'
import { useShortcuts } from '../ui/shortcuts.tsx'
import { Skeleton, SkeletonRows } from '../ui/skeleton.tsx'
import { ExactTime, RelativeTime } from '../ui/text/values.tsx'
import { previewInput, ruleInput, valuesOf } from './alert-values.ts'
import { EventList } from './event-list.tsx'
import { formatMinutes, measures } from './measures.ts'
import { PreviewChart } from './preview-chart.tsx'
import { alertRoute, alertsStep } from './routes.ts'
import { snoozeItems } from './snooze.ts'
import { StateBadge, useIsMuted } from './state-badge.tsx'

/** A new alert is checked within moments. */
const refreshMs = (answer: Output<'alerts.get'> | undefined): number =>
  answer?.alert.checkedAt === null ? 1000 : 15_000

export function AlertScreen() {
  const { id } = alertRoute.useParams()
  const query = useRead('alerts.get', { id }, { refreshMs })
  const alert = query.data?.alert
  const queries = useQueryClient()
  const since = alert?.since
  // The history shows each state change too.
  useEffect(() => {
    if (since != null) void refresh(queries, ['alerts.history', 'alerts.list'])
  }, [queries, since])
  return (
    <Screen
      title={alert?.name ?? 'Alert'}
      heading={<Path parents={[alertsStep]}>{alert?.name ?? '…'}</Path>}
      hasRange
      actions={alert !== undefined && <Actions alert={alert} />}
    >
      {query.isError && alert === undefined ? (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      ) : alert === undefined ? (
        <SkeletonRows />
      ) : (
        <>
          <Facts alert={alert} />
          <Course alert={alert} />
          <EventList alertId={alert.id} />
        </>
      )}
    </Screen>
  )
}

function Actions({ alert }: { readonly alert: Alert }) {
  const { id, name, isEnabled } = alert
  const navigate = alertRoute.useNavigate()
  const toasts = useToasts()
  const { may } = useSession()
  const isMuted = useIsMuted(alert)
  const [isDeleting, setDeleting] = useState(false)
  const update = useChange('alerts.update', { refreshes: ['alerts.get', 'alerts.list', 'alerts.history'] })
  const remove = useChange('alerts.delete', {
    refreshes: ['alerts.list'],
    onDone: () => {
      toasts.done(`Deleted "${name}"`)
      void navigate({ to: '/alerts', search: {} })
    },
  })
  const edit = (): void => void navigate({ to: '/alerts/$id/edit', params: { id } })
  const mayChange = may('editor')
  useCommands(mayChange ? [{ label: `Edit ${name}`, keys: 'e', run: edit }] : [])
  useShortcuts(mayChange ? [{ keys: 'e', label: 'Edit the alert', onPress: edit }] : [])
  if (!mayChange) return null
  return (
    <>
      <Menu
        trigger={
          <Button icon={<BellOff aria-hidden size={14} />} isBusy={update.isPending}>
            {isMuted ? 'Snoozed' : 'Snooze'}
          </Button>
        }
        items={snoozeItems({
          isMuted,
          onMute: (mutedUntil) => update.mutate({ id, mutedUntil }),
        })}
      />
      <Button icon={<Pencil aria-hidden size={14} />} onClick={edit}>
        Edit
      </Button>
      <Menu
        trigger={
          <IconButton label={`More for ${name}`}>
            <Ellipsis aria-hidden size={16} />
          </IconButton>
        }
        items={[
          {
            label: isEnabled ? 'Disable' : 'Enable',
            onSelect: () => update.mutate({ id, isEnabled: !isEnabled }),
          },
          { label: 'Delete…', isDangerous: true, startsGroup: true, onSelect: () => setDeleting(true) },
        ]}
      />
      <ConfirmDialog
        isOpen={isDeleting}
        onClose={() => setDeleting(false)}
        title="Delete this alert?"
        action="Delete"
        isBusy={remove.isPending}
        onConfirm={() => remove.mutate({ id })}
      >
        <strong className="break-words">{name}</strong> will no longer be checked. If it is firing, it is
        resolved and its channels are notified. Its history is kept.
      </ConfirmDialog>
    </>
  )
}

function Facts({ alert }: { readonly alert: Alert }) {
  const { summary, measure, value, samples, since, checkedAt, everyMinutes, note, problem, mutedUntil } =
    alert
  const channels = useRead('channels.list', {}).data?.channels ?? []
  const isMuted = useIsMuted(alert)
  const channelNames = alert.channelIds
    .map((id) => {
      const channel = channels.find((candidate) => candidate.id === id)
      return channel === undefined ? '…' : channel.isEnabled ? channel.name : `${channel.name} (disabled)`
    })
    .join(', ')
  return (
    <section aria-label="Status" className="flex shrink-0 flex-col gap-3 border-b border-line p-4">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <StateBadge {...alert} />
        <span dir="auto" className="text-base break-words">
          {summary}
        </span>
      </div>
      <dl className="grid grid-cols-5 gap-4 max-lg:grid-cols-3 max-sm:grid-cols-2">
        <Fact label="Value">
          {value === null ? (
            <span className="text-ink-3">No data</span>
          ) : (
            <span className="numbers" title={`${samples} samples`}>
              {measures[measure].format(value)}
            </span>
          )}
        </Fact>
        <Fact label="Since">
          <RelativeTime time={since} />
        </Fact>
        <Fact label="Last checked">
          <RelativeTime time={checkedAt} />
        </Fact>
        <Fact label="Check interval">{formatMinutes(everyMinutes)}</Fact>
        <Fact label="Notifies">
          {channelNames === '' ? (
            <span className="text-ink-3">Nobody</span>
          ) : (
            <span className="break-words">{channelNames}</span>
          )}
        </Fact>
      </dl>
      {problem !== null && <p className="text-sm text-warn">{problem}</p>}
      {isMuted && (
        <p className="text-sm text-ink-2">
          Snoozed until <ExactTime time={mutedUntil} />: no notifications until then.
        </p>
      )}
      {note !== null && (
        <p dir="auto" className="prose-width text-sm break-words whitespace-pre-wrap text-ink-2">
          {note}
        </p>
      )}
    </section>
  )
}

const Fact = ({ label, children }: { readonly label: string; readonly children: ReactNode }) => (
  <div className="min-w-0">
    <dt className="text-xs text-ink-3">{label}</dt>
    <dd className="text-sm">{children}</dd>
  </div>
)

/** The values that today's rule would have measured. */
function Course({ alert }: { readonly alert: Alert }) {
  const { range, setRange } = useRange()
  const rule = ruleInput(valuesOf(alert))
  const preview = useRead('alerts.preview', { ...previewInput(rule), ...rangeInput(range) })
  return (
    <section aria-label="Value over time" className="shrink-0 border-b border-line p-4">
      {preview.isError && preview.data === undefined ? (
        <ErrorState error={preview.error} onRetry={() => void preview.refetch()} />
      ) : preview.data === undefined ? (
        <Skeleton className="h-45 w-full" />
      ) : (
        <PreviewChart
          preview={preview.data}
          rule={alert}
          height={180}
          onZoom={(start, end) => setRange([start, end])}
        />
      )}
    </section>
  )
}
