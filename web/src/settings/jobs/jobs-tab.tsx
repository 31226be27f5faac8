/** The service's background jobs and their failures: for owners, and for operators of all workspaces. */
import type { Job } from '@plumbline/sdk'
import { useMemo } from 'react'
import { useChange, usePages, useRead } from '../../app/api.ts'
import { useSession } from '../../app/session.tsx'
import { Chip } from '../../ui/badge.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { LabelledCheckbox } from '../../ui/form/checkbox.tsx'
import { Select } from '../../ui/form/select.tsx'
import { useToasts } from '../../ui/overlay/toast.tsx'
import { DataTable } from '../../ui/table/data-table.tsx'
import { jobsRoute } from '../routes.ts'
import { jobColumns } from './job-columns.tsx'
import { JobCountTable } from './job-counts.tsx'
import { jobStates } from './job-states.ts'

const rowId = ({ id }: Job): string => id
const refreshMs = 5000
const stateChoices = [
  { value: 'any', label: 'Any state' },
  ...jobStates.map((state) => ({ value: state, label: state.replace(/^./, (first) => first.toUpperCase()) })),
] as const

export function JobsTab() {
  const { kind, state, all } = jobsRoute.useSearch()
  const navigate = jobsRoute.useNavigate()
  const { session } = useSession()
  const isOfInstallation = session?.isOperator === true && all === true
  const scope = isOfInstallation ? { installation: true } : {}
  const counts = useRead('jobs.counts', scope, { refreshMs })
  const filters = {
    ...scope,
    ...(kind === undefined ? {} : { kind }),
    ...(state === undefined ? {} : { state }),
  }
  const pages = usePages('jobs.list', filters, 'jobs', { refreshMs })
  const columns = useJobColumns()
  if (counts.isError && counts.data === undefined)
    return <ErrorState error={counts.error} onRetry={() => void counts.refetch()} />
  const choose = (search: { kind?: string | undefined; state?: Job['state'] | undefined }): void =>
    void navigate({ search: (previous) => ({ ...previous, ...search }), replace: true })
  return (
    <>
      <div className="flex flex-wrap items-end justify-between gap-4 px-4 py-3">
        <p className="prose-width text-sm text-ink-2">
          Background work of the service. A failed job is retried with backoff. After the last attempt, it
          stays here as failed until you retry it.
        </p>
        {session?.isOperator === true && (
          <LabelledCheckbox
            label="All workspaces"
            isChecked={all === true}
            onChange={(isOn) =>
              void navigate({ search: (previous) => ({ ...previous, all: isOn ? true : undefined }) })
            }
          />
        )}
      </div>
      <JobCountTable
        kinds={counts.data?.kinds ?? []}
        onChoose={(chosenKind, chosenState) => choose({ kind: chosenKind, state: chosenState })}
      />
      <div className="flex items-center gap-2 border-t border-line px-4 py-2">
        <Select
          label="State"
          choices={stateChoices}
          value={state ?? 'any'}
          onChange={(value) => choose({ state: value === 'any' ? undefined : value })}
        />
        {kind !== undefined && (
          <Chip label={`kind ${kind}`} onRemove={() => choose({ kind: undefined })}>
            {kind}
          </Chip>
        )}
      </div>
      <div className="flex min-h-60 flex-1 flex-col border-t border-line">
        <DataTable
          label="Jobs"
          columns={columns}
          rows={pages.data === undefined ? undefined : pages.items}
          rowId={rowId}
          more={pages.more}
          empty={<EmptyState title="No jobs">There are no jobs of this kind and state.</EmptyState>}
        />
      </div>
    </>
  )
}

function useJobColumns() {
  const toasts = useToasts()
  const refreshes = ['jobs.list', 'jobs.counts'] as const
  const { mutate: retry } = useChange('jobs.retry', {
    refreshes,
    onDone: ({ job, retried }) =>
      toasts.done(retried ? `${job.kind} is queued again` : `${job.kind} is already ${job.state}`),
  })
  const { mutate: cancel } = useChange('jobs.cancel', {
    refreshes,
    onDone: ({ job, cancelled }) =>
      toasts.done(cancelled ? `Cancelled ${job.kind}` : `${job.kind} is already ${job.state}`),
  })
  return useMemo(
    () => jobColumns({ onRetry: ({ id }) => retry({ id }), onCancel: ({ id }) => cancel({ id }) }),
    [retry, cancel],
  )
}
