import { RequestFailed } from '@plumbline/sdk'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { chooseWorkspace } from '../app/workspace/workspace-choice.ts'
import { ErrorState } from '../ui/error-state.tsx'
import { get, type InvitationResponse, post } from './auth.ts'
import type { EntryField } from './check-entry.ts'
import { Entry, EntryForm } from './entry.tsx'
import { joinRoute } from './routes.ts'

/** The target of an invitation link: new users choose a password, existing ones sign in. */
export function JoinScreen() {
  const { token = '' } = joinRoute.useSearch()
  const invited = useQuery({
    queryKey: ['auth.invitation', token],
    queryFn: () => get<InvitationResponse>(`/auth/invitation?token=${encodeURIComponent(token)}`),
    retry: false,
  })
  if (invited.isError)
    return (
      <Entry title="Join">
        {invited.error instanceof RequestFailed && invited.error.status === 403 ? (
          <>
            <p role="alert" className="mt-2 text-ink-2">
              {invited.error.message}
            </p>
            <p className="mt-4 text-sm text-ink-2">
              If you have an account already,{' '}
              <Link to="/sign-in" className="font-medium text-accent-ink hover:underline">
                sign in
              </Link>
              .
            </p>
          </>
        ) : (
          <ErrorState error={invited.error} onRetry={() => void invited.refetch()} />
        )}
      </Entry>
    )
  if (invited.data === undefined) return <Entry title="Join" />
  const { email, role, workspace, isKnown } = invited.data.invitation
  const join = async (values: Readonly<Record<string, string>>): Promise<void> => {
    if (!isKnown) return void (await post('/auth/join', { token, ...values }))
    await post('/auth/sign-in/email', { email, ...values })
    const { workspace } = await post<{ workspace: { id: string } }>('/invitations/accept', { token })
    chooseWorkspace(workspace.id)
  }
  return (
    <Entry title={`Join ${workspace}`}>
      <p className="mt-2 text-sm text-ink-2">
        You are invited as {role} with the address {email}.
      </p>
      <EntryForm action="Join" send={join} fields={isKnown ? [password] : [name, newPassword]} />
    </Entry>
  )
}

const name: EntryField = { name: 'name', label: 'Your name', autoComplete: 'name' }
const password: EntryField = {
  name: 'password',
  label: 'Your password',
  type: 'password',
  autoComplete: 'current-password',
}
const newPassword: EntryField = {
  name: 'password',
  label: 'A password',
  type: 'password',
  autoComplete: 'new-password',
  hint: 'At least 10 characters.',
}
