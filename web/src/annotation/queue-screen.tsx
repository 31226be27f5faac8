/** One queue: its items with their annotators, the agreement between people, and its settings. */
import { Link } from '@tanstack/react-router'
import { ListPlus, PenLine } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { useRead } from '../app/api.ts'
import { useCommands } from '../app/palette/commands.tsx'
import { Path } from '../app/path.tsx'
import { Screen } from '../app/screen.tsx'
import { useSession } from '../app/session.tsx'
import { Button, buttonClass } from '../ui/button.tsx'
import { ErrorState } from '../ui/error-state.tsx'
import { lateDialog } from '../ui/overlay/late-dialog.tsx'
import { useShortcuts } from '../ui/shortcuts.tsx'
import { SkeletonRows } from '../ui/skeleton.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { exactNumber } from '../ui/text/format.ts'
import { ItemsTab } from './items-tab.tsx'
import { ProgressBar } from './progress-bar.tsx'
import { annotationStep, queueRoute } from './routes.ts'

const AgreementTab = lazy(async () => ({ default: (await import('./agreement-tab.tsx')).AgreementTab }))
const SettingsTab = lazy(async () => ({ default: (await import('./settings-tab.tsx')).SettingsTab }))
const AddTracesDialog = lateDialog(async () => (await import('./add-traces-dialog.tsx')).AddTracesDialog)

const refreshMs = 10_000

export function QueueScreen() {
  const { id } = queueRoute.useParams()
  const search = queueRoute.useSearch()
  const navigate = queueRoute.useNavigate()
  const { may } = useSession()
  // A viewer may follow an editor's link to this tab.
  const tab = search.tab === 'settings' && !may('editor') ? undefined : search.tab
  const query = useRead('annotationQueues.get', { id }, { refreshMs })
  const queue = query.data?.queue
  const [isAdding, setAdding] = useState(false)
  const mayChange = may('editor') && queue !== undefined
  const annotate = (): void => void navigate({ to: '/annotation/$id/annotate', params: { id } })
  useCommands(mayChange ? [{ label: `Annotate ${queue.name}`, keys: 'enter', run: annotate }] : [])
  useShortcuts(
    mayChange
      ? [
          { keys: 'b', label: 'Start annotating', onPress: annotate },
          { keys: 'a', label: 'Add traces', onPress: () => setAdding(true) },
        ]
      : [],
  )
  return (
    <Screen
      title={queue?.name ?? 'Annotation queue'}
      heading={<Path parents={[annotationStep]}>{queue?.name ?? '…'}</Path>}
      actions={
        queue !== undefined && (
          <>
            <ProgressBar label="Done" done={queue.progress.done} total={queue.progress.items} />
            {mayChange && (
              <>
                <Button icon={<ListPlus aria-hidden size={14} />} onClick={() => setAdding(true)}>
                  Add traces
                </Button>
                <Link to="/annotation/$id/annotate" params={{ id }} className={buttonClass('primary')}>
                  <PenLine aria-hidden size={14} /> Annotate{' '}
                  {queue.progress.left > 0 && exactNumber(queue.progress.left)}
                </Link>
              </>
            )}
          </>
        )
      }
    >
      {query.isError && queue === undefined ? (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      ) : (
        <Tabs
          label="Queue"
          tabs={[
            { value: 'items', label: 'Items' },
            { value: 'agreement', label: 'Agreement' },
            ...(may('editor') ? [{ value: 'settings' as const, label: 'Settings' }] : []),
          ]}
          value={tab ?? 'items'}
          onChange={(next) => void navigate({ search: next === 'items' ? {} : { tab: next } })}
        >
          {queue === undefined ? (
            <SkeletonRows />
          ) : (
            <Suspense fallback={<SkeletonRows />}>
              {tab === undefined && <ItemsTab queue={queue} onAdd={() => setAdding(true)} />}
              {tab === 'agreement' && <AgreementTab queue={queue} />}
              {tab === 'settings' && <SettingsTab key={queue.id} queue={queue} />}
            </Suspense>
          )}
        </Tabs>
      )}
      {isAdding && queue !== undefined && <AddTracesDialog queue={queue} onClose={() => setAdding(false)} />}
    </Screen>
  )
}
