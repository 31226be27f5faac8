import { useQuery, useQueryClient } from '@tanstack/react-query'

const queryKey = ['get-started.key'] as const

/**
 * The key that the snippets are filled with. It stays while the page is open and the same person is signed in, and is
 * kept nowhere else: it is a secret.
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
