/** Beside the form: when the alert would have fired. */
import { type Output, useRead } from '../app/api.ts'
import { rangeInput, useRange } from '../app/range/use-range.ts'
import { sentenceOf } from '../ui/error-state.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { formatCount } from '../ui/text/format.ts'
import { ExactTime } from '../ui/text/values.tsx'
import { useSettled } from '../ui/use-settled.ts'
import { previewInput, type Rule } from './alert-values.ts'
import { measures } from './measures.ts'
import { PreviewChart } from './preview-chart.tsx'

const listedMax = 8

export function PreviewPanel({ rule }: { readonly rule: Rule | undefined }) {
  const { range, setRange } = useRange()
  const settledRule = useSettled(rule)
  const preview = useRead(
    'alerts.preview',
    // No request without a rule.
    settledRule === undefined ? emptyInput : { ...previewInput(settledRule), ...rangeInput(range) },
    { enabled: settledRule !== undefined },
  )
  const { data, isPlaceholderData, error } = preview
  const firings = data?.firings ?? []
  return (
    <section
      aria-label="Preview"
      className="flex min-w-0 flex-1 flex-col gap-4 border-line p-4 max-lg:border-t lg:border-l"
    >
      <div className="flex flex-col gap-1">
        <h2 className="text-sm font-medium">Preview on past data</h2>
        <p className="min-h-5 text-sm text-ink-2" aria-live="polite">
          {settledRule === undefined
            ? 'Complete the rule to preview it on past data.'
            : error !== null
              ? ''
              : data === undefined
                ? ''
                : `${data.summary}: ${timesLabel(firings.length)}.`}
        </p>
      </div>
      {error !== null && settledRule !== undefined ? (
        <p role="alert" className="text-sm text-bad">
          {sentenceOf(error).description}
        </p>
      ) : data === undefined || settledRule === undefined ? (
        <Skeleton className="h-55 w-full" />
      ) : (
        <div aria-busy={isPlaceholderData} className={isPlaceholderData ? 'opacity-60' : undefined}>
          <PreviewChart preview={data} rule={settledRule} onZoom={(start, end) => setRange([start, end])} />
        </div>
      )}
      {data !== undefined && firings.length > 0 && (
        <ul aria-label="Would have fired" className="flex flex-col gap-1 text-sm text-ink-2">
          {firings
            .slice(-listedMax)
            .reverse()
            .map(({ from, to }) => (
              <li key={from}>
                <ExactTime time={from} /> to {to === null ? 'now' : <ExactTime time={to} />}
              </li>
            ))}
          {firings.length > listedMax && (
            <li className="text-ink-3">and {firings.length - listedMax} earlier</li>
          )}
        </ul>
      )}
      {data !== undefined && settledRule !== undefined && (
        <FewSamples points={data.points} rule={settledRule} />
      )}
      {data !== undefined && data.everyMinutes > 1 && (
        <p className="text-xs text-ink-3">
          The preview samples one window every {data.everyMinutes} minutes. The alert itself may check more
          often. Choose a shorter range to see every window.
        </p>
      )}
    </section>
  )
}

interface FewSamplesProps {
  readonly points: Output<'alerts.preview'>['points']
  readonly rule: Rule
}

/** Why a value beyond the threshold fired nothing. */
function FewSamples({ points, rule }: FewSamplesProps) {
  const { samples: kind } = measures[rule.measure]
  const few = points.filter(({ value, samples }) => value !== null && samples < rule.minimumSamples).length
  if (few === 0 || kind === undefined) return null
  return (
    <p className="text-xs text-ink-2">
      {few === 1 ? 'One window has' : `${formatCount(few)} windows have`} fewer than {rule.minimumSamples}{' '}
      {kind} and count as no data.
    </p>
  )
}

const emptyInput = { measure: 'traces', windowMinutes: 1, condition: 'above', threshold: 0 } as const

const timesLabel = (times: number): string =>
  times === 0
    ? 'it would not have fired'
    : `it would have fired ${times === 1 ? 'once' : times === 2 ? 'twice' : `${times} times`}`
