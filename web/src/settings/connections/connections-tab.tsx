/** Connections to model providers, for the playground and for LLM evaluators. */
import type { Connection } from '@plumbline/sdk'
import { Plug, Plus } from 'lucide-react'
import { useMemo, useState } from 'react'
import { useRead } from '../../app/api.ts'
import { DeleteDialog } from '../../app/delete-dialog.tsx'
import { useCommands } from '../../app/palette/commands.tsx'
import { useSession } from '../../app/session.tsx'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { lateDialog } from '../../ui/overlay/late-dialog.tsx'
import { ListTab } from '../../ui/table/list-tab.tsx'
import { connectionsRoute } from '../routes.ts'
import { connectionColumns } from './connection-columns.tsx'
import { ConnectionTestDialog } from './connection-test-dialog.tsx'

const ConnectionDialog = lateDialog(async () => (await import('./connection-dialog.tsx')).ConnectionDialog)

/** Polls, since spending grows in the background. */
const refreshMs = 10_000

export function ConnectionsTab() {
  const { sort } = connectionsRoute.useSearch()
  const navigate = connectionsRoute.useNavigate()
  const connections = useRead('connections.list', {}, { refreshMs })
  const { may } = useSession()
  const mayChange = may('admin')
  const [editing, setEditing] = useState<Connection | 'new'>()
  const [testing, setTesting] = useState<Connection>()
  const [deleting, setDeleting] = useState<Connection>()
  const columns = useMemo(
    () =>
      connectionColumns(
        mayChange ? { onTest: setTesting, onEdit: setEditing, onDelete: setDeleting } : undefined,
      ),
    [mayChange],
  )
  useCommands(
    mayChange
      ? [{ label: 'New connection', words: 'model provider llm key', run: () => setEditing('new') }]
      : [],
  )
  const rows = connections.data?.connections
  const add = mayChange && (
    <Button look="primary" icon={<Plus aria-hidden size={14} />} onClick={() => setEditing('new')}>
      New connection
    </Button>
  )
  return (
    <>
      <ListTab
        intro="Used by the playground and LLM evaluators to call model providers. Your applications call models directly."
        actions={rows !== undefined && rows.length > 0 && add}
        label="Connections"
        columns={columns}
        rows={rows}
        answer={connections}
        sort={sort}
        onSort={(next) => void navigate({ search: (previous) => ({ ...previous, sort: next }) })}
        empty={
          <EmptyState icon={<Plug size={20} />} title="No connections yet" action={add}>
            {mayChange
              ? 'Add the API key of a model provider to run prompts in the playground and use LLM evaluators.'
              : 'Ask an admin to add one.'}
          </EmptyState>
        }
      />
      <ConnectionDialog
        subject={editing}
        onClose={() => setEditing(undefined)}
        onSaved={(connection) => {
          setEditing(undefined)
          setTesting(connection)
        }}
      />
      <ConnectionTestDialog connection={testing} onClose={() => setTesting(undefined)} />
      <DeleteDialog
        item={deleting}
        noun="connection"
        operation="connections.delete"
        toInput={({ id }) => ({ id })}
        nameOf={({ name }) => name}
        refreshes={['connections.list']}
        onClose={() => setDeleting(undefined)}
      >
        The playground and evaluators that use <strong className="break-words">{deleting?.name}</strong> will
        stop working, and its key is deleted.
      </DeleteDialog>
    </>
  )
}
