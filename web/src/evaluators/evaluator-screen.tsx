/** One evaluator: its scores, versions, sampling and evaluations. Or the name of posted scores without an evaluator. */
import type { Evaluator } from '@plumbline/sdk'
import { Pencil, Trash2 } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { useRead } from '../app/api.ts'
import { useCommands } from '../app/palette/commands.tsx'
import { Path } from '../app/path.tsx'
import { Screen } from '../app/screen.tsx'
import { useSession } from '../app/session.tsx'
import { Badge } from '../ui/badge.tsx'
import { Button, IconButton } from '../ui/button.tsx'
import { useShortcuts } from '../ui/shortcuts.tsx'
import { SkeletonRows } from '../ui/skeleton.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { formatPercent } from '../ui/text/format.ts'
import { DeleteEvaluatorDialog } from './delete-evaluator-dialog.tsx'
import { kinds } from './edit/kinds.ts'
import { evaluatorRoute, evaluatorsStep } from './routes.ts'
import { ScoresView } from './scores/scores-view.tsx'

const VersionsTab = lazy(async () => ({ default: (await import('./versions-tab.tsx')).VersionsTab }))
const SamplingTab = lazy(async () => ({ default: (await import('./sampling-tab.tsx')).SamplingTab }))
const PeopleTab = lazy(async () => ({ default: (await import('./people-tab.tsx')).PeopleTab }))
const EvaluationsTab = lazy(async () => ({ default: (await import('./evaluations-tab.tsx')).EvaluationsTab }))

export function EvaluatorScreen() {
  const { slug } = evaluatorRoute.useParams()
  const { view } = evaluatorRoute.useSearch()
  const navigate = evaluatorRoute.useNavigate()
  const { may } = useSession()
  const list = useRead('evaluators.list', {})
  const evaluator = list.data?.evaluators.find((candidate) => candidate.slug === slug)
  const [isDeleting, setDeleting] = useState(false)
  const mayChange = may('editor') && evaluator !== undefined
  const edit = (): void => void navigate({ to: '/evaluators/$slug/edit', params: { slug } })
  useCommands(mayChange ? [{ label: `Edit ${evaluator.name}`, keys: 'e', run: edit }] : [])
  useShortcuts(mayChange ? [{ keys: 'e', label: 'Edit evaluator', onPress: edit }] : [])
  return (
    <Screen
      title={evaluator?.name ?? slug}
      heading={<Path parents={[evaluatorsStep]}>{evaluator?.name ?? slug}</Path>}
      hasRange
      actions={
        mayChange && (
          <>
            <Button icon={<Pencil aria-hidden size={14} />} onClick={edit}>
              Edit
            </Button>
            <IconButton label={`Delete ${evaluator.name}`} onClick={() => setDeleting(true)}>
              <Trash2 aria-hidden size={16} />
            </IconButton>
          </>
        )
      }
    >
      <EvaluatorFacts evaluator={evaluator} isLoaded={list.data !== undefined} />
      {evaluator === undefined ? (
        <ScoresView slug={slug} evaluator={undefined} />
      ) : (
        <Tabs
          label="Evaluator"
          tabs={tabsOf(evaluator)}
          value={view ?? 'scores'}
          onChange={(next) => void navigate({ search: next === 'scores' ? {} : { view: next } })}
        >
          <Suspense fallback={<SkeletonRows />}>
            {view === 'versions' ? (
              <VersionsTab evaluator={evaluator} />
            ) : view === 'sampling' ? (
              <SamplingTab evaluator={evaluator} />
            ) : view === 'evaluations' ? (
              <EvaluationsTab evaluator={evaluator} />
            ) : view === 'people' ? (
              <PeopleTab />
            ) : (
              <ScoresView slug={slug} evaluator={evaluator} />
            )}
          </Suspense>
        </Tabs>
      )}
      <DeleteEvaluatorDialog
        evaluator={isDeleting ? evaluator : undefined}
        onClose={() => setDeleting(false)}
        onDeleted={() => void navigate({ to: '/evaluators' })}
      />
    </Screen>
  )
}

/** People score the items of their queues: human evaluators neither sample nor wait. */
const tabsOf = ({ kind }: Evaluator) =>
  [
    { value: 'scores', label: 'Scores' },
    { value: 'versions', label: 'Versions' },
    ...(kind === 'human'
      ? []
      : [
          { value: 'sampling', label: 'Sampling' } as const,
          { value: 'evaluations', label: 'Evaluations' } as const,
          { value: 'people', label: 'Human agreement' } as const,
        ]),
  ] as const

interface EvaluatorFactsProps {
  readonly evaluator: Evaluator | undefined
  readonly isLoaded: boolean
}

function EvaluatorFacts({ evaluator, isLoaded }: EvaluatorFactsProps) {
  return (
    <div className="flex min-h-9 shrink-0 flex-wrap items-center gap-2 px-4 pt-2 pb-1 text-sm text-ink-2">
      {evaluator !== undefined ? (
        <>
          <Badge tone="info">{kinds[evaluator.kind].label}</Badge>
          <Badge>v{evaluator.version}</Badge>
          {evaluator.kind !== 'human' && <span>samples {formatPercent(evaluator.sampleRate)} of traces</span>}
          {evaluator.liveRule !== null && (
            <span>judges {formatPercent(evaluator.liveRule.sampleRate)} of live traffic</span>
          )}
        </>
      ) : (
        isLoaded && <span>These scores are posted through the API; no evaluator produces them.</span>
      )}
    </div>
  )
}
