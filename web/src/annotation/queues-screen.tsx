/** The annotation queues with their progress. */
import { PenLine, Plus } from 'lucide-react'
import { useState } from 'react'
import { useRead } from '../app/api.ts'
import { useCommands } from '../app/palette/commands.tsx'
import { Screen } from '../app/screen.tsx'
import { useSession } from '../app/session.tsx'
import { Button } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorState } from '../ui/error-state.tsx'
import { lateDialog } from '../ui/overlay/late-dialog.tsx'
import { useShortcuts } from '../ui/shortcuts.tsx'
import { DataTable } from '../ui/table/data-table.tsx'
import { queueColumns } from './queue-columns.tsx'
import { queuesRoute } from './routes.ts'

const NewQueueDialog = lateDialog(async () => (await import('./new-queue-dialog.tsx')).NewQueueDialog)

const rowId = ({ id }: { readonly id: string }): string => id
/** Polls, because other people work on the queues too. */
const refreshMs = 10_000

export function QueuesScreen() {
  const { sort } = queuesRoute.useSearch()
  const navigate = queuesRoute.useNavigate()
  const list = useRead('annotationQueues.list', {}, { refreshMs })
  const { may } = useSession()
  const [isNew, setNew] = useState(false)
  const create = (): void => setNew(true)
  useCommands(
    may('editor') ? [{ label: 'New annotation queue', words: 'create judge people rate', run: create }] : [],
  )
  useShortcuts(may('editor') ? [{ keys: 'c', label: 'New annotation queue', onPress: create }] : [])
  const newQueue = may('editor') && (
    <Button look="primary" icon={<Plus aria-hidden size={14} />} onClick={create}>
      New queue
    </Button>
  )
  const queues = list.data?.queues
  return (
    <Screen title="Annotation" actions={queues?.length === 0 ? undefined : newQueue}>
      {list.isError && queues === undefined ? (
        <ErrorState error={list.error} onRetry={() => void list.refetch()} />
      ) : (
        <DataTable
          label="Annotation queues"
          columns={queueColumns}
          rows={queues}
          rowId={rowId}
          sort={sort}
          onSort={(next) => void navigate({ search: (previous) => ({ ...previous, sort: next }) })}
          onOpen={({ id }) => void navigate({ to: '/annotation/$id', params: { id } })}
          empty={
            <EmptyState icon={<PenLine size={20} />} title="No annotation queues yet" action={newQueue}>
              A queue hands traces to people one at a time, with a rubric. Their scores show how well they
              agree with each other and with your evaluators.
            </EmptyState>
          }
        />
      )}
      {isNew && (
        <NewQueueDialog
          onClose={() => setNew(false)}
          onCreated={(id) => void navigate({ to: '/annotation/$id', params: { id } })}
        />
      )}
    </Screen>
  )
}
