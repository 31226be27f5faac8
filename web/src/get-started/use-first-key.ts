import { useQuery, useQueryClient } from '@tanstack/react-query'

const queryKey = ['get-started.key'] as const

/**
 * The key in the snippets. It stays while the web app is open and the same person is signed in, and is
 * stored nowhere else: it is a secret.
 */
export function useFirstKey(): readonly [string, (secret: string) => void] {
  const queries = useQueryClient()
  const { data } = useQuery({
    queryKey,
    queryFn: () => '',
    enabled: false,
    initialData: '',
    gcTime: Infinity,
  })
  return [data, (secret) => queries.setQueryData(queryKey, secret)]
}
