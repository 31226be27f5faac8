/** Why a measure changed: the values of the dimensions that account for it, with counts and intervals. */
import type { ChangeMeasure, ChangeReason } from '@plumbline/sdk'
import { Link } from '@tanstack/react-router'
import { useRead } from '../../app/api.ts'
import { rangeBetween } from '../../app/range/range.ts'
import { writeFilter } from '../../traces/filter/filter-text.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { PanelHeader } from '../../ui/panel-header.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { SidePanel } from '../../ui/split-pane.tsx'
import { formatCount, formatInstant, formatPercent, nothing } from '../../ui/text/format.ts'
import { useUtc } from '../../ui/text/values.tsx'
import { clauseOfValue, dimensionChoices, labelOfValue } from '../own/dimensions.ts'
import { lookOf } from '../own/measures.ts'

interface ExplainPanelProps {
  readonly measure: ChangeMeasure
  readonly window: { readonly from: Date; readonly to: Date }
  /** Whether an interval was selected by dragging; otherwise the window is the whole range. */
  readonly isChosen: boolean
  /** The filter as metrics accept it. */
  readonly filters: string
  /** The filter as text, for links to traces. */
  readonly text: string
  readonly onClose: () => void
}

export function ExplainPanel({ measure, window, isChosen, filters, text, onClose }: ExplainPanelProps) {
  const [isUtc] = useUtc()
  const { label } = lookOf(measure)
  const explanation = useRead('metrics.explain', {
    measure,
    from: window.from.toISOString(),
    to: window.to.toISOString(),
    filters,
  })
  const answer = explanation.isPlaceholderData ? undefined : explanation.data
  const time = (instant: Date | string): string => formatInstant(new Date(instant), isUtc).slice(0, 16)
  return (
    <SidePanel name="explain" label="Explanation" initialPx={440} onClose={onClose}>
      <PanelHeader title={`Why did it change? ${label}`} onClose={onClose} />
      <div className="flex min-h-0 flex-1 flex-col gap-4 overflow-auto p-4">
        {!isChosen && (
          <p className="rounded border border-line bg-sunken p-2 text-xs text-ink-2">
            This explains the whole range. Drag over a part of any chart to explain that part.
          </p>
        )}
        <p className="text-xs text-ink-3">
          {time(window.from)} to {time(window.to)}
          {answer && `, compared with ${time(answer.baseline.from)} to ${time(answer.baseline.to)}`}
        </p>
        {explanation.error !== null ? (
          <ErrorState error={explanation.error} onRetry={() => void explanation.refetch()} />
        ) : answer === undefined ? (
          <SkeletonRows />
        ) : (
          <>
            <Summary measure={measure} answer={answer} />
            {answer.reasons.length === 0 ? (
              <p className="text-sm text-ink-2">
                No feature, release, model, customer or other value accounts for more of the change than its
                share of the traffic.
              </p>
            ) : (
              <ol aria-label="Reasons" className="flex flex-col gap-2">
                {answer.reasons.map((reason) => (
                  <Reason
                    key={`${reason.dimension} ${reason.value}`}
                    reason={reason}
                    measure={measure}
                    text={text}
                    range={rangeBetween(window.from, window.to)}
                  />
                ))}
              </ol>
            )}
            <p className="text-xs text-ink-3">
              Intervals are 95% confidence intervals. Values that occur together explain the same change. None
              of this proves a cause.
            </p>
          </>
        )}
      </div>
    </SidePanel>
  )
}

interface Answer {
  readonly before: number | null
  readonly after: number | null
  readonly change: number | null
  readonly interval: readonly number[] | null
  readonly tracesBefore: number
  readonly tracesAfter: number
}

function Summary({ measure, answer }: { readonly measure: ChangeMeasure; readonly answer: Answer }) {
  const { format } = lookOf(measure)
  const write = (value: number | null): string => (value === null ? nothing : format(value))
  return (
    <dl className="grid grid-cols-3 gap-2 text-sm">
      <Figure
        label="Before"
        hint={`${formatCount(answer.tracesBefore)} traces`}
        value={write(answer.before)}
      />
      <Figure label="After" hint={`${formatCount(answer.tracesAfter)} traces`} value={write(answer.after)} />
      <Figure
        label="Change"
        hint={answer.interval === null ? '' : intervalText(answer.interval, format)}
        value={answer.change === null ? nothing : withSign(answer.change, format)}
      />
    </dl>
  )
}

const Figure = ({ label, value, hint }: Readonly<Record<'label' | 'value' | 'hint', string>>) => (
  <div className="min-w-0 rounded border border-line p-2">
    <dt className="text-xs text-ink-3">{label}</dt>
    <dd className="numbers truncate text-base font-semibold">{value}</dd>
    <dd className="text-2xs text-ink-3">{hint}</dd>
  </div>
)

interface ReasonProps {
  readonly reason: ChangeReason
  readonly measure: ChangeMeasure
  readonly text: string
  readonly range: string
}

function Reason({ reason, measure, text, range }: ReasonProps) {
  const { format } = lookOf(measure)
  const dimension =
    dimensionChoices.find(({ value }) => value === reason.dimension)?.label ?? 'Prompt version'
  const clauses = clausesOf(reason)
  const q = [text, writeFilter(clauses)].filter((part) => part !== '').join(' ')
  const write = (value: number | null): string => (value === null ? nothing : format(value))
  return (
    <li className="relative rounded border border-line p-2 hover:bg-hover">
      <p className="flex items-baseline gap-2 text-sm">
        <span className="shrink-0 text-xs text-ink-3">{dimension}</span>
        <Link
          to="/traces"
          search={{ q, range }}
          className="min-w-0 flex-1 truncate font-medium before:absolute before:inset-0"
        >
          <bdi>{reason.label ?? labelOfValue(reason.value)}</bdi>
        </Link>
        <span className="numbers shrink-0 font-medium">{formatPercent(reason.shareOfChange)}</span>
      </p>
      <span aria-hidden className="my-1 block h-1 rounded-full bg-hover">
        <span
          className="block h-full rounded-full bg-accent"
          style={{ width: `${Math.min(100, Math.max(2, reason.shareOfChange * 100))}%` }}
        />
      </span>
      <p className="text-xs text-ink-2">
        <span className="numbers">{withSign(reason.contribution, format)}</span>{' '}
        <span className="text-ink-3">({intervalText(reason.interval, format)})</span>; {write(reason.before)}{' '}
        → {write(reason.after)}
      </p>
      <p className="text-xs text-ink-3">
        {formatPercent(reason.shareOfTraces)} of the traces: {formatCount(reason.tracesBefore)} before,{' '}
        {formatCount(reason.tracesAfter)} after
      </p>
    </li>
  )
}

/** A prompt version consists of a slug and a version. */
function clausesOf({ dimension, value }: ChangeReason) {
  const [slug = '', version = ''] = (value ?? '').split(' ')
  const clauses =
    dimension === 'promptVersion' && value !== null
      ? [clauseOfValue('promptSlug', slug), clauseOfValue('promptVersion', version)]
      : [clauseOfValue(dimension === 'name' ? 'name' : dimension, value)]
  return clauses.filter((clause) => clause !== undefined)
}

const withSign = (value: number, format: (value: number) => string): string =>
  `${value < 0 ? '−' : '+'}${format(Math.abs(value))}`

const intervalText = (interval: readonly number[], format: (value: number) => string): string =>
  `${withSign(interval[0] ?? 0, format)} to ${withSign(interval[1] ?? 0, format)}`
