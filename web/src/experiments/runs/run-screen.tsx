/** One run: its progress, its failures and the actions on them. */

import { Link } from '@tanstack/react-router'
import { ListTree, RotateCw, Scale, Square } from 'lucide-react'
import { lazy, Suspense, useEffect, useMemo, useState } from 'react'
import { useChange, usePages, useRead } from '../../app/api.ts'
import { Path } from '../../app/path.tsx'
import { Screen } from '../../app/screen.tsx'
import { useSession } from '../../app/session.tsx'
import { useListScores } from '../../traces/list/rows/use-list-scores.ts'
import { useTracesById } from '../../traces/use-traces-by-id.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { useToasts } from '../../ui/overlay/toast.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { DataTable } from '../../ui/table/data-table.tsx'
import { ExactTime } from '../../ui/text/values.tsx'
import { describeDataset } from '../describe-dataset.ts'
import { experimentRunRoute, experimentsStep } from '../routes.ts'
import { useOpenTraces } from '../use-open-traces.ts'
import { caseColumns, caseId } from './case-columns.tsx'
import { caseLabel, type Run, RunBadge } from './run-badge.tsx'
import { RunProgress } from './run-progress.tsx'

const CompareMenu = lazy(async () => ({ default: (await import('./compare-menu.tsx')).CompareMenu }))

const refreshMs = 1000
/** Traces appear in lists shortly after they are recorded. */
const resultsRefreshMs = 3000
/** After the end of a run its last cases, traces and scores still arrive. */
const settleMs = 20_000
const refreshes = ['experimentRuns.get', 'experimentRuns.cases', 'experimentRuns.list'] as const

export function RunScreen() {
  const { id } = experimentRunRoute.useParams()
  const answer = useRead(
    'experimentRuns.get',
    { id },
    { refreshMs: (last) => (last?.run.status === 'running' ? refreshMs : undefined) },
  )
  const run = answer.data?.run
  if (run !== undefined) return <OneRun run={run} />
  return (
    <Screen title="Run" heading={<Path parents={[experimentsStep]}>Run</Path>}>
      {answer.isError ? (
        <ErrorState error={answer.error} onRetry={() => void answer.refetch()} />
      ) : (
        <SkeletonRows />
      )}
    </Screen>
  )
}

function OneRun({ run }: { readonly run: Run }) {
  const { id, experimentId, status, problem } = run
  const openTraces = useOpenTraces()
  const changes = useChanges(status === 'running')
  const search = experimentRunRoute.useSearch()
  const navigate = experimentRunRoute.useNavigate()
  const experiment = useRead('experiments.get', { id: experimentId }).data?.experiment
  const cases = usePages(
    'experimentRuns.cases',
    { id, limit: 200, ...(search.status !== undefined && { status: search.status }) },
    'cases',
    { refreshMs: changes ? refreshMs : undefined },
  )
  const traces = useTracesById(
    cases.items.flatMap(({ traceId }) => traceId ?? []),
    changes ? resultsRefreshMs : undefined,
  )
  const listed = useMemo(() => [...traces.values()], [traces])
  const scores = useListScores(listed, true)
  const columns = useMemo(() => caseColumns(run, { traces, scores }), [run, traces, scores])
  const name = experiment?.name ?? 'Run'
  return (
    <Screen
      title={name}
      heading={
        <Path parents={[experimentsStep]}>
          <span className="truncate" dir="auto" title={name}>
            {name}
          </span>
          <span className="ml-2 shrink-0">
            <RunBadge run={run} />
          </span>
        </Path>
      }
      actions={
        <>
          <RunActions run={run} />
          <Button icon={<ListTree aria-hidden size={14} />} onClick={() => openTraces(experimentId)}>
            Traces
          </Button>
          <Link to="/experiments/compare" search={{ ids: experimentId }} className={buttonClass()}>
            <Scale aria-hidden size={14} />
            Results
          </Link>
          <Suspense>
            <CompareMenu run={run} />
          </Suspense>
        </>
      }
    >
      {problem !== null && (
        <p role="status" className="border-b border-line bg-warn-surface px-4 py-2 text-sm text-warn">
          {problem}
        </p>
      )}
      <RunProgress
        run={run}
        status={search.status}
        onChoose={(status) => void navigate({ search: { status } })}
      />
      <RunFacts run={run} />
      <DataTable
        label="Cases"
        columns={columns}
        rows={cases.data === undefined ? undefined : cases.items}
        rowId={caseId}
        hasTwoLines
        more={cases.more}
        onOpen={({ traceId }) =>
          traceId !== null && void navigate({ to: '/traces/$id', params: { id: traceId } })
        }
        empty={
          <EmptyState icon={<ListTree size={20} />} title="No cases">
            {search.status === undefined
              ? 'This run has no cases.'
              : `No case in this run is ${caseLabel(search.status).toLowerCase()}.`}
          </EmptyState>
        }
      />
    </Screen>
  )
}

