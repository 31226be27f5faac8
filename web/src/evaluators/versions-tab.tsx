/** The versions of an evaluator: their configurations, differences and scores, and a way to restore one. */
import type { Evaluator, EvaluatorVersion } from '@plumbline/sdk'
import { History } from 'lucide-react'
import { useChange, useRead } from '../app/api.ts'
import { useSession } from '../app/session.tsx'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { TimeChart } from '../ui/charts/time-chart.tsx'
import { ErrorState } from '../ui/error-state.tsx'
import { Select } from '../ui/form/select.tsx'
import { useToasts } from '../ui/overlay/toast.tsx'
import { SkeletonRows } from '../ui/skeleton.tsx'
import { DiffView } from '../ui/text/diff-view.tsx'
import { formatMean } from '../ui/text/format.ts'
import { configText } from './edit/config-text.ts'
import { kinds } from './edit/kinds.ts'
import { evaluatorRoute } from './routes.ts'
import { useJudging } from './use-judging.ts'
import { VersionList } from './version-list.tsx'

export function VersionsTab({ evaluator }: { readonly evaluator: Evaluator }) {
  const { version: openVersion, against } = evaluatorRoute.useSearch()
  const navigate = evaluatorRoute.useNavigate()
  const answer = useRead('evaluators.versions', { slug: evaluator.slug })
  const versions = answer.data?.versions
  if (answer.isError && versions === undefined)
    return <ErrorState error={answer.error} onRetry={() => void answer.refetch()} />
  if (versions === undefined) return <SkeletonRows />
  const versionInView = versions.find(({ version }) => version === openVersion) ?? versions[0]
  const before = versions.find(({ version }) => version === against) ?? beforeOf(versions, versionInView)
  const change = (next: { readonly version?: number; readonly against?: number | undefined }): void =>
    void navigate({ search: (search) => ({ ...search, ...next }), replace: true })
  return (
    <div className="flex h-full max-md:flex-col">
      <div className="w-72 shrink-0 overflow-y-auto border-r border-line max-md:max-h-52 max-md:w-full max-md:border-r-0 max-md:border-b">
        <VersionList
          versions={versions}
          openVersion={versionInView?.version}
          onChoose={(version) => change({ version, against: undefined })}
        />
      </div>
      <div className="flex min-w-0 flex-1 flex-col overflow-y-auto">
        {versionInView !== undefined && (
          <VersionView
            evaluator={evaluator}
            versionInView={versionInView}
            before={before}
            versions={versions}
            onCompare={(version) => change({ version: versionInView.version, against: version })}
          />
        )}
        <ScoresByVersion slug={evaluator.slug} />
      </div>
    </div>
  )
}

/** The version before a given one. */
const beforeOf = (
  versions: readonly EvaluatorVersion[],
  versionInView: EvaluatorVersion | undefined,
): EvaluatorVersion | undefined =>
  versionInView === undefined ? undefined : versions[versions.indexOf(versionInView) + 1]

interface VersionViewProps {
  readonly evaluator: Evaluator
  readonly versionInView: EvaluatorVersion
  readonly before: EvaluatorVersion | undefined
  readonly versions: readonly EvaluatorVersion[]
  readonly onCompare: (version: number) => void
}

function VersionView({ evaluator, versionInView, before, versions, onCompare }: VersionViewProps) {
  const { may } = useSession()
  const toasts = useToasts()
  const restore = useChange('evaluators.update', {
    refreshes: ['evaluators.list', 'evaluators.get', 'evaluators.versions'],
    onDone: ({ evaluator: newEvaluator }) =>
      toasts.done(
        `Version ${newEvaluator.version} is now in use, with the configuration of version ${versionInView.version}`,
      ),
  })
  const others = versions.filter(({ version }) => version !== versionInView.version)
  return (
    <section aria-label={`Version ${versionInView.version}`} className="flex flex-col gap-3 p-4">
      <div className="flex flex-wrap items-center gap-2 text-sm">
        <h2 className="text-base font-medium">
          Version <span className="numbers">{versionInView.version}</span>
        </h2>
        <Badge tone="info">{kinds[versionInView.kind].label}</Badge>
        <span className="flex-1" />
        {others.length > 0 && (
          <span className="flex items-center gap-2">
            <span className="text-ink-2">compared with</span>
            <Select
              label="Compare with"
              className="w-36"
              choices={others.map(({ version }) => ({ value: String(version), label: `Version ${version}` }))}
              value={before === undefined ? undefined : String(before.version)}
              placeholder="Choose…"
              onChange={(version) => onCompare(Number(version))}
            />
          </span>
        )}
        {may('editor') && !versionInView.isCurrent && (
          <Button
            icon={<History aria-hidden size={14} />}
            isBusy={restore.isPending}
            onClick={() =>
              restore.mutate({
                slug: evaluator.slug,
                kind: versionInView.kind,
                config: { ...versionInView.config },
              })
            }
          >
            Restore
          </Button>
        )}
      </div>
      {before === undefined ? (
        <pre className="overflow-x-auto rounded border border-line bg-sunken p-3 font-mono text-xs leading-5 whitespace-pre-wrap">
          {textOf(versionInView)}
        </pre>
      ) : (
        <DiffView
          before={textOf(before)}
          after={textOf(versionInView)}
          label={`What changed from version ${before.version} to version ${versionInView.version}`}
        />
      )}
    </section>
  )
}

const textOf = ({ kind, config }: EvaluatorVersion): string => `kind: ${kind}\n${configText(config)}`

function ScoresByVersion({ slug }: { readonly slug: string }) {
  const { judging } = useJudging(slug)
  const series = (judging?.byVersion ?? []).filter(({ trend }) => trend.mean !== null)
  if (judging === undefined || series.length === 0) return null
  return (
    <section aria-label="Scores by version" className="flex flex-col gap-2 border-t border-line p-4">
      <h2 className="text-base font-medium">Mean score by version</h2>
      <p className="text-sm text-ink-2">
        By trace start time. A jump after a new version can come from the version or from the application.
      </p>
      <TimeChart
        label="Mean score over time by version of the evaluator"
        kind="lines"
        height={180}
        times={judging.times}
        series={series.slice(-8).map(({ version, trend }) => ({
          key: `v${version}`,
          label: `Version ${version}`,
          values: trend.averages,
        }))}
        format={formatMean}
      />
    </section>
  )
}
