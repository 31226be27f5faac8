import type { Job } from '@plumbline/sdk'
import { Ban, RotateCw } from 'lucide-react'
import { Badge } from '../../ui/badge.tsx'
import { IconButton } from '../../ui/button.tsx'
import type { Column } from '../../ui/table/columns.ts'
import { Count, RelativeTime } from '../../ui/text/values.tsx'
import { canCancel, canRetry, stateTones } from './job-states.ts'

export interface JobActions {
  readonly onRetry: (job: Job) => void
  readonly onCancel: (job: Job) => void
}

export const jobColumns = ({ onRetry, onCancel }: JobActions): readonly Column<Job>[] => [
  {
    id: 'kind',
    header: 'Kind',
    width: 150,
    grow: 1,
    cell: ({ kind, id }) => (
      <span className="font-medium" title={id}>
        {kind}
      </span>
    ),
  },
  {
    id: 'state',
    header: 'State',
    width: 90,
    cell: ({ state }) => <Badge tone={stateTones[state]}>{state}</Badge>,
  },
  { id: 'due', header: 'Due', width: 110, cell: ({ dueAt }) => <RelativeTime time={dueAt} /> },
  {
    id: 'attempts',
    header: 'Attempts',
    width: 90,
    align: 'right',
    cell: ({ attempts, attemptsMax }) =>
      attemptsMax === undefined ? <Count value={attempts} /> : `${attempts} of ${attemptsMax}`,
  },
  {
    id: 'error',
    header: 'Last error',
    width: 200,
    grow: 3,
    cell: ({ lastError = '' }) => <span title={lastError}>{lastError}</span>,
  },
  { id: 'created', header: 'Added', width: 110, cell: ({ createdAt }) => <RelativeTime time={createdAt} /> },
  {
    id: 'actions',
    header: '',
    width: 60,
    align: 'right',
    cell: (job) => (
      <span className="flex justify-end">
        {canRetry(job.state) && (
          <IconButton size="small" label={`Retry ${job.kind}`} onClick={() => onRetry(job)}>
            <RotateCw aria-hidden size={14} />
          </IconButton>
        )}
        {canCancel(job.state) && (
          <IconButton size="small" label={`Cancel ${job.kind}`} onClick={() => onCancel(job)}>
            <Ban aria-hidden size={14} />
          </IconButton>
        )}
      </span>
    ),
  },
]
