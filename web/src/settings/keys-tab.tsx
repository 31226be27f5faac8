/** API keys: made with a purpose, shown once, revoked for good. */
import type { ApiKey } from '@plumbline/sdk'
import { KeyRound, Plus } from 'lucide-react'
import { useMemo, useState } from 'react'
import { useChange, useRead } from '../app/api.ts'
import { useCommands } from '../app/commands.tsx'
import { useSession } from '../app/session.tsx'
import { Button } from '../ui/button.tsx'
import { LabelledCheckbox } from '../ui/checkbox.tsx'
import { ConfirmDialog } from '../ui/dialog.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { ListTab } from '../ui/list-tab.tsx'
import { useToasts } from '../ui/toast.tsx'
import { keyColumns } from './key-columns.tsx'
import { NewKeyDialog } from './new-key-dialog.tsx'
import { keysRoute } from './routes.ts'

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
                void navigate({ search: (before) => ({ ...before, all: isOn ? true : undefined }) })
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
        onSort={(next) => void navigate({ search: (before) => ({ ...before, sort: next }) })}
        empty={
          <EmptyState icon={<KeyRound size={20} />} title="No API keys yet" action={newKey}>
            Applications need a key to record traces and fetch prompts.
          </EmptyState>
        }
      />
      <NewKeyDialog isOpen={isMaking} onClose={() => setMaking(false)} />
      <RevokeDialog apiKey={revoking} onClose={() => setRevoking(undefined)} />
    </>
  )
}

interface RevokeDialogProps {
  readonly apiKey: ApiKey | undefined
  readonly onClose: () => void
}

function RevokeDialog({ apiKey, onClose }: RevokeDialogProps) {
  const toasts = useToasts()
  const revoke = useChange('keys.delete', {
    refreshes: ['keys.list'],
    onDone: () => {
      toasts.done(`Revoked "${apiKey?.name ?? ''}"`)
      onClose()
    },
  })
  return (
    <ConfirmDialog
      isOpen={apiKey !== undefined}
      onClose={onClose}
      title="Revoke this API key?"
      action="Revoke"
      isBusy={revoke.isPending}
      onConfirm={() => apiKey && revoke.mutate({ id: apiKey.id })}
    >
      Applications that use <strong className="break-words">{apiKey?.name}</strong> stop working within five
      seconds and need another key. This cannot be undone.
    </ConfirmDialog>
  )
}
