import { type Account, RequestFailed } from '@plumbline/sdk'
import { useState } from 'react'
import { useChange } from '../../app/api.ts'
import { ConfirmDialog } from '../../ui/overlay/dialog.tsx'
import { useToasts } from '../../ui/overlay/toast.tsx'

/** The action on an account that an operator must confirm. */
export interface AccountQuestion {
  readonly type: 'lock' | 'delete'
  readonly account: Account
}

interface AccountDialogProps {
  readonly question: AccountQuestion | undefined
  readonly onClose: () => void
}

/** Confirms locking or deleting an account, and asks again if workspaces would lose their only owner. */
export function AccountDialog({ question, onClose }: AccountDialogProps) {
  const [refusal, setRefusal] = useState<{ readonly question: AccountQuestion; readonly sentence: string }>()
  // Of the account in the question.
  const orphaned = refusal?.question === question ? refusal?.sentence : undefined
  const toasts = useToasts()
  const { type, account } = question ?? {}
  const options = {
    refreshes: ['accounts.list', 'members.list', 'session.get'] as const,
    showsErrors: true,
    onDone: () => {
      onClose()
      toasts.done(`${type === 'lock' ? 'Locked' : 'Deleted'} the account of ${account?.name ?? ''}`)
    },
  }
  const lock = useChange('accounts.lock', options)
  const remove = useChange('accounts.delete', options)
  const confirm = (): void => {
    if (question === undefined || account === undefined) return
    const input = { id: account.id, ...(orphaned === undefined ? {} : { takeOver: true }) }
    const onError = (error: unknown): void => {
      if (error instanceof RequestFailed && error.status === 409)
        setRefusal({ question, sentence: error.message })
      else toasts.fail(error)
    }
    if (type === 'lock') lock.mutate(input, { onError })
    else remove.mutate(input, { onError })
  }
  return (
    <ConfirmDialog
      isOpen={question !== undefined}
      onClose={onClose}
      title={type === 'lock' ? 'Lock this account?' : 'Delete this account?'}
      action={`${orphaned === undefined ? '' : 'Take over and '}${type ?? 'lock'}`.replace(/^./, (first) =>
        first.toUpperCase(),
      )}
      isBusy={lock.isPending || remove.isPending}
      onConfirm={confirm}
    >
      {orphaned === undefined ? (
        <>
          <strong className="break-words">{account?.name}</strong>{' '}
          {type === 'lock'
            ? 'is signed out everywhere and cannot sign in until you unlock the account. Their API keys keep working.'
            : 'is signed out everywhere and removed from every workspace. Their name stays on their work. This cannot be undone.'}
        </>
      ) : (
        <span role="alert">{orphaned} You become its owner if you take it over.</span>
      )}
    </ConfirmDialog>
  )
}
