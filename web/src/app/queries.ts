import { RequestFailed, ServiceUnreachable } from '@plumbline/sdk'
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { checkConnection } from './connection.ts'
import { isSignedOut } from './session.tsx'

/** The service rejects again what it has rejected; anything else may pass, and all of it waits for a service that is down. */
function mayRetry(failures: number, error: unknown): boolean {
  if (error instanceof ServiceUnreachable || isFromProxy(error)) void checkConnection()
  return failures < 2 && !(error instanceof RequestFailed && error.status < 500)
}

const isFromProxy = (error: unknown): boolean =>
  error instanceof RequestFailed && !error.isFromService && error.status >= 502

/** The query cache. Calls `onSignedOut` when a request finds the session has ended. */
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
      // A form says at once that nothing responds, rather than wait for it.
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
