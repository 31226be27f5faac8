import type { Member } from '@plumbline/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useChange } from '../../app/api.ts'
import { forgetAnswers, useSession } from '../../app/session.tsx'
import { ConfirmDialog } from '../../ui/overlay/dialog.tsx'
import { useToasts } from '../../ui/overlay/toast.tsx'

interface RemoveMemberDialogProps {
  readonly member: Member | undefined
  readonly isOneself: boolean
  readonly onClose: () => void
}

/** Confirms removing a member, or leaving the workspace. */
export function RemoveMemberDialog({ member, isOneself, onClose }: RemoveMemberDialogProps) {
  const toasts = useToasts()
  const router = useRouter()
  const queries = useQueryClient()
  const { workspaceName } = useSession()
  const remove = useChange('members.delete', {
    refreshes: isOneself ? [] : ['members.list'],
    onDone: () => {
      onClose()
      if (!isOneself) return toasts.done(`Removed "${member?.name ?? ''}"`)
      forgetAnswers(queries)
      void router.navigate({ to: '/' })
    },
  })
  return (
    <ConfirmDialog
      isOpen={member !== undefined}
      onClose={onClose}
      title={isOneself ? `Leave ${workspaceName}?` : 'Remove this person?'}
      action={isOneself ? 'Leave' : 'Remove'}
      isBusy={remove.isPending}
      onConfirm={() => member && remove.mutate({ id: member.id })}
    >
      {isOneself ? (
        'You lose access to this workspace until someone invites you again.'
      ) : (
        <>
          <strong className="break-words">{member?.name}</strong> loses access to this workspace. Their work
          is kept, and you can invite them again.
        </>
      )}
    </ConfirmDialog>
  )
}
