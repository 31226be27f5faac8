/** API keys: created for one purpose, shown once, revoked permanently. */
import type { ApiKey } from '@plumbline/sdk'
import { KeyRound, Plus } from 'lucide-react'
import { useMemo, useState } from 'react'
import { useRead } from '../../app/api.ts'
import { DeleteDialog } from '../../app/delete-dialog.tsx'
import { useCommands } from '../../app/palette/commands.tsx'
import { useSession } from '../../app/session.tsx'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { LabelledCheckbox } from '../../ui/form/checkbox.tsx'
import { lateDialog } from '../../ui/overlay/late-dialog.tsx'
import { ListTab } from '../../ui/table/list-tab.tsx'
import { keysRoute } from '../routes.ts'
import { keyColumns } from './key-columns.tsx'

const NewKeyDialog = lateDialog(async () => (await import('./new-key-dialog.tsx')).NewKeyDialog)

export function KeysTab() {
  const { sort, all } = keysRoute.useSearch()
  const navigate = keysRoute.useNavigate()
  const keys = useRead('keys.list', {})
  const { may } = useSession()
  const mayChange = may('admin')
  const [isMaking, setMaking] = useState(false)
  const [revoking, setRevoking] = useState<ApiKey>()
  const columns = useMemo(() => keyColumns(mayChange ? setRevoking : undefined), [mayChange])
  const rows = useMemo(
    () => keys.data?.apiKeys.filter(({ revokedAt }) => all === true || revokedAt === undefined),
    [keys.data, all],
  )
  useCommands(
    mayChange ? [{ label: 'New API key', words: 'create token secret', run: () => setMaking(true) }] : [],
  )
  const newKey = mayChange && (
    <Button look="primary" icon={<Plus aria-hidden size={14} />} onClick={() => setMaking(true)}>
      New API key
    </Button>
  )
  return (
    <>
      <ListTab
        intro="Applications authenticate with an API key. Give each its own key, with only the scopes it needs."
        actions={
          <div className="flex flex-wrap items-center gap-4">
            <LabelledCheckbox
              label="Show revoked keys"
              isChecked={all === true}
              onChange={(isOn) =>
                void navigate({ search: (previous) => ({ ...previous, all: isOn ? true : undefined }) })
              }
            />
            {newKey}
          </div>
        }
        label="API keys"
        columns={columns}
        rows={rows}
        answer={keys}
        sort={sort}
        onSort={(next) => void navigate({ search: (previous) => ({ ...previous, sort: next }) })}
        empty={
          <EmptyState icon={<KeyRound size={20} />} title="No API keys yet" action={newKey}>
            Applications need a key to record traces and fetch prompts.
          </EmptyState>
        }
      />
      <NewKeyDialog isOpen={isMaking} onClose={() => setMaking(false)} />
      <DeleteDialog
        item={revoking}
        noun="API key"
        action="Revoke"
        operation="keys.delete"
        toInput={({ id }) => ({ id })}
        nameOf={({ name }) => name}
        refreshes={['keys.list']}
        onClose={() => setRevoking(undefined)}
      >
        Applications that use <strong className="break-words">{revoking?.name}</strong> stop working within
        five seconds and need another key. This cannot be undone.
      </DeleteDialog>
    </>
  )
}
