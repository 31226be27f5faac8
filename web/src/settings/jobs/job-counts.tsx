/** The jobs by kind: each number filters the list. */
import type { JobCounts } from '@plumbline/sdk'
import { Count, RelativeTime } from '../../ui/text/values.tsx'
import type { jobStates } from './job-states.ts'

type CountedState = Exclude<(typeof jobStates)[number], 'cancelled'>

const states = ['waiting', 'running', 'failed', 'done'] as const satisfies readonly CountedState[]
const labels: Readonly<Record<CountedState, string>> = {
  waiting: 'Waiting',
  running: 'Running',
  failed: 'Failed',
  done: 'Done in 7 days',
}

interface JobCountTableProps {
  readonly kinds: readonly JobCounts[]
  readonly onChoose: (kind: string, state: CountedState) => void
}

export const JobCountTable = ({ kinds, onChoose }: JobCountTableProps) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: What scrolls must be reached by keys.
  <section className="max-h-72 overflow-auto px-4 pb-3" aria-label="Jobs by kind" tabIndex={0}>
    <table className="w-full min-w-140 border-collapse text-sm">
      <thead>
        <tr className="text-left text-xs text-ink-3">
          <th scope="col" className="py-1 font-medium">
            Kind
          </th>
          {states.map((state) => (
            <th key={state} scope="col" className="py-1 text-right font-medium">
              {labels[state]}
            </th>
          ))}
          <th scope="col" className="py-1 pl-6 font-medium">
            Next due
          </th>
        </tr>
      </thead>
      <tbody>
        {kinds.map((counts) => (
          <tr key={counts.kind} className="border-t border-line">
            <th scope="row" className="py-1 text-left font-medium">
              {counts.kind}
            </th>
            {states.map((state) => (
              <td key={state} className="py-1 text-right">
                <CountCell counts={counts} state={state} onChoose={onChoose} />
              </td>
            ))}
            <td className="py-1 pl-6 text-ink-2">
              {counts.waitingSince === undefined ? '' : <RelativeTime time={counts.waitingSince} />}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </section>
)

interface CountCellProps {
  readonly counts: JobCounts
  readonly state: CountedState
  readonly onChoose: JobCountTableProps['onChoose']
}

function CountCell({ counts: { kind, isListed, ...counts }, state, onChoose }: CountCellProps) {
  const count = counts[state]
  if (!isListed || count === undefined || count === 0) return <Count value={count} />
  return (
    <button
      type="button"
      aria-label={`${count} ${state} of ${kind}`}
      onClick={() => onChoose(kind, state)}
      className={`rounded-sm px-1 underline underline-offset-2 hover:bg-hover ${state === 'failed' ? 'text-bad' : ''}`}
    >
      <Count value={count} />
    </button>
  )
}
