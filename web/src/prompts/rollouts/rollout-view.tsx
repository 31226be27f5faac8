/** The rollouts of a prompt: running ones compared with their baselines, and past ones with their outcomes. */
import type { PromptVersion } from '@plumbline/sdk'
import { Plus, Split } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { usePages } from '../../app/api.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { PastRollouts } from './past-rollouts.tsx'
import { RunningRollout } from './running-rollout.tsx'

const StartRolloutDialog = lazy(async () => ({
  default: (await import('./start-rollout-dialog.tsx')).StartRolloutDialog,
}))

interface RolloutViewProps {
  readonly slug: string
  readonly versions: readonly PromptVersion[]
  readonly openVersion: string
  readonly mayChange: boolean
  readonly onOpen: (version: string) => void
}

export function RolloutView({ slug, versions, openVersion, mayChange, onOpen }: RolloutViewProps) {
  const [isStarting, setStarting] = useState(false)
  const pages = usePages('rollouts.list', { promptSlug: slug }, 'rollouts', { refreshMs: 10_000 })
  if (pages.isError && pages.data === undefined)
    return <ErrorState error={pages.error} onRetry={() => void pages.refetch()} />
  if (pages.data === undefined) return <SkeletonRows count={4} />
  const running = pages.items.filter(({ status }) => status === 'running')
  const pastRollouts = pages.items.filter(({ status }) => status !== 'running')
  const start = mayChange && (
    <Button icon={<Plus aria-hidden size={14} />} onClick={() => setStarting(true)}>
      Start a rollout
    </Button>
  )
  return (
    <>
      {pages.items.length === 0 ? (
        <EmptyState icon={<Split size={20} />} title="No rollouts yet" action={start}>
          Serve a version to some of your users first. Compare its cost, latency and scores with the current
          version, then promote it or roll it back. An alert can roll it back automatically.
        </EmptyState>
      ) : (
        <div className="flex flex-col gap-6 p-4">
          <div className="flex flex-wrap items-center gap-3">
            <p className="text-sm text-ink-2" role="status">
              {running.length === 0
                ? 'No rollouts are running.'
                : running.length === 1
                  ? 'One rollout is running.'
                  : `${running.length} rollouts are running.`}
            </p>
            <span className="ml-auto">{start}</span>
          </div>
          {running.map((rollout) => (
            <RunningRollout key={rollout.id} rollout={rollout} mayChange={mayChange} onOpen={onOpen} />
          ))}
          {pastRollouts.length > 0 && (
            <PastRollouts
              rollouts={pastRollouts}
              onOpen={onOpen}
              onMore={pages.hasNextPage ? pages.loadMore : undefined}
            />
          )}
        </div>
      )}
      <Suspense>
        <StartRolloutDialog
          slug={slug}
          versions={versions}
          openVersion={openVersion}
          usedTags={running.map(({ tag }) => tag)}
          isOpen={isStarting}
          onClose={() => setStarting(false)}
        />
      </Suspense>
    </>
  )
}
