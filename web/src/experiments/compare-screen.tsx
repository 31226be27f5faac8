/** Experiments side by side, case by case, the worst first. */
import { Link, useNavigate } from '@tanstack/react-router'
import { Scale } from 'lucide-react'
import { lazy, Suspense, useMemo } from 'react'
import { type Input, usePages } from '../app/api.ts'
import { Path } from '../app/path.tsx'
import { Screen } from '../app/screen.tsx'
import { CommentsButton } from '../comments/comments-button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorState } from '../ui/error-state.tsx'
import { SkeletonRows } from '../ui/skeleton.tsx'
import { SidePanel } from '../ui/split-pane.tsx'
import { DataTable } from '../ui/table/data-table.tsx'
import type { MoreRows } from '../ui/table/more-rows.tsx'
import { useNarrow } from '../ui/use-width.ts'
import { type ComparedCase, type Comparison, caseColumns } from './case-columns.tsx'
import { ComparisonSummary } from './comparison-summary.tsx'
import { measureLabel } from './measures.ts'
import { compareRoute, experimentsStep } from './routes.ts'

const CasePanel = lazy(async () => ({ default: (await import('./case-panel.tsx')).CasePanel }))
const GatePanel = lazy(async () => ({ default: (await import('./gate-panel.tsx')).GatePanel }))
const CompareActions = lazy(async () => ({ default: (await import('./compare-actions.tsx')).CompareActions }))

const rowId = ({ key }: ComparedCase): string => key
const rowHeightPx = 116

export function CompareScreen() {
  const search = compareRoute.useSearch()
  const { ids = '' } = search
  const navigate = useNavigate()
  const isEnough = ids.split(',').filter((id) => id !== '').length >= 2
  const input: Input<'experiments.compare'> = {
    ids,
    limit: 50,
    ...(search.baseline !== undefined && { baseline: search.baseline }),
    ...(search.lower !== undefined && { lowerIsBetter: search.lower }),
    ...(search.regressions === true && { only: 'regressions' }),
  }
  const pages = usePages('experiments.compare', input, 'cases', { enabled: isEnough })
  const comparison = pages.data?.pages[0]
  const change = (patch: Partial<typeof search>): void =>
    void navigate({ to: '/experiments/compare', search: (previous) => ({ ...previous, ...patch }) })
  const turn = (measure: string): void => {
    const name = measureLabel(measure)
    const lower = (search.lower ?? '').split(',').filter((scoreName) => scoreName !== '')
    const next = lower.includes(name) ? lower.filter((scoreName) => scoreName !== name) : [...lower, name]
    change({ lower: next.length > 0 ? next.join(',') : undefined })
  }
  const [firstId] = ids.split(',').filter((id) => id !== '')
  const isGateOpen = search.gate === true
  const openCase = pages.items.find(({ key }) => key === search.case)
  return (
    <Screen
      title="Compare experiments"
      heading={<Path parents={[experimentsStep]}>Compare</Path>}
      actions={
        <>
          {firstId !== undefined && <CommentsButton subjectType="experiment" subjectId={firstId} />}
          {comparison && (
            <Suspense>
              <CompareActions comparison={comparison} input={input} isGateOpen={isGateOpen} change={change} />
            </Suspense>
          )}
        </>
      }
    >
      {!isEnough ? (
        <EmptyState icon={<Scale size={20} />} title="Choose two experiments">
          <Link to="/experiments" className="text-accent-ink hover:underline">
            In the list
          </Link>
          , select two to eight that ran on the same cases.
        </EmptyState>
      ) : comparison === undefined ? (
        pages.isError ? (
          <ErrorState error={pages.error} onRetry={() => void pages.refetch()} />
        ) : (
          <SkeletonRows />
        )
      ) : (
        <>
          <Warnings comparison={comparison} />
          <ComparisonSummary comparison={comparison} onTurn={turn} />
          <div className="flex min-h-60 flex-1">
            <Cases
              comparison={comparison}
              items={pages.items}
              more={pages.more}
              openId={search.case}
              onOpen={(key) => change({ case: key, gate: undefined })}
              isFiltered={search.regressions === true}
            />
            <ComparePanel comparison={comparison} openCase={openCase} change={change} />
          </div>
        </>
      )}
    </Screen>
  )
}

