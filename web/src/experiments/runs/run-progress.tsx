/** How far a run is: a bar of its cases, and a figure for each status that shows only those. */
import { classNames } from '../../ui/class-names.ts'
import { Count, Money } from '../../ui/values.tsx'
import { type CaseStatus, caseWords, type Run } from './run-badge.tsx'

interface RunProgressProps {
  readonly run: Run
  readonly status: CaseStatus | undefined
  /** Shows only cases of a status; all of them again with undefined. */
  readonly onChoose: (status: CaseStatus | undefined) => void
}

const fills: Readonly<Record<CaseStatus, string>> = {
  done: 'bg-good',
  failed: 'bg-bad',
  running: 'bg-info',
  cancelled: 'bg-line-strong',
  waiting: '',
}
const order: readonly CaseStatus[] = ['done', 'failed', 'running', 'waiting', 'cancelled']

export function RunProgress({ run, status, onChoose }: RunProgressProps) {
  const { counts, cost, spendMax } = run
  const total = order.reduce((sum, of) => sum + counts[of], 0)
  const ended = counts.done + counts.failed + counts.cancelled
  return (
    <section aria-label="Progress" className="flex shrink-0 flex-col gap-3 border-b border-line p-4">
      <div
        role="progressbar"
        aria-label="Cases that have ended"
        aria-valuemin={0}
        aria-valuemax={total}
        aria-valuenow={ended}
        className="flex h-2 overflow-hidden rounded-sm bg-sunken"
      >
        {order
          .filter((of) => fills[of] !== '' && counts[of] > 0)
          .map((of) => (
            <span
              key={of}
              className={classNames('h-full', fills[of])}
              style={{ width: `${(100 * counts[of]) / total}%` }}
            />
          ))}
      </div>
      <div className="grid grid-cols-6 gap-3 max-lg:grid-cols-3 max-sm:grid-cols-2">
        {order.map((of) => (
          <button
            key={of}
            type="button"
            aria-pressed={status === of}
            onClick={() => onChoose(status === of ? undefined : of)}
            className={classNames(
              'min-w-0 rounded border px-3 py-2 text-left hover:bg-hover',
              status === of ? 'border-accent bg-selected' : 'border-line',
            )}
          >
            <span className="block text-xs text-ink-3">{caseWords(of)}</span>
            <span
              className={classNames(
                'flex h-7 items-center text-lg font-semibold [&_.numbers]:font-sans [&_.numbers]:text-lg',
                of === 'failed' && counts.failed > 0 && 'text-bad',
              )}
            >
              <Count value={counts[of]} />
            </span>
          </button>
        ))}
        <div className="min-w-0 rounded border border-line px-3 py-2">
          <span className="block text-xs text-ink-3">
            Cost{spendMax !== null && ` of at most $${spendMax}`}
          </span>
          <span className="flex h-7 items-center text-lg font-semibold [&_.numbers]:font-sans [&_.numbers]:text-lg">
            {/* An endpoint does not tell what it costs. */}
            <Money value={cost === 0 ? undefined : cost} />
          </span>
        </div>
      </div>
    </section>
  )
}
