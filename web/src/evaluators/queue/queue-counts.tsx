import type { ReactNode } from 'react'
import type { Output } from '../../app/api.ts'
import { CountTile, ValueTile } from '../../ui/charts/count-tile.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Money, RelativeTime } from '../../ui/text/values.tsx'
import { type Status, statusWords } from './status-badge.tsx'

type Counts = Output<'evaluations.list'>['counts']

interface QueueCountsProps {
  readonly counts: Counts | undefined
  readonly status: Status | undefined
  /** Shows only evaluations with a status; undefined shows all again. */
  readonly onChoose: (status: Status | undefined) => void
}

/** The number of evaluations by status: each figure filters the list. */
export function QueueCounts({ counts, status, onChoose }: QueueCountsProps) {
  const figures: readonly {
    readonly figureStatus: Status
    readonly count: number | undefined
    /** Counts today only, not all listed evaluations. */
    readonly isToday?: boolean
    readonly hint: ReactNode
  }[] = [
    {
      figureStatus: 'waiting',
      count: counts?.waiting,
      hint: counts?.waitingSince ? (
        <>
          since <RelativeTime time={counts.waitingSince} />
        </>
      ) : (
        'queue is empty'
      ),
    },
    { figureStatus: 'running', count: counts?.running, hint: 'now' },
    { figureStatus: 'failed', count: counts?.failed, hint: 'in 30 days' },
    { figureStatus: 'done', count: counts?.doneToday, isToday: true, hint: 'scored' },
    { figureStatus: 'skipped', count: counts?.skippedToday, isToday: true, hint: 'nothing to judge' },
  ]
  return (
    <section
      aria-label="Queue figures"
      className="grid shrink-0 grid-cols-6 gap-3 border-b border-line p-4 max-lg:grid-cols-3 max-sm:grid-cols-2"
    >
      {figures.map(({ figureStatus, count, isToday = false, hint }) => (
        <CountTile
          key={figureStatus}
          label={`${statusWords[figureStatus].label}${isToday ? ' today' : ''}`}
          title={isToday ? 'Since midnight, UTC' : undefined}
          count={count}
          hint={hint}
          isBad={figureStatus === 'failed' && (count ?? 0) > 0}
          isPressed={status === figureStatus}
          onPress={() => onChoose(status === figureStatus ? undefined : figureStatus)}
        />
      ))}
      <ValueTile label="Cost today" title="Since midnight, UTC" hint="finished only">
        {counts === undefined ? <Skeleton className="h-5 w-12" /> : <Money value={counts.costToday} />}
      </ValueTile>
    </section>
  )
}
