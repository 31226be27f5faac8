import type { AlertEvent } from '@plumbline/sdk'
import { CircleAlert, CircleCheck, Clock } from 'lucide-react'
import { useChange } from '../app/api.ts'
import { useSession } from '../app/session.tsx'
import { Button } from '../ui/button.tsx'
import { RelativeTime } from '../ui/text/values.tsx'

type Notification = AlertEvent['notifications'][number]

/** The delivery status of a notification; failed ones can be sent again. */
export function NotificationLine({ notification }: { readonly notification: Notification }) {
  const { id, channelName, status, attempts, problem, nextAt, deliveredAt } = notification
  const { may } = useSession()
  const retry = useChange('alerts.retry', { refreshes: ['alerts.history'] })
  const tries = `${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}`
  return (
    <li className="flex flex-wrap items-center gap-x-2 gap-y-1 text-xs text-ink-2">
      {status === 'delivered' ? (
        <CircleCheck aria-hidden size={14} className="shrink-0 text-good" />
      ) : status === 'waiting' ? (
        <Clock aria-hidden size={14} className="shrink-0 text-warn" />
      ) : (
        <CircleAlert aria-hidden size={14} className="shrink-0 text-bad" />
      )}
      <span dir="auto" className="max-w-60 truncate font-medium" title={channelName}>
        {channelName}
      </span>
      {status === 'delivered' ? (
        <span>
          delivered <RelativeTime time={deliveredAt} />
          {attempts > 1 && `, after ${tries}`}
        </span>
      ) : status === 'waiting' ? (
        <span className="min-w-0 break-words">
          {nextAt === null || attempts === 0 ? 'sending' : `retrying after ${tries}`}
          {problem !== null && `: ${problem}`}
          {nextAt !== null && attempts > 0 && (
            <>
              {' '}
              · next <RelativeTime time={nextAt} />
            </>
          )}
        </span>
      ) : (
        <span className="min-w-0 break-words">
          failed after {tries}
          {problem !== null && `: ${problem}`}
        </span>
      )}
      {status === 'failed' && may('editor') && (
        <Button size="small" isBusy={retry.isPending} onClick={() => retry.mutate({ id })}>
          Send again
        </Button>
      )}
    </li>
  )
}
