import type { ReactNode } from 'react'
import type { Output } from '../../app/api.ts'
import { classNames } from '../../ui/class-names.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Count, Money, RelativeTime } from '../../ui/values.tsx'
import { type Status, statusWords } from './status-badge.tsx'

type Counts = Output<'evaluations.list'>['counts']

interface QueueCountsProps {
  readonly counts: Counts | undefined
  readonly status: Status | undefined
  /** Shows only those of a status; all of them again with undefined. */
  readonly onChoose: (status: Status | undefined) => void
}

/** How many evaluations there are, by status: each figure shows only those. */
export function QueueCounts({ counts, status, onChoose }: QueueCountsProps) {
  const figures: readonly {
    readonly of: Status
    readonly count: number | undefined
    /** Of this day, not of all that are listed. */
    readonly isToday?: boolean
    readonly hint: ReactNode
  }[] = [
    {
      of: 'waiting',
      count: counts?.waiting,
      hint: counts?.waitingSince ? (
        <>
          since <RelativeTime at={counts.waitingSince} />
        </>
      ) : (
        'nothing waits'
      ),
    },
    { of: 'running', count: counts?.running, hint: 'now' },
    { of: 'failed', count: counts?.failed, hint: 'in 30 days' },
    { of: 'done', count: counts?.doneToday, isToday: true, hint: 'have a score' },
    { of: 'skipped', count: counts?.skippedToday, isToday: true, hint: 'nothing to judge' },
  ]
  return (
    <section
      aria-label="The queue in numbers"
      className="grid shrink-0 grid-cols-6 gap-3 border-b border-line p-4 max-lg:grid-cols-3 max-sm:grid-cols-2"
    >
      {figures.map(({ of, count, isToday = false, hint }) => (
        <button
          key={of}
          type="button"
          aria-pressed={status === of}
          onClick={() => onChoose(status === of ? undefined : of)}
          className={classNames(
            'min-w-0 rounded border p-3 text-left hover:bg-hover',
            status === of ? 'border-accent bg-selected' : 'border-line',
          )}
        >
          <span className="block text-xs text-ink-3" title={isToday ? 'Since midnight, UTC' : undefined}>
            {statusWords[of].label}
            {isToday && ' today'}
          </span>
          <span
            className={classNames(
              'mt-1 flex h-7 items-center text-title font-semibold [&_.numbers]:font-sans [&_.numbers]:text-title',
              of === 'failed' && (count ?? 0) > 0 && 'text-bad',
            )}
          >
            {count === undefined ? <Skeleton className="h-5 w-12" /> : <Count value={count} />}
          </span>
          <span className="mt-0.5 block h-4 truncate text-2xs text-ink-3">{hint}</span>
        </button>
      ))}
      <div className="min-w-0 rounded border border-line p-3">
        <span className="block text-xs text-ink-3" title="Since midnight, UTC">
          Cost today
        </span>
        <span className="mt-1 flex h-7 items-center text-title font-semibold [&_.numbers]:font-sans [&_.numbers]:text-title">
          {counts === undefined ? <Skeleton className="h-5 w-12" /> : <Money value={counts.costToday} />}
        </span>
        <span className="mt-0.5 block h-4 truncate text-2xs text-ink-3">of those done</span>
      </div>
    </section>
  )
}
