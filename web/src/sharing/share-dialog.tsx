/** The share links of a trace: the active ones, and a form for a new one. */
import type { ShareLink } from '@plumbline/sdk'
import { Link2 } from 'lucide-react'
import { useState } from 'react'
import { useChange, useRead } from '../app/api.ts'
import { Button } from '../ui/button.tsx'
import { ErrorState } from '../ui/error-state.tsx'
import { Field } from '../ui/form/field.tsx'
import { Select } from '../ui/form/select.tsx'
import { Dialog } from '../ui/overlay/dialog.tsx'
import { SkeletonRows } from '../ui/skeleton.tsx'
import { CopyBox } from '../ui/text/copy-box.tsx'
import { ExactTime, RelativeTime, useNow } from '../ui/text/values.tsx'

interface ShareDialogProps {
  readonly traceId: string
  readonly isOpen: boolean
  readonly onClose: () => void
}

export function ShareDialog({ traceId, isOpen, onClose }: ShareDialogProps) {
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title="Share trace"
      description="Anyone with the link can read this trace without an account. Users, customers and scores are left out; e-mail addresses, card and phone numbers, IP addresses and keys are masked. Names within texts are not masked: read the trace first."
    >
      <Links traceId={traceId} />
    </Dialog>
  )
}

const refreshes = ['shares.list'] as const

const dayChoices = [
  { value: '1', label: '1 day' },
  { value: '7', label: '7 days' },
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
] as const

function Links({ traceId }: Pick<ShareDialogProps, 'traceId'>) {
  const now = useNow()
  const [days, setDays] = useState<(typeof dayChoices)[number]['value']>('7')
  const read = useRead('shares.list', { traceId })
  const create = useChange('shares.create', { refreshes })
  const links = read.isPlaceholderData
    ? undefined
    : read.data?.shares.filter(
        ({ revokedAt, expiresAt }) => revokedAt === undefined && new Date(expiresAt) > now,
      )
  return (
    <div className="flex flex-col gap-4">
      {read.isError && links === undefined ? (
        <ErrorState error={read.error} onRetry={() => void read.refetch()} />
      ) : links === undefined ? (
        <SkeletonRows />
      ) : (
        links.length > 0 && (
          <ul aria-label="Links" className="flex max-h-80 flex-col gap-3 overflow-y-auto">
            {links.map((link) => (
              <LinkItem key={link.id} link={link} />
            ))}
          </ul>
        )
      )}
      <div className="flex items-end gap-2">
        <div className="w-32">
          <Field label="Expires after">
            <Select choices={dayChoices} value={days} onChange={setDays} />
          </Field>
        </div>
        <Button
          look="primary"
          icon={<Link2 aria-hidden size={14} />}
          isBusy={create.isPending}
          onClick={() => create.mutate({ traceId, days: Number(days) })}
        >
          Create link
        </Button>
      </div>
    </div>
  )
}

function LinkItem({ link }: { readonly link: ShareLink }) {
  const revoke = useChange('shares.delete', { refreshes })
  const url = new URL(link.url, location.origin).href
  return (
    <li className="flex flex-col gap-1">
      <CopyBox text={url} label="Copy link" />
      <p className="flex items-center gap-1 text-xs text-ink-3">
        <span className="min-w-0 flex-1 break-words">
          By <bdi>{link.createdByName ?? 'a deleted account'}</bdi>, <RelativeTime time={link.createdAt} />,
          until <ExactTime time={link.expiresAt} />
        </span>
        <Button
          size="small"
          look="danger"
          isBusy={revoke.isPending}
          onClick={() => revoke.mutate({ id: link.id })}
        >
          Revoke
        </Button>
      </p>
    </li>
  )
}
