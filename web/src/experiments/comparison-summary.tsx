// biome-ignore-all lint/a11y/noNoninteractiveTabindex: What scrolls must be reached by keyboard.
/** The results of the experiments by measure: averages, and whether the difference is significant. */
import { Link } from '@tanstack/react-router'
import { ArrowDown, ArrowUp } from 'lucide-react'
import type { Output } from '../app/api.ts'
import { Badge } from '../ui/badge.tsx'
import { classNames } from '../ui/class-names.ts'
import { Tooltip } from '../ui/overlay/tooltip.tsx'
import { Nothing } from '../ui/text/values.tsx'
import { describeDataset } from './describe-dataset.ts'
import { IntervalBar } from './interval-bar.tsx'
import {
  exactMeasure,
  formatDelta,
  formatMeasure,
  isScore,
  judgementClass,
  judgementOfVerdict,
  measureLabel,
} from './measures.ts'
import { VerdictBadge } from './verdict-badge.tsx'

type Comparison = Output<'experiments.compare'>
type Measure = Comparison['measures'][number]
type ExperimentMeasure = Measure['experiments'][number]

interface ComparisonSummaryProps {
  readonly comparison: Comparison
  readonly onTurn: (measure: string) => void
}

export function ComparisonSummary({ comparison, onTurn }: ComparisonSummaryProps) {
  const { experiments, baselineId, measures } = comparison
  const ordered = [
    ...experiments.filter(({ id }) => id === baselineId),
    ...experiments.filter(({ id }) => id !== baselineId),
  ]
  return (
    <section
      tabIndex={0}
      aria-label="Summary"
      className="max-h-[42vh] shrink-0 overflow-auto border-b border-line"
    >
      <table
        className="w-full min-w-(--wide) table-fixed border-collapse text-sm max-md:min-w-(--narrow)"
        style={minWidths(ordered.length)}
      >
        <thead className="sticky top-0 z-1 bg-surface text-left text-xs text-ink-3">
          <tr className="border-b border-line">
            <th scope="col" className="w-60 px-4 py-2 font-medium max-md:w-28 max-md:pr-2">
              Measure
            </th>
            {ordered.map(({ id, name }) => (
              <th
                key={id}
                scope="col"
                className={classNames(
                  'border-l border-line px-3 py-2 font-medium max-md:px-2',
                  id === baselineId && 'max-md:w-26',
                )}
              >
                <span className="flex items-center gap-2 max-md:flex-col max-md:items-start max-md:gap-0.5">
                  <span className="max-w-full min-w-0 truncate text-ink" title={name} dir="auto">
                    {name}
                  </span>
                  {id === baselineId && <Badge>Baseline</Badge>}
                </span>
                <DatasetsOf comparison={comparison} id={id} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {measures.map((measure) => (
            <tr key={measure.name} className="border-b border-line last:border-b-0">
              <th scope="row" className="px-4 py-1.5 text-left font-medium max-md:pr-2">
                <Direction measure={measure} onTurn={onTurn} />
              </th>
              {ordered.map(({ id }) => {
                const result = measure.experiments.find((experiment) => experiment.id === id)
                return (
                  <td key={id} className="border-l border-line px-3 py-1.5 align-middle max-md:px-2">
                    {result && <Standing measure={measure} result={result} isBaseline={id === baselineId} />}
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

/** A phone fits the measure, the mean of the baseline and one experiment, in two lines each. */
const minWidths = (count: number): Readonly<Record<`--${string}`, string>> => ({
  '--wide': `${240 + count * 300}px`,
  '--narrow': `${216 + (count - 1) * 170}px`,
})

/** The rows that the experiment ran on; empty if neither its run nor its traces state them. */
const DatasetsOf = ({ comparison, id }: { readonly comparison: Comparison; readonly id: string }) =>
  comparison.datasets
    .filter((dataset) => dataset.id === id)
    .map(({ datasetSlug, datasetVersion, split, label }) => (
      <Link
        key={`${datasetSlug} ${datasetVersion} ${split} ${label}`}
        to="/datasets/$slug"
        params={{ slug: datasetSlug }}
        search={{
          ...(datasetVersion !== null && { version: datasetVersion }),
          ...(split !== null && { split }),
          ...(label !== null && { label }),
        }}
        className="block truncate font-normal text-ink-2 underline"
      >
        {describeDataset({ datasetSlug, datasetVersion, split, label })}
      </Link>
    ))

/** Only the user knows whether a lower score is better. */
function Direction({
  measure: { name, lowerIsBetter },
  onTurn,
}: {
  measure: Measure
  onTurn: (name: string) => void
}) {
  const label = measureLabel(name)
  const direction = lowerIsBetter ? 'lower is better' : 'higher is better'
  const Icon = lowerIsBetter ? ArrowDown : ArrowUp
  if (!isScore(name))
    return (
      <span className="flex items-center gap-1.5" title={direction}>
        {label}
        <Icon aria-hidden size={12} className="text-ink-3" />
      </span>
    )
  return (
    <Tooltip text={`${direction}; click to change`}>
      <button
        type="button"
        aria-label={`${label}: ${direction}`}
        onClick={() => onTurn(name)}
        className="-mx-1 flex max-w-56 items-center gap-1.5 rounded-sm px-1 hover:bg-hover"
      >
        <span className="truncate">{label}</span>
        <Icon aria-hidden size={12} className="shrink-0 text-accent-ink" />
      </button>
    </Tooltip>
  )
}

interface StandingProps {
  readonly measure: Measure
  readonly result: ExperimentMeasure
  readonly isBaseline: boolean
}

function Standing({ measure, result, isBaseline }: StandingProps) {
  const { name, experiments } = measure
  const { mean, count, meanDelta, low, high, pairs = 0 } = result
  if (mean === null) return <Nothing />
  const shownMean = (
    <span className="numbers font-medium" title={exactMeasure(name, mean)}>
      {formatMeasure(name, mean)}
    </span>
  )
  if (isBaseline || meanDelta == null || pairs === 0)
    return (
      <span className="flex flex-wrap items-center gap-x-3">
        {shownMean}
        <span className="text-xs text-ink-3">n {count}</span>
        {!isBaseline && <span className="text-xs text-ink-3">no shared cases</span>}
      </span>
    )
  const judgement = judgementOfVerdict(result.verdict)
  const reach = Math.max(
    ...experiments.flatMap((experiment) => [Math.abs(experiment.low ?? 0), Math.abs(experiment.high ?? 0)]),
  )
  return (
    <div className="flex flex-col gap-0.5">
      <div className="grid grid-cols-[4rem_4.75rem_minmax(3rem,1fr)_5.5rem] items-center gap-2 max-md:flex max-md:flex-wrap max-md:gap-y-0.5">
        {shownMean}
        <span
          className={classNames('numbers', judgementClass[judgement])}
          title={`Mean difference ${exactMeasure(name, meanDelta)}`}
        >
          {formatDelta(name, meanDelta)}
        </span>
        <span className="max-md:hidden">
          {low != null && high != null && (
            <IntervalBar
              measure={name}
              low={low}
              mean={meanDelta}
              high={high}
              reach={reach}
              judgement={judgement}
            />
          )}
        </span>
        <span className="text-right">
          <VerdictBadge judgement={judgement} isTooFew={result.verdict === 'too_few'} />
        </span>
      </div>
      <Evidence name={name} result={result} />
    </div>
  )
}

/** The evidence for the verdict, and the number of cases or the difference it would take to reach one. */
function Evidence({ name, result }: { readonly name: string; readonly result: ExperimentMeasure }) {
  const { pairs = 0, better = 0, worse = 0, pCorrected, casesNeeded, detectable } = result
  return (
    <div className="numbers text-2xs text-ink-3">
      {better} better, {worse} worse of {pairs}
      {casesNeeded !== undefined
        ? `, a verdict needs at least ${casesNeeded} more ${casesNeeded === 1 ? 'case' : 'cases'}`
        : pCorrected !== undefined && (
            <span title="Sign-flip test of the mean difference, corrected for all measures and experiments compared">
              , p {formatP(pCorrected)}
            </span>
          )}
      {casesNeeded === undefined && detectable != null && (
        <span
          className="max-md:hidden"
          title="The smallest mean difference that this comparison detects with 80% probability"
        >
          , smallest detectable difference {formatMeasure(name, detectable)}
        </span>
      )}
    </div>
  )
}

const formatP = (value: number): string => (value < 0.001 ? '< 0.001' : value.toFixed(3))
