import { X } from 'lucide-react'
import { useChange, useRead } from '../../app/api.ts'
import { Badge } from '../../ui/badge.tsx'
import { IconButton } from '../../ui/button.tsx'
import { useToasts } from '../../ui/overlay/toast.tsx'
import { RelativeTime } from '../../ui/text/values.tsx'

/** The pending invitations; absent if there are none. */
export function InvitationList() {
  const invitations = useRead('invitations.list', {}).data?.invitations ?? []
  const toasts = useToasts()
  const withdraw = useChange('invitations.delete', {
    refreshes: ['invitations.list'],
    onDone: () => toasts.done('The link no longer works'),
  })
  if (invitations.length === 0) return null
  return (
    <section aria-label="Invitations" className="shrink-0 border-t border-line">
      <h2 className="px-4 py-2 text-sm font-medium">Pending invitations</h2>
      <ul className="max-h-64 overflow-y-auto">
        {invitations.map(({ id, email, role, expiresAt }) => (
          <li key={id} className="flex h-(--row) items-center gap-3 border-t border-line px-4 text-sm">
            <span className="min-w-0 flex-1 truncate" title={email}>
              {email}
            </span>
            <Badge>{role}</Badge>
            <span className="text-ink-2">
              expires <RelativeTime time={expiresAt} />
            </span>
            <IconButton
              size="small"
              label={`Revoke the invitation for ${email}`}
              onClick={() => withdraw.mutate({ id })}
            >
              <X aria-hidden size={14} />
            </IconButton>
          </li>
        ))}
      </ul>
    </section>
  )
}
