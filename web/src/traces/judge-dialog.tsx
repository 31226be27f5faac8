/** Evaluates traces or one log with selected evaluators, regardless of sampling. */
import type { Evaluator } from '@plumbline/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useController } from 'react-hook-form'
import { call, refresh, useClient, useRead } from '../app/api.ts'
import { kinds } from '../evaluators/edit/kinds.ts'
import { LabelledCheckbox } from '../ui/form/checkbox.tsx'
import { Input } from '../ui/form/field.tsx'
import { Form } from '../ui/form/form.tsx'
import { type Form as FormOf, useForm } from '../ui/form/use-form.ts'
import { Dialog } from '../ui/overlay/dialog.tsx'
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
/** Above this number, a search field is shown. */
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

interface Values {
  evaluatorSlugs: string[]
}

const initial: Values = { evaluatorSlugs: [] }

function JudgeForm({ subjects, onClose }: JudgeDialogProps) {
  const client = useClient()
  const queries = useQueryClient()
  const toasts = useToasts()
  const answer = useRead('evaluators.list', {})
  const [doneCount, setDoneCount] = useState<number>()
  const judge = async (slugs: readonly string[]): Promise<void> => {
    let created = 0
    let existing = 0
    try {
      for (const [position, evaluatorSlug] of slugs.entries()) {
        for (let index = 0; index < subjects.length; index += subjectsAtOnce) {
          setDoneCount(position * subjects.length + index)
          const part = subjects.slice(index, index + subjectsAtOnce)
          const result = await call(client, 'evaluations.create', { evaluatorSlug, ...asInput(part) })
          created += result.created
          existing += result.existing
        }
      }
      toasts.done(describeCounts(created, existing))
      onClose()
    } finally {
      setDoneCount(undefined)
      void refresh(queries, ['evaluations.list', 'traces.outline', 'traces.get'])
    }
  }
  const form = useForm<Values, readonly string[]>({
    initial,
    check: ({ evaluatorSlugs }) =>
      evaluatorSlugs.length === 0 ? [{ path: 'evaluatorSlugs', problem: 'choose at least one' }] : [],
    toInput: ({ evaluatorSlugs }) => evaluatorSlugs,
    send: judge,
  })
  // Human evaluators judge in annotation queues.
  const judges = answer.data?.evaluators.filter(({ kind }) => kind !== 'human')
  if (judges === undefined) return <SkeletonRows count={4} />
  if (judges.length === 0)
    return (
      <p className="text-sm text-ink-2">
        There are no automatic evaluators yet.{' '}
        <Link to="/evaluators/new" className="text-accent-ink hover:underline">
          Create one
        </Link>{' '}
        and try again.
      </p>
    )
  const total = subjects.length * form.getValues('evaluatorSlugs').length
  return (
    <Form
      form={form}
      action={
        doneCount === undefined || total <= subjectsAtOnce
          ? 'Evaluate'
          : `${exactNumber(doneCount)} of ${exactNumber(total)}`
      }
      onCancel={onClose}
      className="flex flex-col gap-3"
    >
      <EvaluatorChoice form={form} judges={judges} />
    </Form>
  )
}

interface EvaluatorChoiceProps {
  readonly form: FormOf<Values>
  readonly judges: readonly Pick<Evaluator, 'slug' | 'name' | 'kind'>[]
}

function EvaluatorChoice({ form, judges }: EvaluatorChoiceProps) {
  const { field, fieldState } = useController({ control: form.control, name: 'evaluatorSlugs' })
  const slugs: readonly string[] = field.value
  const [search, setSearch] = useState('')
  const words = search.trim().toLowerCase()
  const matches = judges.filter(({ slug, name }) => `${name} ${slug}`.toLowerCase().includes(words))
  return (
    <>
      {judges.length > evaluatorsAtSight && (
        <Input
          aria-label="Search evaluators"
          placeholder="Search evaluators"
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
      )}
      <ul aria-label="Evaluators" className="flex max-h-80 flex-col gap-3 overflow-y-auto">
        {matches.map(({ slug, name, kind }) => (
          <li key={slug}>
            <LabelledCheckbox
              label={name}
              hint={`${kinds[kind].label}${kind === 'llm' ? ': each one costs a model call' : ''}`}
              isChecked={slugs.includes(slug)}
              onChange={(isOn) =>
                field.onChange(isOn ? [...slugs, slug] : slugs.filter((other) => other !== slug))
              }
            />
          </li>
        ))}
        {matches.length === 0 && <li className="text-sm text-ink-3">No evaluators match.</li>}
      </ul>
      {fieldState.error !== undefined && (
        <p role="alert" className="text-sm text-bad">
          {fieldState.error.message}
        </p>
      )}
    </>
  )
}

/** Whole traces and single logs, as the operation accepts them. */
const asInput = (subjects: readonly Subject[]) => ({
  traceIds: subjects.filter(({ logId }) => logId === undefined).map(({ traceId }) => traceId),
  logs: subjects.flatMap(({ traceId, logId }) => (logId === undefined ? [] : [{ traceId, logId }])),
})

function describeCounts(createdCount: number, existingCount: number): string {
  if (createdCount === 0) return 'Everything is already evaluated or queued'
  const queued = `${exactNumber(createdCount)} ${createdCount === 1 ? 'evaluation' : 'evaluations'} queued`
  return existingCount === 0 ? queued : `${queued}; ${exactNumber(existingCount)} already existed`
}
