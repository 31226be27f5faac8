/** End users and customers of the traced applications: their traffic, costs, scores and conversations. */
import { UsersRound } from 'lucide-react'
import { type ReactNode, useMemo } from 'react'
import { usePages } from '../app/api.ts'
import { rangeInput, useRange } from '../app/range/use-range.ts'
import { Screen } from '../app/screen.tsx'
import { FilterBar } from '../traces/filter/filter-bar.tsx'
import { type FilterInput, filterInput } from '../traces/filter/filter-input.ts'
import { readFilter } from '../traces/filter/filter-text.ts'
import { groupOrder } from '../traces/list/rows/group-columns.tsx'
import { MatchesNote } from '../traces/list/rows/matches-note.tsx'
import { Button } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorState } from '../ui/error-state.tsx'
import { DataTable } from '../ui/table/data-table.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { useNarrow } from '../ui/use-width.ts'
import { usersRoute } from './routes.ts'
import { filterOf, narrowColumns, organizationColumns, userColumns } from './user-columns.tsx'

const sorts = ['last', 'first', 'traces', 'cost', 'tokens', 'errors', 'sessions'] as const
const idOf = ({ id }: { readonly id: string }): string => id
const refreshMs = 30_000
const wideMinPx = 720

export function UsersScreen() {
  const { q = '', tab = 'users' } = usersRoute.useSearch()
  const navigate = usersRoute.useNavigate()
  const { range } = useRange()
  const scope = useMemo(() => rangeInput(range), [range])
  const filter = useMemo(() => ({ ...filterInput(readFilter(q)), ...scope }), [q, scope])
  return (
    <Screen title="Users" hasRange>
      <div className="shrink-0 border-b border-line px-4 py-2">
        <FilterBar
          text={q}
          onChange={(text) =>
            void navigate({ search: (previous) => ({ ...previous, q: text || undefined }) })
          }
          scope={scope}
        />
        {q !== '' && <MatchesNote />}
      </div>
      <Tabs
        label="Users and customers"
        value={tab}
        onChange={(next) =>
          void navigate({
            search: ({ sort: _sort, ...before }) => ({ ...before, tab: next === 'users' ? undefined : next }),
          })
        }
        tabs={[
          { value: 'users', label: 'Users' },
          { value: 'customers', label: 'Customers' },
        ]}
      >
        {tab === 'users' ? <UserList filter={filter} /> : <CustomerList filter={filter} />}
      </Tabs>
    </Screen>
  )
}

interface ListProps {
  readonly filter: FilterInput
}

function UserList({ filter }: ListProps) {
  const { place, isNarrow, order, table } = useGroupTable('user')
  const list = usePages('users.list', { ...filter, ...order, limit: 100 }, 'users', { refreshMs })
  return (
    <div ref={place} className="flex h-full min-h-0 flex-col">
      {list.isError && list.data === undefined ? (
        <ErrorState error={list.error} onRetry={() => void list.refetch()} />
      ) : (
        <DataTable
          label="Users"
          columns={userColumns}
          {...(isNarrow && { columnIds: narrowColumns })}
          rows={list.data === undefined ? undefined : list.items}
          more={list.more}
          empty={
            <NoGroups name="users">
              Record traces with a <code className="font-mono">user</code> to see the traffic, cost and scores
              of each person here.
            </NoGroups>
          }
          {...table}
        />
      )}
    </div>
  )
}

function CustomerList({ filter }: ListProps) {
  const { place, isNarrow, order, table } = useGroupTable('organization')
  const list = usePages('organizations.list', { ...filter, ...order, limit: 100 }, 'organizations', {
    refreshMs,
  })
  return (
    <div ref={place} className="flex h-full min-h-0 flex-col">
      {list.isError && list.data === undefined ? (
        <ErrorState error={list.error} onRetry={() => void list.refetch()} />
      ) : (
        <DataTable
          label="Customers"
          columns={organizationColumns}
          {...(isNarrow && { columnIds: narrowColumns })}
          rows={list.data === undefined ? undefined : list.items}
          more={list.more}
          empty={
            <NoGroups name="customers">
              Record traces with an <code className="font-mono">organization</code> to see the traffic, cost
              and scores of each customer here.
            </NoGroups>
          }
          {...table}
        />
      )}
    </div>
  )
}

interface NoGroupsProps {
  readonly name: string
  /** The hint if nothing was ever recorded. */
  readonly children: ReactNode
}

function NoGroups({ name, children }: NoGroupsProps) {
  const { q = '' } = usersRoute.useSearch()
  const navigate = usersRoute.useNavigate()
  return q === '' ? (
    <EmptyState icon={<UsersRound size={20} />} title={`No ${name} in this range`}>
      {children}
    </EmptyState>
  ) : (
    <EmptyState
      icon={<UsersRound size={20} />}
      title={`No ${name} match the filter`}
      action={
        <Button onClick={() => void navigate({ search: (previous) => ({ ...previous, q: undefined }) })}>
          Clear filter
        </Button>
      }
    >
      Words are searched for in ids, names and texts. Remove a filter, or choose a longer range.
    </EmptyState>
  )
}

/** The common parts of the user and customer tables; a row links to its traces. */
function useGroupTable(field: 'user' | 'organization') {
  const { sort } = usersRoute.useSearch()
  const navigate = usersRoute.useNavigate()
  const { place, isNarrow } = useNarrow(wideMinPx)
  return {
    place,
    isNarrow,
    order: groupOrder(sort, sorts),
    table: {
      rowId: idOf,
      hasTwoLines: true,
      isSortedByService: true,
      sort: sort ?? '-last',
      onSort: (next: string | undefined): void =>
        void navigate({ search: (previous) => ({ ...previous, sort: next === '-last' ? undefined : next }) }),
      onOpen: ({ id }: { readonly id: string }): void =>
        void navigate({ to: '/traces', search: { q: filterOf(field, id) } }),
    },
  }
}
