import { RequestFailed, ServiceUnreachable } from '@plumbline/sdk'
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { checkConnection } from './connection.ts'
import { isSignedOut } from './session.tsx'

/**
 * A rejected request would be rejected again; other failures may be transient, and all requests wait for a service
 * that is down.
 */
function mayRetry(failures: number, error: unknown): boolean {
  if (error instanceof ServiceUnreachable || isFromProxy(error)) void checkConnection()
  return failures < 2 && !(error instanceof RequestFailed && error.status < 500)
}

const isFromProxy = (error: unknown): boolean =>
  error instanceof RequestFailed && !error.isFromService && error.status >= 502

/** The query cache. Calls `onSignedOut` when a request fails because the session has ended. */
export function makeQueries(onSignedOut: () => void): QueryClient {
  const onError = (error: unknown): void => {
    if (!isSignedOut(error)) return
    queries.removeQueries({ queryKey: ['session.get'] })
    onSignedOut()
  }
  const queries: QueryClient = new QueryClient({
    queryCache: new QueryCache({
      onError: (error, { queryKey }) => queryKey[0] !== 'session.get' && onError(error),
    }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      // A form reports at once that the service does not respond, rather than waiting for it.
      mutations: { networkMode: 'always' },
      queries: {
        staleTime: 10_000,
        gcTime: 300_000,
        retry: mayRetry,
      },
    },
  })
  return queries
}
