/** Adds traces or logs to a dataset as rows, from the trace list or from one trace. */
import { useRef, useState } from 'react'
import { useWatch } from 'react-hook-form'
import { type Output, useChange, useRead } from '../../app/api.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import type { InputProblem } from '../../ui/form/check-input.ts'
import { Combobox } from '../../ui/form/combobox.tsx'
import { CustomField, SelectField, TextareaField, TextField } from '../../ui/form/fields.tsx'
import { Form } from '../../ui/form/form.tsx'
import { slugOf } from '../../ui/form/slug-of.ts'
import { useForm } from '../../ui/form/use-form.ts'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import { useToasts } from '../../ui/overlay/toast.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { exactNumber } from '../../ui/text/format.ts'

/** A trace, or a log of one. */
export interface RowSource {
  readonly traceId: string
  readonly logId?: string
}

interface AddToDatasetDialogProps {
  readonly sources: readonly RowSource[]
  readonly onClose: () => void
}

/** The maximum number of sources per request. */
const chunkMax = 100
const discardedMax = 1000

const ideals = [
  { value: 'own', label: 'The trace’s ideal output, if any' },
  { value: 'output', label: 'The trace’s output, because it is correct' },
] as const
const writtenIdeal = { value: 'written', label: 'What I write below' } as const

/** Represents a new dataset; no slug has an asterisk. */
const newDataset = '*'

export function AddToDatasetDialog({ sources, onClose }: AddToDatasetDialogProps) {
  const list = useRead('datasets.list', {})
  const datasets = list.data?.datasets
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Add to dataset"
      description={`${countText(sources.length)} will be created, with a link to the source.`}
    >
      {list.isError ? (
        <ErrorState error={list.error} onRetry={() => void list.refetch()} />
      ) : datasets === undefined ? (
        <SkeletonRows />
      ) : (
        <AddToDatasetForm datasets={datasets} sources={sources} onClose={onClose} />
      )}
    </Dialog>
  )
}

type Dataset = Output<'datasets.list'>['datasets'][number]

interface Values {
  readonly slug: string | undefined
  /** The name of a new dataset. */
  readonly name: string
  readonly ideal: (typeof ideals)[number]['value'] | typeof writtenIdeal.value
  readonly idealText: string
}

interface AddedRows {
  readonly slug: string
  readonly ideal: Values['ideal']
  /** The row ids, in the order of the sources. */
  readonly ids: readonly string[]
  readonly warning: string | undefined
}

function AddToDatasetForm({
  datasets,
  sources,
  onClose,
}: AddToDatasetDialogProps & { readonly datasets: readonly Dataset[] }) {
  const toasts = useToasts()
  const collect = useChange('datasets.collect', {
    refreshes: ['datasets.get', 'datasets.list'],
    showsErrors: true,
  })
  const discard = useChange('datasets.discard', { showsErrors: true })
  const create = useChange('datasets.create', { refreshes: ['datasets.list'], showsErrors: true })
  const changeRow = useChange('datasets.change', { showsErrors: true })
  /** The rows added by a failed attempt: the next one continues after them, or removes them if its input differs. */
  const added = useRef<AddedRows>(undefined)
  const [addedCount, setAddedCount] = useState<number>()
  const form = useForm({
    initial: {
      slug: datasets.length === 0 ? newDataset : undefined,
      name: '',
      ideal: 'own',
      idealText: '',
    } as Values,
    check: ({ slug, name }): readonly InputProblem[] =>
      slug === undefined
        ? [{ path: 'slug', problem: 'is required' }]
        : slug === newDataset && slugOf(name) === ''
          ? [{ path: 'name', problem: 'must contain a letter or a digit' }]
          : [],
    toInput: (values) => values,
    send: async ({ slug: choice = '', name: newName, ideal, idealText }) => {
      const slug = choice === newDataset ? slugOf(newName) : choice
      if (choice === newDataset && added.current?.slug !== slug)
        await create.mutateAsync({
          slug,
          name: newName.trim(),
          columns: [{ name: 'input', type: 'text' }],
        })
      const before = added.current
      if (before !== undefined && (before.slug !== slug || before.ideal !== ideal)) {
        for (let from = 0; from < before.ids.length; from += discardedMax)
          await discard.mutateAsync({ slug: before.slug, ids: before.ids.slice(from, from + discardedMax) })
        added.current = undefined
      }
      let { ids, warning }: Pick<AddedRows, 'ids' | 'warning'> = added.current ?? {
        ids: [],
        warning: undefined,
      }
      try {
        while (ids.length < sources.length) {
          const chunk = await collect.mutateAsync({
            slug,
            sources: sources.slice(ids.length, ids.length + chunkMax),
            ...(ideal === 'output' && { idealOutput: 'output' }),
          })
          ids = [...ids, ...chunk.ids]
          warning ??= chunk.warning
          added.current = { slug, ideal, ids, warning }
          setAddedCount(ids.length)
        }
      } finally {
        setAddedCount(undefined)
      }
      const [firstId] = ids
      if (ideal === writtenIdeal.value && firstId !== undefined)
        await changeRow.mutateAsync({ slug, id: firstId, idealOutput: idealText })
      const name = datasets.find((dataset) => dataset.slug === slug)?.name ?? newName.trim()
      toasts.done(
        `Added ${countText(sources.length)} to “${name}”`,
        warning === undefined ? {} : { description: warning },
      )
      onClose()
    },
  })
  const [slug, ideal] = useWatch({ control: form.control, name: ['slug', 'ideal'] })
  const selectedDataset = datasets.find((dataset) => dataset.slug === slug)
  return (
    <Form
      form={form}
      action={
        addedCount !== undefined
          ? `${exactNumber(addedCount)} of ${exactNumber(sources.length)}`
          : `Add ${countText(sources.length)}`
      }
      onCancel={onClose}
    >
      <CustomField
        form={form}
        name="slug"
        label="Dataset"
        isRequired
        hint={selectedDataset && columnsHint(selectedDataset)}
      >
        {({ value, onChange }) => (
          <Combobox
            choices={[
              ...datasets.map((dataset) => ({
                value: dataset.slug,
                label: dataset.name,
                hint: dataset.slug,
              })),
              { value: newDataset, label: 'New dataset', isAlwaysListed: true },
            ]}
            value={value}
            onChange={onChange}
            label="Dataset"
            placeholder="Search datasets"
          />
        )}
      </CustomField>
      {slug === newDataset && <TextField form={form} name="name" label="Name" isRequired autoFocus />}
      <SelectField
        form={form}
        name="ideal"
        label="Ideal output"
        choices={sources.length === 1 ? [...ideals, writtenIdeal] : ideals}
      />
      {ideal === writtenIdeal.value && (
        <TextareaField form={form} name="idealText" label="Correct answer" rows={4} autoFocus />
      )}
    </Form>
  )
}

const columnsHint = ({ columns }: Dataset): string =>
  `Columns: ${columns.map((column) => (typeof column === 'string' ? column : column.name)).join(', ')}. Columns are filled from input fields with the same name. If there are none, the first column gets the whole input.`

const countText = (count: number): string => (count === 1 ? '1 row' : `${exactNumber(count)} rows`)