/** Whether the run is still running, or has just ended while it was open. */
function useChanges(isRunning: boolean): boolean {
  const [isSettling, setSettling] = useState(false)
  useEffect(() => (isRunning ? () => setSettling(true) : undefined), [isRunning])
  useEffect(() => {
    if (!isSettling) return
    const timer = setTimeout(() => setSettling(false), settleMs)
    return () => clearTimeout(timer)
  }, [isSettling])
  return isRunning || isSettling
}

function RunActions({ run: { id, status, counts } }: { readonly run: Run }) {
  const toasts = useToasts()
  const mayChange = useSession().may('editor')
  const cancel = useChange('experimentRuns.cancel', { refreshes })
  const retry = useChange('experimentRuns.retry', {
    refreshes,
    onDone: ({ retried }) =>
      toasts.done(`${retried.toLocaleString('en-US')} ${retried === 1 ? 'case' : 'cases'} queued again`),
  })
  const openCount = counts.failed + counts.cancelled
  if (!mayChange) return null
  return (
    <>
      {status === 'running' && (
        <Button
          icon={<Square aria-hidden size={14} />}
          isBusy={cancel.isPending}
          onClick={() => cancel.mutate({ id })}
        >
          Cancel run
        </Button>
      )}
      {openCount > 0 && (
        <Button
          icon={<RotateCw aria-hidden size={14} />}
          isBusy={retry.isPending}
          onClick={() => retry.mutate({ id })}
        >
          Retry {openCount.toLocaleString('en-US')}
        </Button>
      )}
    </>
  )
}

/** The target and the dataset, in one line. */
function RunFacts({ run }: { readonly run: Run }) {
  const { target, datasetSlug, datasetVersion, evaluatorSlugs, rowCount, repetitions, createdAt } = run
  const rowsOfDataset = {
    ...(datasetVersion !== null && { version: datasetVersion }),
    ...(run.split !== null && { split: run.split }),
    ...(run.label !== null && { label: run.label }),
  }
  const linked = 'text-accent-ink underline'
  return (
    <p className="flex shrink-0 flex-wrap items-center gap-x-4 gap-y-1 border-b border-line px-4 py-2 text-sm text-ink-2">
      <span>
        {target.type === 'prompt' ? (
          <>
            <Link
              to="/prompts/$slug"
              params={{ slug: target.slug }}
              search={{ version: target.version }}
              className={linked}
            >
              {target.slug} {target.version}
            </Link>{' '}
            with {target.model}
          </>
        ) : (
          <span title={target.url}>{new URL(target.url).host}</span>
        )}{' '}
        on{' '}
        <Link to="/datasets/$slug" params={{ slug: datasetSlug }} search={rowsOfDataset} className={linked}>
          {describeDataset(run)}
        </Link>
      </span>
      <span className="numbers">
        {rowCount.toLocaleString('en-US')} {rowCount === 1 ? 'row' : 'rows'}
        {repetitions > 1 && `, ${repetitions} times each`}
      </span>
      <span className="min-w-0 truncate" title={evaluatorSlugs.join(', ')}>
        {evaluatorSlugs.length === 0 ? 'No evaluators' : `Evaluated by ${evaluatorSlugs.join(', ')}`}
      </span>
      <span className="ml-auto text-ink-3">
        <ExactTime time={createdAt} />
      </span>
    </p>
  )
}
