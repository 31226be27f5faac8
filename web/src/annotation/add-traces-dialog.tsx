import type { AnnotationQueue } from '@plumbline/sdk'
import { type FormEvent, useState } from 'react'
import { useChange, useRead } from '../app/api.ts'
import { RangePicker } from '../app/range-picker.tsx'
import { rangeInput, useRange } from '../app/use-range.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Field, Input } from '../ui/field.tsx'
import { FormActions } from '../ui/form-actions.tsx'
import { Select } from '../ui/select.tsx'
import { useToasts } from '../ui/toast.tsx'
import { addedWords } from './added-words.ts'

const countMax = 10_000
const everyFeature = ''

const ways = [
  { value: 'random', label: 'Random sample', hint: 'Every trace is equally likely' },
  { value: 'latest', label: 'Most recent' },
] as const

/** Fills a queue by a filter: a number of a feature's traces, at random or the latest. */
export function AddTracesDialog({
  queue,
  onClose,
}: {
  readonly queue: AnnotationQueue
  readonly onClose: () => void
}) {
  const [featureSlug, setFeature] = useState(everyFeature)
  const [way, setWay] = useState<'random' | 'latest'>('random')
  const [text, setText] = useState('50')
  const { range } = useRange()
  const toasts = useToasts()
  const features = useRead('features.list', {}).data?.features ?? []
  const add = useChange('annotationQueues.add', {
    refreshes: ['annotationQueues.get', 'annotationQueues.list', 'annotationQueues.items'],
    showsErrors: true,
    onDone: (counts) => {
      toasts.done(addedWords(counts))
      onClose()
    },
  })
  const count = Number(text)
  const isCount = Number.isInteger(count) && count >= 1 && count <= countMax
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (!isCount) return
    add.mutate({
      id: queue.id,
      count,
      isRandom: way === 'random',
      filter: { ...rangeInput(range), ...(featureSlug !== everyFeature && { featureSlug }) },
    })
  }
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Add traces"
      description="To pick traces yourself, select them in the trace list."
    >
      <form onSubmit={submit} className="flex flex-col gap-4">
        <Field label="Feature">
          <Select
            label="Feature"
            choices={[
              { value: everyFeature, label: 'Any feature' },
              ...features.map(({ slug, name }) => ({ value: slug, label: name })),
            ]}
            value={featureSlug}
            onChange={setFeature}
          />
        </Field>
        <div className="flex flex-col gap-1">
          <span className="text-sm font-medium">Started in the</span>
          <RangePicker />
        </div>
        <div className="grid grid-cols-2 gap-4">
          <Field
            label="Number of traces"
            problem={isCount ? undefined : `A whole number from 1 to ${countMax.toLocaleString()}.`}
          >
            <Input
              inputMode="numeric"
              value={text}
              onChange={(event) => setText(event.currentTarget.value)}
              autoFocus
            />
          </Field>
          <Field label="Selection">
            <Select label="Selection" choices={ways} value={way} onChange={setWay} />
          </Field>
        </div>
        <FormActions
          action="Add"
          onCancel={onClose}
          isDisabled={!isCount}
          isBusy={add.isPending}
          error={add.error}
        />
      </form>
    </Dialog>
  )
}
