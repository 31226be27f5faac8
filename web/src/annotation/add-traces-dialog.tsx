import type { AnnotationQueue } from '@plumbline/sdk'
import schema from '@plumbline/sdk/input-schemas?annotationQueues.add'
import { useRead } from '../app/api.ts'
import { RangePicker } from '../app/range/range-picker.tsx'
import { rangeInput, useRange } from '../app/range/use-range.ts'
import { useOperationForm } from '../app/use-operation-form.ts'
import { NumberField, SelectField } from '../ui/form/fields.tsx'
import { Form } from '../ui/form/form.tsx'
import { Dialog } from '../ui/overlay/dialog.tsx'
import { itemReads, useAdded } from './use-added.ts'

const everyFeature = ''

const selections = [
  { value: 'random', label: 'Random sample', hint: 'Every trace is equally likely' },
  { value: 'latest', label: 'Most recent' },
] as const
type Selection = (typeof selections)[number]['value']

interface AddTracesDialogProps {
  readonly queue: AnnotationQueue
  readonly onClose: () => void
}

/** Fills a queue by a filter: a number of traces of a feature, random or the latest. */
export const AddTracesDialog = (props: AddTracesDialogProps) => (
  <Dialog
    isOpen
    onClose={props.onClose}
    title="Add traces"
    description="To pick traces yourself, select them in the trace list."
  >
    <AddTracesForm {...props} />
  </Dialog>
)

interface Values {
  readonly featureSlug: string
  readonly selection: Selection
  readonly count: number | undefined
}

const initial: Values = { featureSlug: everyFeature, selection: 'random', count: 50 }

function AddTracesForm({ queue, onClose }: AddTracesDialogProps) {
  const { range } = useRange()
  const features = useRead('features.list', {}).data?.features ?? []
  const form = useOperationForm('annotationQueues.add', {
    schema,
    initial,
    toInput: ({ featureSlug, selection, count = Number.NaN }) => ({
      id: queue.id,
      count,
      isRandom: selection === 'random',
      filter: { ...rangeInput(range), ...(featureSlug !== everyFeature && { featureSlug }) },
    }),
    refreshes: itemReads,
    onDone: useAdded(onClose),
  })
  return (
    <Form form={form} action="Add" onCancel={onClose}>
      <SelectField
        form={form}
        name="featureSlug"
        label="Feature"
        choices={[
          { value: everyFeature, label: 'Any feature' },
          ...features.map(({ slug, name }) => ({ value: slug, label: name })),
        ]}
      />
      <div className="flex flex-col gap-1">
        <span className="text-sm font-medium">Started in the</span>
        <RangePicker />
      </div>
      <div className="grid grid-cols-2 gap-4">
        <NumberField form={form} name="count" label="Number of traces" inputMode="numeric" autoFocus />
        <SelectField form={form} name="selection" label="Selection" choices={selections} />
      </div>
    </Form>
  )
}
