import { RequestFailed } from '@plumbline/sdk'
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { isSignedOut } from './session.tsx'

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
      queries: {
        staleTime: 10_000,
        gcTime: 300_000,
        // What the service refuses it will refuse again; what failed on the way may pass.
        retry: (failures, error) => failures < 2 && !(error instanceof RequestFailed && error.status < 500),
      },
    },
  })
  return queries
}
