import type { AnnotationQueue } from '@plumbline/sdk'
import { ListPlus } from 'lucide-react'
import { lazy, Suspense, useMemo, useState } from 'react'
import { usePages } from '../app/api.ts'
import { useSession } from '../app/session.tsx'
import { useTracesById } from '../traces/use-traces-by-id.ts'
import { Button } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorState } from '../ui/error-state.tsx'
import { Select } from '../ui/form/select.tsx'
import { DataTable } from '../ui/table/data-table.tsx'
import { itemColumns, type ListedItem } from './item-columns.tsx'
import { queueRoute } from './routes.ts'
import { useAllItems } from './use-all-items.ts'

const ItemSelectionBar = lazy(async () => ({
  default: (await import('./item-selection-bar.tsx')).ItemSelectionBar,
}))

const rowId = ({ item }: ListedItem): string => item.id
const refreshMs = 10_000
const nothing: ReadonlySet<string> = new Set()

const states = [
  { value: 'all', label: 'All items' },
  { value: 'open', label: 'To do' },
  { value: 'held', label: 'In progress' },
  { value: 'done', label: 'Done' },
] as const

interface ItemsTabProps {
  readonly queue: AnnotationQueue
  readonly onAdd: () => void
}

export function ItemsTab({ queue, onAdd }: ItemsTabProps) {
  const { status } = queueRoute.useSearch()
  const navigate = queueRoute.useNavigate()
  const { may } = useSession()
  const [selection, setSelected] = useState(nothing)
  const pages = usePages(
    'annotationQueues.items',
    { id: queue.id, limit: 100, ...(status && { status }) },
    'items',
    { refreshMs },
  )
  const traces = useTracesById(pages.items.map(({ traceId }) => traceId))
  const rows = useMemo(() => {
    const { annotatorsPerItem } = queue
    return pages.items.map((item) => ({ item, trace: traces.get(item.traceId), annotatorsPerItem }))
  }, [pages.items, traces, queue])
  const all = useAllItems({ id: queue.id, ...(status && { status }) })
  const clear = (): void => {
    setSelected(nothing)
    all.clear()
  }
  // Others score and remove items too, so an item that has left the list is deselected.
  const loadedIds = new Set(pages.items.map(({ id }) => id))
  const furtherItems = all.items.filter(({ id }) => !loadedIds.has(id))
  const selectedItems = [...pages.items, ...furtherItems].filter(({ id }) => selection.has(id))
  const areAllLoadedSelected = pages.items.every(({ id }) => selection.has(id))
  if (pages.isError && pages.data === undefined)
    return <ErrorState error={pages.error} onRetry={() => void pages.refetch()} />
  return (
    <div className="flex h-full min-h-80 flex-col">
      <div className="flex shrink-0 items-center gap-2 border-b border-line px-4 py-2">
        <Select
          label="State"
          className="w-44"
          choices={states}
          value={status ?? 'all'}
          onChange={(next) => {
            clear()
            void navigate({
              search: (previous) => ({ ...previous, status: next === 'all' ? undefined : next }),
            })
          }}
        />
      </div>
      <DataTable
        label="Items"
        columns={itemColumns}
        rows={pages.data === undefined ? undefined : rows}
        rowId={rowId}
        onOpen={({ item }) => {
          const own = item.turns.some(({ annotator, status }) => annotator.isYou && status !== 'held')
          if (own && may('editor'))
            void navigate({
              to: '/annotation/$id/annotate',
              params: { id: queue.id },
              search: { item: item.id },
            })
          else
            void navigate({
              to: '/traces/$id',
              params: { id: item.traceId },
              search: item.logId === null ? {} : { log: item.logId },
            })
        }}
        {...(may('editor') && { selection: { ids: selection, onChange: setSelected } })}
        more={pages.more}
        empty={
          <EmptyState
            icon={<ListPlus size={20} />}
            title={status === undefined ? 'No items yet' : 'No items in this state'}
            action={
              status === undefined && may('editor') ? <Button onClick={onAdd}>Add traces</Button> : undefined
            }
          >
            {status === undefined
              ? 'Select traces in the trace list and choose “Annotate”, add a sample here, or turn on the automatic feed in the settings.'
              : 'Choose another state above.'}
          </EmptyState>
        }
      />
      <Suspense>
        {selectedItems.length > 0 && (
          <ItemSelectionBar
            queue={queue}
            items={selectedItems}
            all={
              pages.hasNextPage && areAllLoadedSelected && selectedItems.length === pages.items.length
                ? {
                    count: status === undefined ? queue.progress.items : undefined,
                    readCount: all.readCount,
                    onChoose: () =>
                      void all
                        .read()
                        .then((items) => items && setSelected(new Set(items.map(({ id }) => id)))),
                  }
                : undefined
            }
            onClear={clear}
          />
        )}
      </Suspense>
    </div>
  )
}