interface CasesProps {
  readonly comparison: Comparison
  readonly items: readonly ComparedCase[]
  readonly more: MoreRows
  readonly openId: string | undefined
  readonly onOpen: (key: string) => void
  /** Whether only regressions are shown. */
  readonly isFiltered: boolean
}

/** The cases, with fewer columns on a narrow screen. */
function Cases({ comparison, items, more, openId, onOpen, isFiltered }: CasesProps) {
  const { place, isNarrow } = useNarrow(wideMinPx)
  const columns = useMemo(() => caseColumns(comparison, isNarrow), [comparison, isNarrow])
  return (
    <div ref={place} className="flex min-h-0 min-w-0 flex-1 flex-col">
      <DataTable
        label="Cases"
        columns={columns}
        rows={items}
        rowId={rowId}
        rowHeightPx={rowHeightPx}
        openId={openId}
        onOpen={({ key }) => onOpen(key)}
        more={more}
        empty={isFiltered ? noRegressions : noTraces}
      />
    </div>
  )
}

/** Below this width, only the input and one output fit. */
const wideMinPx = 560

const noRegressions = (
  <EmptyState icon={<Scale size={20} />} title="No regressions">
    No case scores worse than in the baseline, and none newly fails.
  </EmptyState>
)
const noTraces = (
  <EmptyState icon={<Scale size={20} />} title="No traces yet">
    None of these experiments has traces yet. They appear here as they are recorded.
  </EmptyState>
)

const Warnings = ({ comparison }: { readonly comparison: Comparison }) => (
  <>
    {!comparison.isWhole && (
      <p className="border-b border-line bg-warn-surface px-4 py-2 text-sm text-warn">
        An experiment has more than 20,000 traces. Only the latest are compared.
      </p>
    )}
    {comparison.caseCount > 0 && !hasPairs(comparison) && (
      <p className="border-b border-line bg-info-surface px-4 py-2 text-sm text-info">
        The baseline shares no cases with the other experiments, so there is nothing to compare. Two traces
        are the same case if they use the same dataset row or have the same input.
      </p>
    )}
  </>
)

interface ComparePanelProps {
  readonly comparison: Comparison
  readonly openCase: ComparedCase | undefined
  readonly change: (change: ReturnType<typeof compareRoute.useSearch>) => void
}

/** The gate, or the open case, beside the cases. */
function ComparePanel({ comparison, openCase, change }: ComparePanelProps) {
  const search = compareRoute.useSearch()
  const isGateOpen = search.gate === true
  return (
    <>
      {isGateOpen && (
        <SidePanel name="gate" label="Gate" onClose={() => change({ gate: undefined })}>
          <Suspense fallback={<SkeletonRows />}>
            <GatePanel
              comparison={comparison}
              rules={search.rules}
              candidate={search.candidate}
              lower={search.lower}
              onChange={change}
              onClose={() => change({ gate: undefined })}
            />
          </Suspense>
        </SidePanel>
      )}
      {openCase !== undefined && !isGateOpen && (
        <SidePanel name="case" label="Case" onClose={() => change({ case: undefined })}>
          <Suspense fallback={<SkeletonRows />}>
            <CasePanel comparison={comparison} entry={openCase} onClose={() => change({ case: undefined })} />
          </Suspense>
        </SidePanel>
      )}
    </>
  )
}

const hasPairs = ({ measures }: Comparison): boolean =>
  measures.some(({ experiments }) => experiments.some(({ pairs = 0 }) => pairs > 0))
