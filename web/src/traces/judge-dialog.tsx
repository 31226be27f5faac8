/** Has traces, or one log, judged by evaluators of one's choice, whatever the sampling. */
import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { call, refresh, useClient, useRead } from '../app/api.ts'
import { kinds } from '../evaluators/edit/kinds.ts'
import { Button } from '../ui/button.tsx'
import { LabelledCheckbox } from '../ui/form/checkbox.tsx'
import { Input } from '../ui/form/field.tsx'
import { Dialog, DialogActions } from '../ui/overlay/dialog.tsx'
import { useToasts } from '../ui/overlay/toast.tsx'
import { SkeletonRows } from '../ui/skeleton.tsx'
import { exactNumber } from '../ui/text/format.ts'

/** A trace, or one of its logs. */
export interface Subject {
  readonly traceId: string
  readonly logId?: string | undefined
}

interface JudgeDialogProps {
  readonly subjects: readonly Subject[]
  readonly onClose: () => void
}

/** The maximum the service accepts per request. */
const subjectsAtOnce = 1000
/** Above this many, one searches. */
const evaluatorsAtSight = 8

export function JudgeDialog({ subjects, onClose }: JudgeDialogProps) {
  const subject =
    subjects.length > 1
      ? `${exactNumber(subjects.length)} traces`
      : subjects[0]?.logId === undefined
        ? 'this trace'
        : 'this log'
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={`Evaluate ${subject}`}
      description="Traces and logs already scored by the same evaluator version are skipped."
    >
      <JudgeForm subjects={subjects} onClose={onClose} />
    </Dialog>
  )
}

function JudgeForm({ subjects, onClose }: JudgeDialogProps) {
  const client = useClient()
  const queries = useQueryClient()
  const toasts = useToasts()
  const answer = useRead('evaluators.list', {})
  const [selection, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [searched, setSearched] = useState('')
  const [isBusy, setBusy] = useState(false)
  // People judge by queues of their own.
  const judges = answer.data?.evaluators.filter(({ kind }) => kind !== 'human')
  if (judges === undefined) return <SkeletonRows count={4} />
  if (judges.length === 0)
    return (
      <p className="text-sm text-ink-2">
        There are no automatic evaluators yet.{' '}
        <Link to="/evaluators/new" className="text-accent-ink hover:underline">
          Create one
        </Link>
        and try again.
      </p>
    )
  const toggle = (slug: string, isOn: boolean): void =>
    setChosen(
      (previous) =>
        new Set(isOn ? [...previous, slug] : [...previous].filter((chosenSlug) => chosenSlug !== slug)),
    )
  const judge = async (): Promise<void> => {
    setBusy(true)
    let created = 0
    let existing = 0
    try {
      for (const evaluatorSlug of selection) {
        for (let index = 0; index < subjects.length; index += subjectsAtOnce) {
          const part = subjects.slice(index, index + subjectsAtOnce)
          const result = await call(client, 'evaluations.create', { evaluatorSlug, ...asInput(part) })
          created += result.created
          existing += result.existing
        }
      }
      toasts.done(toldOf(created, existing))
      onClose()
    } catch (error) {
      toasts.fail(error)
      setBusy(false)
    }
    await refresh(queries, ['evaluations.list', 'traces.outline', 'traces.get'])
  }
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    void judge()
  }
  const words = searched.trim().toLowerCase()
  const matches = judges.filter(({ slug, name }) => `${name} ${slug}`.toLowerCase().includes(words))
  return (
    <form onSubmit={submit} className="flex flex-col gap-3">
      {judges.length > evaluatorsAtSight && (
        <Input
          aria-label="Search evaluators"
          placeholder="Search evaluators"
          value={searched}
          onChange={(event) => setSearched(event.currentTarget.value)}
        />
      )}
      <ul aria-label="Evaluators" className="flex max-h-80 flex-col gap-3 overflow-y-auto">
        {matches.map(({ slug, name, kind }) => (
          <li key={slug}>
            <LabelledCheckbox
              label={name}
              hint={`${kinds[kind].label}${kind === 'llm' ? ': each one costs a model call' : ''}`}
              isChecked={selection.has(slug)}
              onChange={(isOn) => toggle(slug, isOn)}
            />
          </li>
        ))}
        {matches.length === 0 && <li className="text-sm text-ink-3">No evaluators match.</li>}
      </ul>
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" look="primary" disabled={selection.size === 0} isBusy={isBusy}>
          Evaluate
        </Button>
      </DialogActions>
    </form>
  )
}

/** Whole traces and single logs, as the operation takes them. */
const asInput = (subjects: readonly Subject[]) => ({
  traceIds: subjects.filter(({ logId }) => logId === undefined).map(({ traceId }) => traceId),
  logs: subjects.flatMap(({ traceId, logId }) => (logId === undefined ? [] : [{ traceId, logId }])),
})

function toldOf(createdCount: number, existingCount: number): string {
  if (createdCount === 0) return 'Everything is already evaluated or queued'
  const queued = `${exactNumber(createdCount)} ${createdCount === 1 ? 'evaluation' : 'evaluations'} queued`
  return existingCount === 0 ? queued : `${queued}; ${exactNumber(existingCount)} already existed`
}
