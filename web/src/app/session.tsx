/** The signed-in user and their permissions. */
import { RequestFailed, type Session } from '@plumbline/sdk'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { redirect, useRouter } from '@tanstack/react-router'
import { post } from '../sign-in/auth.ts'
import { useToasts } from '../ui/overlay/toast.tsx'
import { queryFor, useRead } from './api.ts'
import { useLeaveScreen } from './leaving.ts'
import type { RouterContext } from './root-route.ts'
import { leaveWorkspace, stayInWorkspace } from './workspace/workspace-choice.ts'

export type Role = NonNullable<Session['role']>

const ranks: Readonly<Record<Role, number>> = { viewer: 0, editor: 1, admin: 2, owner: 3 }

/** Admits signed-in users; sends others to the sign-in and back. */
export async function requireSession({ client, queries }: RouterContext, path: string): Promise<void> {
  const readSession = () => queries.ensureQueryData(queryFor(client, 'session.get', {}))
  try {
    const { workspace } = await readSession().catch((error: unknown) => {
      if (isForbidden(error) && leaveWorkspace()) return readSession()
      throw error
    })
    if (workspace !== undefined) stayInWorkspace(workspace.id)
  } catch (error) {
    if (isSignedOut(error)) throw redirect({ to: '/sign-in', search: path === '/' ? {} : { from: path } })
    throw error
  }
}

/** Whether a request failed because the session has ended. */
export const isSignedOut = (error: unknown): boolean => error instanceof RequestFailed && error.status === 401

/** Whether the user is not a member of the requested workspace. */
const isForbidden = (error: unknown): boolean => error instanceof RequestFailed && error.status === 403

/** Drops all cached responses, which belong to another user or workspace, and reads the session again for the frame. */
export function forgetAnswers(queries: QueryClient): void {
  queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session.get' })
  queries.getMutationCache().clear()
  void queries.resetQueries({ queryKey: ['session.get'] })
}

export function useSession() {
  const session = useRead('session.get', {}).data
  const router = useRouter()
  const leaveScreen = useLeaveScreen()
  const queries = useQueryClient()
  const toasts = useToasts()
  const role = session?.role
  return {
    session,
    name: session?.person?.name ?? session?.apiKey?.name ?? 'You',
    /** A storage key in the browser, separate for each user and workspace. */
    ownPlace: `${session?.workspace?.id ?? ''}/${session?.person?.id ?? ''}`,
    workspaceName: session?.workspace?.name ?? 'Plumbline',
    /** Whether the user has at least this role; actions beyond their role are not offered. */
    may: (lowestRole: Role): boolean =>
      role === undefined ? session?.scopes.includes('manage') === true : ranks[role] >= ranks[lowestRole],
    signOut: (): void =>
      leaveScreen(() => {
        post('/auth/sign-out', {})
          .then(() => {
            forgetAnswers(queries)
            return router.navigate({ to: '/sign-in', replace: true })
          })
          .catch((error: unknown) => {
            toasts.fail(error)
            router.history.back()
          })
      }),
  }
}
