/** The channels that alerts notify. */
import type { Channel } from '@plumbline/sdk'
import { Megaphone, Plus } from 'lucide-react'
import { useMemo, useState } from 'react'
import { useRead } from '../../app/api.ts'
import { DeleteDialog } from '../../app/delete-dialog.tsx'
import { useCommands } from '../../app/palette/commands.tsx'
import { useSession } from '../../app/session.tsx'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { lateDialog } from '../../ui/overlay/late-dialog.tsx'
import { ListTab } from '../../ui/table/list-tab.tsx'
import { alertsRoute } from '../routes.ts'
import { channelColumns } from './channel-columns.tsx'
import { ChannelTestDialog } from './channel-test-dialog.tsx'

const ChannelDialog = lateDialog(async () => (await import('./channel-dialog.tsx')).ChannelDialog)

export function ChannelsTab() {
  const { sort } = alertsRoute.useSearch()
  const navigate = alertsRoute.useNavigate()
  const list = useRead('channels.list', {})
  const { may } = useSession()
  const mayChange = may('admin')
  const [editing, setEditing] = useState<Channel | 'new'>()
  const [testing, setTesting] = useState<Channel>()
  const [deleting, setDeleting] = useState<Channel>()
  const columns = useMemo(
    () =>
      channelColumns(
        mayChange ? { onTest: setTesting, onEdit: setEditing, onDelete: setDeleting } : undefined,
      ),
    [mayChange],
  )
  useCommands(
    mayChange
      ? [{ label: 'New channel', words: 'alert webhook slack email', run: () => setEditing('new') }]
      : [],
  )
  const rows = list.data?.channels
  const add = mayChange && (
    <Button look="primary" icon={<Plus aria-hidden size={14} />} onClick={() => setEditing('new')}>
      New channel
    </Button>
  )
  return (
    <>
      <ListTab
        intro="Alerts notify these channels when they fire and when they are resolved. Messages contain figures and a link, never trace content."
        actions={rows !== undefined && rows.length > 0 && add}
        label="Channels"
        columns={columns}
        rows={rows}
        answer={list}
        sort={sort}
        onSort={(next) => void navigate({ search: (previous) => ({ ...previous, sort: next }) })}
        empty={
          <EmptyState icon={<Megaphone size={20} />} title="No channels yet" action={add}>
            {mayChange ? 'Send alerts to a webhook, a chat or e-mail addresses.' : 'Ask an admin to add one.'}
          </EmptyState>
        }
      />
      <ChannelDialog
        subject={editing}
        sendsEmail={list.data?.sendsEmail ?? false}
        onClose={() => setEditing(undefined)}
        onSaved={(channel) => {
          setEditing(undefined)
          setTesting(channel)
        }}
      />
      <ChannelTestDialog channel={testing} onClose={() => setTesting(undefined)} />
      <DeleteDialog
        item={deleting}
        noun="channel"
        operation="channels.delete"
        toInput={({ id }) => ({ id })}
        nameOf={({ name }) => name}
        refreshes={['channels.list', 'alerts.list', 'alerts.get']}
        onClose={() => setDeleting(undefined)}
      >
        Alerts no longer notify <strong className="break-words">{deleting?.name}</strong>, and pending
        messages are dropped.
      </DeleteDialog>
    </>
  )
}
