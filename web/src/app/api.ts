/**
 * The web app's only connection to the service: the public client, under TanStack Query. An operation is named as in the contract,
 * so that `git grep ledger.list` finds who uses it: `useRead('ledger.list', { from })`.
 */
import type { Operations } from '@plumbline/sdk'
import {
  keepPreviousData,
  type QueryClient,
  queryOptions,
  type UseMutationResult,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { createContext, useContext, useMemo } from 'react'
import { useToasts } from '../ui/overlay/toast.tsx'
import type { MoreRows } from '../ui/table/more-rows.tsx'

/** `ledger.list`, `keys.create`, …: every operation of the contract. */
export type OperationName = {
  [Resource in keyof Operations & string]: `${Resource}.${keyof Operations[Resource] & string}`
}[keyof Operations & string]

type CallOf<Name extends OperationName> = Name extends `${infer Resource}.${infer Verb}`
  ? Resource extends keyof Operations
    ? Verb extends keyof Operations[Resource]
      ? Operations[Resource][Verb]
      : never
    : never
  : never

type Calling<Name extends OperationName> = Extract<CallOf<Name>, (...input: never[]) => unknown>
/** The input of an operation. */
export type Input<Name extends OperationName> = NonNullable<Parameters<Calling<Name>>[0]>
/** The output of an operation. */
export type Output<Name extends OperationName> = Awaited<ReturnType<Calling<Name>>>

const ClientContext = createContext<Operations | undefined>(undefined)
export const ClientProvider = ClientContext.Provider

/** The client, for calls that the hooks below do not cover. */
export function useClient(): Operations {
  const client = useContext(ClientContext)
  if (client === undefined) throw new Error('useClient needs a ClientProvider above it.')
  return client
}

/** Calls an operation by its name. */
export function call<Name extends OperationName>(
  client: Operations,
  name: Name,
  input: Input<Name>,
  options: {
    readonly signal?: AbortSignal
    readonly idempotencyKey?: string
    readonly keepalive?: boolean
  } = {},
): Promise<Output<Name>> {
  const [resource, verb] = name.split('.') as [keyof Operations, string]
  // Safe: the name is one of the client's own operations, from which the types are derived.
  const operation = (client[resource] as Record<string, unknown>)[verb] as (
    input: Input<Name>,
    options: object,
  ) => Promise<Output<Name>>
  return operation(input, options)
}

/** A read as query options, for loaders and prefetching: the key is the operation's name and its input. */
export const queryFor = <Name extends OperationName>(client: Operations, name: Name, input: Input<Name>) =>
  queryOptions({
    queryKey: [name, input] as const,
    queryFn: ({ signal }) => call(client, name, input, { signal }),
    placeholderData: keepPreviousData,
  })

/** Reads an operation bypassing the cache: a form compares its fields with the current values before it saves. */
export function useReadLatest() {
  const client = useClient()
  const queries = useQueryClient()
  return <Name extends OperationName>(name: Name, input: Input<Name>): Promise<Output<Name>> =>
    queries.fetchQuery({
      ...queryFor(client, name, input),
      staleTime: 0,
      retry: false,
      // Like the change that follows, it fails at once if the service does not respond.
      networkMode: 'always',
    })
}

interface ReadOptions<Name extends OperationName> {
  /** Never refreshes by itself: the response stays until the input changes. */
  readonly isHeld?: boolean
  /** False delays the read, for example until an id is known. */
  readonly enabled?: boolean
  /** Polls at this interval while the page is visible; a function takes the last response. */
  readonly refreshMs?: RefreshMs<Name>
}

type RefreshMs<Name extends OperationName> =
  | number
  | undefined
  | ((answer: Output<Name> | undefined) => number | undefined)

const refreshOf = <Name extends OperationName>(
  refreshMs: RefreshMs<Name>,
  answer: Output<Name> | undefined,
): number | false => (typeof refreshMs === 'function' ? refreshMs(answer) : refreshMs) ?? false

/** Reads an operation; the last response stays while the next one loads. */
export function useRead<Name extends OperationName>(
  name: Name,
  input: Input<Name>,
  { enabled = true, isHeld = false, refreshMs }: ReadOptions<Name> = {},
) {
  const client = useClient()
  return useQuery({
    ...queryFor(client, name, input),
    enabled,
    refetchInterval: ({ state }) => refreshOf(refreshMs, state.data),
    ...(isHeld && { staleTime: Number.POSITIVE_INFINITY }),
  })
}

type ItemsOf<
  Name extends OperationName,
  Field extends keyof Output<Name>,
> = Output<Name>[Field] extends readonly (infer Item)[] ? Item : never

/**
 * A paginated list: the `items` of all pages so far, and the next page if there is one. `more` is for a table, which
 * shows a failure itself; `loadMore` is for a button, whose failure becomes a toast. With `isHeld`, nothing refreshes
 * automatically: rows stay in place until the input changes.
 */
export function usePages<Name extends OperationName, Field extends keyof Output<Name> & string>(
  name: Name,
  input: Input<Name>,
  field: Field,
  { enabled = true, isHeld = false, refreshMs }: ReadOptions<Name> = {},
) {
  const client = useClient()
  const query = useInfiniteQuery({
    queryKey: [name, input, 'pages'] as const,
    queryFn: ({ signal, pageParam }) =>
      call(client, name, pageParam === undefined ? input : { ...input, cursor: pageParam }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => (page as { nextCursor?: string }).nextCursor,
    placeholderData: keepPreviousData,
    enabled,
    refetchInterval: ({ state }) => refreshOf(refreshMs, state.data?.pages[0]),
    ...(isHeld && { staleTime: Number.POSITIVE_INFINITY }),
  })
  const items = useMemo(
    // Safe: only a field that is a list is accepted.
    () =>
      (query.data?.pages ?? []).flatMap(
        (page) => (page as Readonly<Record<string, unknown>>)[field] as ItemsOf<Name, Field>[],
      ),
    [query.data, field],
  )
  const toasts = useToasts()
  const mayLoad = query.hasNextPage && !query.isFetchingNextPage
  const load = (): void => {
    if (mayLoad) void query.fetchNextPage()
  }
  const loadMore = async (): Promise<void> => {
    if (!mayLoad) return
    const { isFetchNextPageError, error } = await query.fetchNextPage()
    if (isFetchNextPageError) toasts.fail(error)
  }
  const more: MoreRows = { load, error: query.isFetchNextPageError ? query.error : null }
  return { ...query, items, more, loadMore: () => void loadMore() }
}

export interface ChangeOptions<Name extends OperationName> {
  /** Operations whose responses are stale after the change. */
  readonly refreshes?: readonly OperationName[]
  readonly onDone?: (output: Output<Name>, input: Input<Name>) => void
  /** True if the caller shows failures itself; otherwise a toast does. */
  readonly showsErrors?: boolean
}

/** A change: refreshes the responses it makes stale, and reports its failure. */
export function useChange<Name extends OperationName>(
  name: Name,
  { refreshes = [], onDone, showsErrors = false }: ChangeOptions<Name> = {},
): UseMutationResult<Output<Name>, Error, Input<Name>> {
  const client = useClient()
  const queries = useQueryClient()
  const toasts = useToasts()
  return useMutation({
    mutationFn: (input: Input<Name>) => call(client, name, input),
    onSuccess: async (output, input) => {
      onDone?.(output, input)
      await refresh(queries, refreshes)
    },
    onError: (error) => {
      if (!showsErrors) toasts.fail(error)
    },
  })
}

/** Refreshes every response of these operations that is on the screen; others refresh when they are next shown. */
export async function refresh(queries: QueryClient, names: readonly OperationName[]): Promise<void> {
  await Promise.all(names.map((name) => queries.invalidateQueries({ queryKey: [name] })))
}
