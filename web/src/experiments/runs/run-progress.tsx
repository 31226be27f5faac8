/** The progress of a run: a bar of its cases, and a figure per status that filters them. */

import { CountTile, ValueTile } from '../../ui/charts/count-tile.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Money } from '../../ui/text/values.tsx'
import { type CaseStatus, caseLabel, type Run } from './run-badge.tsx'

interface RunProgressProps {
  readonly run: Run
  readonly status: CaseStatus | undefined
  /** Shows only cases with a status; undefined shows all again. */
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
  const total = order.reduce((sum, caseStatus) => sum + counts[caseStatus], 0)
  const ended = counts.done + counts.failed + counts.cancelled
  return (
    <section aria-label="Progress" className="flex shrink-0 flex-col gap-3 border-b border-line p-4">
      <div
        role="progressbar"
        aria-label="Finished cases"
        aria-valuemin={0}
        aria-valuemax={total}
        aria-valuenow={ended}
        className="flex h-2 overflow-hidden rounded-sm bg-sunken"
      >
        {order
          .filter((caseStatus) => fills[caseStatus] !== '' && counts[caseStatus] > 0)
          .map((caseStatus) => (
            <span
              key={caseStatus}
              className={classNames('h-full', fills[caseStatus])}
              style={{ width: `${(100 * counts[caseStatus]) / total}%` }}
            />
          ))}
      </div>
      <div className="grid grid-cols-6 gap-3 max-lg:grid-cols-3 max-sm:grid-cols-2">
        {order.map((caseStatus) => (
          <CountTile
            key={caseStatus}
            label={caseLabel(caseStatus)}
            count={counts[caseStatus]}
            isBad={caseStatus === 'failed' && counts.failed > 0}
            isPressed={status === caseStatus}
            onPress={() => onChoose(status === caseStatus ? undefined : caseStatus)}
          />
        ))}
        <ValueTile label={`Cost${spendMax === null ? '' : `, limit $${spendMax}`}`}>
          {/* The cost of an endpoint is unknown. */}
          <Money value={cost === 0 ? undefined : cost} />
        </ValueTile>
      </div>
    </section>
  )
}
