/** Erasure of one end user or organization, with a report as proof. */
import type { Erasure } from '@plumbline/sdk'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useChange, useRead } from '../../app/api.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { downloadText } from '../../ui/files/download.ts'
import { Field, Input } from '../../ui/form/field.tsx'
import { ConfirmDialog } from '../../ui/overlay/dialog.tsx'
import { useToasts } from '../../ui/overlay/toast.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { ExactTime } from '../../ui/text/values.tsx'
import { Section } from '../section.tsx'

const pollMs = 2000

export function ErasureTab() {
  return (
    <>
      <Section
        title="Erase a user or an organization"
        hint="Deletes everything this workspace has about one end user or organization: traces, scores, dataset rows, files and everything derived from them. Stop sending their data first: data that arrives later is kept."
      >
        <RequestForm />
      </Section>
      <Section
        title="Reports"
        hint="A report does not name the person. Anyone who knows the ID can verify the report by its hash."
      >
        <Reports />
      </Section>
    </>
  )
}

function RequestForm() {
  const [type, setType] = useState<'user' | 'organization'>('user')
  const [id, setId] = useState('')
  const toasts = useToasts()
  const preview = useChange('erasures.preview', {})
  const create = useChange('erasures.create', {
    refreshes: ['erasures.list'],
    onDone: () => {
      setId('')
      preview.reset()
      toasts.done('Erasure started')
    },
  })
  // A pasted ID often has a trailing space, and would match nothing.
  const plainId = id.trim()
  const subject = type === 'user' ? { userId: plainId } : { organizationId: plainId }
  const isNothing = Object.values(preview.data?.found ?? {}).every((count) => count === 0)
  return (
    <form
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        preview.mutate(subject)
      }}
    >
      <fieldset className="relative flex gap-4 text-sm">
        <legend className="sr-only">What to erase</legend>
        {(['user', 'organization'] as const).map((each) => (
          <label key={each} className="flex items-center gap-2">
            <input type="radio" name="subject" checked={type === each} onChange={() => setType(each)} />
            {each === 'user' ? 'User' : 'Organization'}
          </label>
        ))}
      </fieldset>
      <Field label={type === 'user' ? 'User ID' : 'Organization ID'}>
        <Input value={id} onChange={(event) => setId(event.currentTarget.value)} required maxLength={1024} />
      </Field>
      <div>
        <Button type="submit" look="danger" disabled={plainId === ''} isBusy={preview.isPending}>
          Preview erasure
        </Button>
      </div>
      <ConfirmDialog
        isOpen={preview.data !== undefined}
        onClose={() => preview.reset()}
        title={`Erase this ${type}?`}
        action="Erase"
        typedName={plainId}
        isBusy={create.isPending}
        onConfirm={() => create.mutate(subject)}
      >
        {preview.data !== undefined && (
          <>
            {isNothing ? (
              <p>
                Nothing is stored under this ID. It must be the exact, full ID of{' '}
                {type === 'user' ? 'a user' : 'an organization'}:{' '}
                <Link
                  to="/users"
                  search={{ tab: type === 'user' ? undefined : 'customers', q: plainId, range: '90d' }}
                  className="text-accent-ink hover:underline"
                >
                  look it up
                </Link>
                . Erasing still writes a report, which says so.
              </p>
            ) : (
              <>
                <p>This deletes the following rows. It cannot be undone.</p>
                <Places rows={preview.data.found} />
                <p>Comments on these traces and their share links are deleted too.</p>
              </>
            )}
            {preview.data.mentions > 0 && (
              <p>
                The ID also appears in the texts of{' '}
                <Link
                  to="/traces"
                  search={{ q: JSON.stringify(plainId), range: '90d' }}
                  className="text-accent-ink hover:underline"
                >
                  {preview.data.mentions === 1 ? '1 other trace' : `${preview.data.mentions} other traces`}
                </Link>
                . They are kept; delete them yourself if they are about this {type}.
              </p>
            )}
          </>
        )}
      </ConfirmDialog>
    </form>
  )
}

function Reports() {
  const erasures = useRead('erasures.list', {}, { refreshMs: pollMs })
  if (erasures.isError && erasures.data === undefined)
    return <ErrorState error={erasures.error} onRetry={() => void erasures.refetch()} />
  if (erasures.data === undefined) return <Skeleton className="h-8 w-full" />
  if (erasures.data.erasures.length === 0)
    return <EmptyState title="No erasures">Nothing has been erased in this workspace.</EmptyState>
  return (
    <ul className="flex flex-col gap-4" aria-label="Erasures">
      {erasures.data.erasures.map((erasure) => (
        <li key={erasure.id} className="flex flex-col gap-2 border-b border-line pb-4 text-sm">
          <Report erasure={erasure} />
        </li>
      ))}
    </ul>
  )
}

const states = {
  running: { label: 'Deleting', tone: 'accent' },
  purging: { label: 'Removing from disk', tone: 'accent' },
  done: { label: 'Done', tone: 'good' },
  cancelled: { label: 'Cancelled', tone: 'bad' },
} as const

function Report({ erasure }: { readonly erasure: Erasure }) {
  const { label, tone } = states[erasure.status]
  const save = (): void =>
    downloadText(`erasure-${erasure.id}.json`, JSON.stringify(erasure, null, 2), 'application/json')
  return (
    <>
      <p className="flex flex-wrap items-center gap-2">
        <Badge tone={tone}>{label}</Badge>
        <span>
          {erasure.subjectType === 'user' ? 'User' : 'Organization'}, requested by {erasure.requestedBy} on{' '}
          <ExactTime time={erasure.requestedAt} />
        </span>
      </p>
      {erasure.status === 'cancelled' && (
        <p>The job of this erasure was cancelled. Retry it under Jobs to continue.</p>
      )}
      {erasure.problem !== null && <p className="text-bad">{erasure.problem}</p>}
      <Places rows={erasure.deleted} />
      {erasure.found !== null && (
        <p>
          {Object.entries(erasure.found).every(
            ([place, rows]) => ['mentions', 'oldParts'].includes(place) || rows === 0,
          )
            ? 'A final search found nothing.'
            : 'A final search found more rows, which are being deleted.'}
        </p>
      )}
      <p className="font-mono text-xs break-all text-ink-3">{erasure.requestHash}</p>
      <div>
        <Button size="small" onClick={save}>
          Download report
        </Button>
      </div>
    </>
  )
}

/** Names of places, such as `datasetRows`, as words. */
const placeName = (place: string): string =>
  place.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)

function Places({ rows }: { readonly rows: Readonly<Record<string, number>> }) {
  const some = Object.entries(rows).filter(([, count]) => count > 0)
  if (some.length === 0) return <p>No rows.</p>
  return (
    <ul className="grid grid-cols-2 gap-x-6 text-xs">
      {some.map(([place, count]) => (
        <li key={place} className="flex justify-between gap-2">
          <span>{placeName(place)}</span>
          <span className="tabular-nums">{count}</span>
        </li>
      ))}
    </ul>
  )
}
