/** Alerts and their state, their history, and their channels. */
import type { Alert, Channel } from '@plumbline/sdk'
import { Link } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { lazy, Suspense, useMemo } from 'react'
import { useRead } from '../app/api.ts'
import { useCommands } from '../app/palette/commands.tsx'
import { Screen } from '../app/screen.tsx'
import { useSession } from '../app/session.tsx'
import { Badge } from '../ui/badge.tsx'
import { buttonClass } from '../ui/button.tsx'
import { ErrorState } from '../ui/error-state.tsx'
import { useShortcuts } from '../ui/shortcuts.tsx'
import { SkeletonRows } from '../ui/skeleton.tsx'
import { DataTable } from '../ui/table/data-table.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { useNarrow } from '../ui/use-width.ts'
import { alertColumns, narrowColumns } from './alert-columns.tsx'
import { NoAlerts } from './no-alerts.tsx'
import { alertsRoute } from './routes.ts'

const HistoryTab = lazy(async () => ({ default: (await import('./history-tab.tsx')).HistoryTab }))
const ChannelsTab = lazy(async () => ({ default: (await import('./channels/channels-tab.tsx')).ChannelsTab }))

const rowId = ({ id }: Alert): string => id
export const refreshMs = 15_000
const wideMinPx = 640

export function AlertsScreen() {
  const { view = 'alerts' } = alertsRoute.useSearch()
  const navigate = alertsRoute.useNavigate()
  const list = useRead('alerts.list', {}, { refreshMs })
  const channels = useRead('channels.list', {})
  const { may } = useSession()
  const alerts = list.data?.alerts
  const channelList = channels.data?.channels
  const disabledChannels = (channelList ?? []).filter(({ problem }) => problem !== null).length
  const firing = (alerts ?? []).filter(({ state }) => state === 'firing').length
  const create = (): void => void navigate({ to: '/alerts/new', search: {} })
  useCommands(may('editor') ? [{ label: 'New alert', words: 'create watch notify', run: create }] : [])
  useShortcuts(may('editor') ? [{ keys: 'c', label: 'New alert', onPress: create }] : [])
  const newAlert = may('editor') && view !== 'channels' && alerts !== undefined && alerts.length > 0 && (
    <Link to="/alerts/new" search={{}} className={buttonClass('primary')}>
      <Plus aria-hidden size={14} /> New alert
    </Link>
  )
  return (
    <Screen title="Alerts" actions={newAlert}>
      <Tabs
        label="Alerts, their history and their channels"
        tabs={[
          { value: 'alerts', label: <CountLabel label="Alerts" count={firing} title="firing" /> },
          { value: 'history', label: 'History' },
          {
            value: 'channels',
            label: <CountLabel label="Channels" count={disabledChannels} title="disabled" />,
          },
        ]}
        value={view}
        onChange={(next) => void navigate({ search: next === 'alerts' ? {} : { view: next } })}
      >
        <Suspense fallback={<SkeletonRows />}>
          {view === 'history' ? (
            <HistoryTab />
          ) : view === 'channels' ? (
            <ChannelsTab />
          ) : list.isError && alerts === undefined ? (
            <ErrorState error={list.error} onRetry={() => void list.refetch()} />
          ) : (
            <AlertList alerts={alerts} channels={channelList} />
          )}
        </Suspense>
      </Tabs>
    </Screen>
  )
}

interface AlertListProps {
  readonly alerts: readonly Alert[] | undefined
  readonly channels: readonly Channel[] | undefined
}

function AlertList({ alerts, channels }: AlertListProps) {
  const { sort = 'state' } = alertsRoute.useSearch()
  const navigate = alertsRoute.useNavigate()
  const { place, isNarrow } = useNarrow(wideMinPx)
  const columns = useMemo(
    () => alertColumns(new Map((channels ?? []).map(({ id, name }) => [id, name])), isNarrow),
    [channels, isNarrow],
  )
  return (
    <div ref={place} className="flex h-full flex-col">
      <DataTable
        label="Alerts"
        columns={columns}
        {...(isNarrow && { columnIds: narrowColumns })}
        rows={alerts}
        rowId={rowId}
        hasTwoLines={isNarrow}
        sort={sort}
        onSort={(next) => void navigate({ search: (previous) => ({ ...previous, sort: next }) })}
        onOpen={({ id }) => void navigate({ to: '/alerts/$id', params: { id } })}
        empty={<NoAlerts />}
      />
    </div>
  )
}

interface CountLabelProps {
  readonly label: string
  readonly count: number
  readonly title: string
}

const CountLabel = ({ label, count, title }: CountLabelProps) => (
  <span className="flex items-center gap-1.5">
    {label}
    {count > 0 && (
      <Badge tone="bad" title={title}>
        {count} {title}
      </Badge>
    )}
  </span>
)
