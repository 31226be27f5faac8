import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Monitor, Smartphone } from 'lucide-react'
import { get, post } from '../../sign-in/auth.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { useToasts } from '../../ui/overlay/toast.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { RelativeTime } from '../../ui/text/values.tsx'
import { deviceOf } from './device.ts'

interface SignedIn {
  readonly id: string
  /** Identifies the session to end; it is not a sign-in token. */
  readonly token: string
  readonly createdAt: string
  readonly ipAddress?: string | null
  readonly userAgent?: string | null
}

export const sessionsKey = ['auth.sessions'] as const

/** The user's sessions, the current one first, with a button to end each of the others. */
export function SessionList() {
  const queries = useQueryClient()
  const toasts = useToasts()
  const sessions = useQuery({
    queryKey: sessionsKey,
    queryFn: async () => {
      const [all, current] = await Promise.all([
        get<readonly SignedIn[]>('/auth/list-sessions'),
        get<{ readonly session: SignedIn }>('/auth/get-session'),
      ])
      const here = current.session.id
      const others = all.filter(({ id }) => id !== here)
      const newestFirst = others.sort((a, b) => b.createdAt.localeCompare(a.createdAt))
      return { here: all.find(({ id }) => id === here), others: newestFirst }
    },
  })
  const end = useMutation({
    mutationFn: (token: string | undefined) =>
      token === undefined ? post('/auth/revoke-other-sessions', {}) : post('/auth/revoke-session', { token }),
    onSuccess: () => queries.invalidateQueries({ queryKey: sessionsKey }),
    onError: toasts.fail,
  })
  if (sessions.isError && sessions.data === undefined)
    return <ErrorState error={sessions.error} onRetry={() => void sessions.refetch()} />
  if (sessions.data === undefined) return <Skeleton className="h-20 w-full" />
  const { here, others } = sessions.data
  return (
    <>
      <ul aria-label="Sessions" className="flex flex-col rounded border border-line">
        {here !== undefined && <SessionRow session={here} action={<Badge tone="good">This session</Badge>} />}
        {others.map((session) => (
          <SessionRow
            key={session.id}
            session={session}
            action={
              <Button size="small" disabled={end.isPending} onClick={() => end.mutate(session.token)}>
                End
              </Button>
            }
          />
        ))}
      </ul>
      {others.length > 1 && (
        <div>
          <Button look="danger" isBusy={end.isPending} onClick={() => end.mutate(undefined)}>
            End all others
          </Button>
        </div>
      )}
    </>
  )
}

interface SessionRowProps {
  readonly session: SignedIn
  readonly action: React.ReactNode
}

function SessionRow({ session: { userAgent, ipAddress, createdAt }, action }: SessionRowProps) {
  const { name, isHandheld } = deviceOf(userAgent ?? '')
  const Icon = isHandheld ? Smartphone : Monitor
  return (
    <li className="flex items-center gap-3 border-b border-line px-3 py-2 text-sm last:border-0">
      <Icon aria-hidden size={16} className="shrink-0 text-ink-3" />
      <span className="min-w-0 flex-1">
        <span className="block truncate" title={userAgent ?? undefined}>
          {name}
        </span>
        <span className="block truncate text-xs text-ink-3">
          {ipAddress ? `${ipAddress}, ` : ''}signed in <RelativeTime time={createdAt} />
        </span>
      </span>
      {action}
    </li>
  )
}
