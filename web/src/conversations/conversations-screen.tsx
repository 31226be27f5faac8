/** Conversations: the traces of one session together, the latest first. */
import { MessagesSquare } from 'lucide-react'
import { useMemo } from 'react'
import { usePages } from '../app/api.ts'
import { rangeInput, useRange } from '../app/range/use-range.ts'
import { Screen } from '../app/screen.tsx'
import { FilterBar } from '../traces/filter/filter-bar.tsx'
import { filterInput } from '../traces/filter/filter-input.ts'
import { readFilter } from '../traces/filter/filter-text.ts'
import { groupOrder } from '../traces/list/rows/group-columns.tsx'
import { MatchesNote } from '../traces/list/rows/matches-note.tsx'
import { Button } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorState } from '../ui/error-state.tsx'
import { DataTable } from '../ui/table/data-table.tsx'
import { useNarrow } from '../ui/use-width.ts'
import { conversationColumns, narrowColumns } from './conversation-columns.tsx'
import { conversationsRoute } from './routes.ts'

const sorts = ['last', 'first', 'traces', 'duration', 'cost', 'tokens', 'errors'] as const
const idOf = ({ id }: { readonly id: string }): string => id
/** Polls, since new turns arrive all the time. */
const refreshMs = 15_000
const wideMinPx = 640

export function ConversationsScreen() {
  const { q = '', sort } = conversationsRoute.useSearch()
  const navigate = conversationsRoute.useNavigate()
  const { range, setRange } = useRange()
  const scope = useMemo(() => rangeInput(range), [range])
  const filter = useMemo(() => filterInput(readFilter(q)), [q])
  const list = usePages(
    'conversations.list',
    { ...filter, ...scope, ...groupOrder(sort, sorts), limit: 100 },
    'conversations',
    { refreshMs },
  )
  const { place, isNarrow } = useNarrow(wideMinPx)
  const columns = useMemo(() => conversationColumns(isNarrow), [isNarrow])
  const change = (patch: { readonly q?: string | undefined; readonly sort?: string | undefined }): void =>
    void navigate({ search: (previous) => ({ ...previous, ...patch }) })
  return (
    <Screen title="Conversations" hasRange>
      <div className="shrink-0 border-b border-line px-4 py-2">
        <FilterBar text={q} onChange={(text) => change({ q: text || undefined })} scope={scope} />
        {q !== '' && <MatchesNote />}
      </div>
      <div ref={place} className="flex min-h-0 flex-1 flex-col">
        {list.isError && list.data === undefined ? (
          <ErrorState error={list.error} onRetry={() => void list.refetch()} />
        ) : (
          <DataTable
            label="Conversations"
            columns={columns}
            {...(isNarrow && { columnIds: narrowColumns })}
            rows={list.data === undefined ? undefined : list.items}
            rowId={idOf}
            hasTwoLines
            sort={sort ?? '-last'}
            isSortedByService
            onSort={(next) => change({ sort: next === '-last' ? undefined : next })}
            onOpen={({ id }) => void navigate({ to: '/conversations/$id', params: { id } })}
            more={list.more}
            empty={
              <EmptyState
                icon={<MessagesSquare size={20} />}
                title={q === '' ? 'No conversations in this range' : 'No conversations match the filter'}
                action={
                  q === '' ? (
                    <Button onClick={() => setRange('90d')}>Last 90 days</Button>
                  ) : (
                    <Button onClick={() => change({ q: undefined })}>Clear filter</Button>
                  )
                }
              >
                Traces with the same <code className="font-mono">sessionId</code> appear here as one
                conversation, with its messages, cost and scores.
              </EmptyState>
            }
          />
        )}
      </div>
    </Screen>
  )
}
