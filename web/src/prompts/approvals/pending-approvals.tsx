/** Requested moves of protected tags that wait for a decision. */
import type { Approval } from '@plumbline/sdk'
import { ShieldCheck } from 'lucide-react'
import { useChange, useRead } from '../../app/api.ts'
import { useSession } from '../../app/session.tsx'
import { Button } from '../../ui/button.tsx'
import { useToasts } from '../../ui/overlay/toast.tsx'
import { RelativeTime } from '../../ui/text/values.tsx'

interface PendingApprovalsProps {
  readonly slug: string
  /** Shows a version. */
  readonly onReview: (version: string) => void
}

export function PendingApprovals({ slug, onReview }: PendingApprovalsProps) {
  const approvals = useRead('approvals.list', { promptSlug: slug, status: 'pending' }).data?.approvals
  if (approvals === undefined || approvals.length === 0) return null
  return (
    <ul aria-label="Requested tag moves" className="border-b border-line bg-sunken">
      {approvals.map((approval) => (
        <PendingApproval key={approval.id} approval={approval} onReview={onReview} />
      ))}
    </ul>
  )
}

interface PendingApprovalProps {
  readonly approval: Approval
  readonly onReview: (version: string) => void
}

function PendingApproval({ approval, onReview }: PendingApprovalProps) {
  const { id, tag, from, version, message, requestedBy, requestedByName, keyCreatedBy, requestedAt } =
    approval
  const { session, may } = useSession()
  const toasts = useToasts()
  const decide = useChange('approvals.decide', {
    refreshes: [
      'approvals.list',
      'versions.list',
      'prompts.history',
      'prompts.list',
      'prompts.describe',
      'rollouts.list',
    ],
    onDone: ({ approval: decision }) =>
      toasts.done(decision.status === 'approved' ? `${tag} is now ${version}` : `${tag} stays where it is`),
  })
  const isOwn = session?.person?.id === requestedBy
  const isByOwnKey = session?.person !== undefined && session.person.id === keyCreatedBy
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 px-4 py-2 text-sm">
      <ShieldCheck aria-hidden size={16} className="shrink-0 text-accent-ink" />
      <p className="min-w-60 flex-1 break-words">
        <span className="font-medium">{isOwn ? 'You' : (requestedByName ?? 'Someone')}</span>
        {isByOwnKey && ', one of your API keys,'} requested to move <strong>{tag}</strong>{' '}
        {from !== null && <>from {from} </>}to <strong>{version}</strong>, <RelativeTime time={requestedAt} />
        {message !== '' && <span className="text-ink-2">: {message}</span>}
      </p>
      <div className="flex gap-2">
        <Button size="small" onClick={() => onReview(version)}>
          Review changes
        </Button>
        {may('admin') && (
          <>
            <Button
              size="small"
              isBusy={decide.isPending}
              onClick={() => decide.mutate({ id, isApproved: false })}
            >
              {isOwn || isByOwnKey ? 'Withdraw' : 'Reject'}
            </Button>
            {!isOwn && !isByOwnKey && (
              <Button
                size="small"
                isBusy={decide.isPending}
                onClick={() => decide.mutate({ id, isApproved: true })}
              >
                Approve and move
              </Button>
            )}
          </>
        )}
      </div>
    </li>
  )
}
