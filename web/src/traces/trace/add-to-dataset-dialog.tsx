/** Adds traces or logs to a dataset as rows. The list uses it for many, the trace for one. */
import { Link } from '@tanstack/react-router'
import { useRef } from 'react'
import { useWatch } from 'react-hook-form'
import { type Output, useChange, useRead } from '../../app/api.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import type { InputProblem } from '../../ui/form/check-input.ts'
import { Combobox } from '../../ui/form/combobox.tsx'
import { CustomField, SelectField } from '../../ui/form/fields.tsx'
import { Form } from '../../ui/form/form.tsx'
import { useForm } from '../../ui/form/use-form.ts'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import { useToasts } from '../../ui/overlay/toast.tsx'

/** A trace, or a log of one. */
export interface RowSource {
  readonly traceId: string
  readonly logId?: string
}

interface AddToDatasetDialogProps {
  readonly sources: readonly RowSource[]
  readonly onClose: () => void
}

/** The most sources that the service takes in one request. */
const chunkMax = 100
const discardedMax = 1000

const ideals = [
  { value: 'own', label: 'The trace’s ideal output, if any' },
  { value: 'output', label: 'The trace’s output, because it is correct' },
] as const

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
      ) : datasets?.length === 0 ? (
        <p className="text-sm text-ink-2">
          There are no datasets yet.{' '}
          <Link to="/datasets" className="font-medium text-accent-ink hover:underline">
            Create one
          </Link>
          and try again.
        </p>
      ) : (
        <AddToDatasetForm datasets={datasets ?? []} sources={sources} onClose={onClose} />
      )}
    </Dialog>
  )
}

type Dataset = Output<'datasets.list'>['datasets'][number]

interface Values {
  readonly slug: string | undefined
  readonly ideal: (typeof ideals)[number]['value']
}

interface AddedRows {
  readonly slug: string
  readonly ideal: Values['ideal']
  /** Of the rows, in the order of the sources. */
  readonly ids: readonly string[]
  readonly warning: string | undefined
}

const initial: Values = { slug: undefined, ideal: 'own' }

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
  /** What a try that failed has added: the next one goes on behind it, or takes it back where it adds something else. */
  const added = useRef<AddedRows>(undefined)
  const form = useForm({
    initial,
    check: ({ slug }): readonly InputProblem[] =>
      slug === undefined ? [{ path: 'slug', problem: 'is required' }] : [],
    toInput: (values) => values,
    send: async ({ slug = '', ideal }) => {
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
      while (ids.length < sources.length) {
        const chunk = await collect.mutateAsync({
          slug,
          sources: sources.slice(ids.length, ids.length + chunkMax),
          ...(ideal === 'output' && { idealOutput: 'output' }),
        })
        ids = [...ids, ...chunk.ids]
        warning ??= chunk.warning
        added.current = { slug, ideal, ids, warning }
      }
      const name = datasets.find((dataset) => dataset.slug === slug)?.name ?? slug
      toasts.done(
        `Added ${countText(sources.length)} to “${name}”`,
        warning === undefined ? {} : { description: warning },
      )
      onClose()
    },
  })
  const slug = useWatch({ control: form.control, name: 'slug' })
  const selectedDataset = datasets.find((dataset) => dataset.slug === slug)
  return (
    <Form form={form} action={`Add ${countText(sources.length)}`} onCancel={onClose}>
      <CustomField
        form={form}
        name="slug"
        label="Dataset"
        isRequired
        hint={selectedDataset && columnsHint(selectedDataset)}
      >
        {({ value, onChange }) => (
          <Combobox
            choices={datasets.map((dataset) => ({
              value: dataset.slug,
              label: dataset.name,
              hint: dataset.slug,
            }))}
            value={value}
            onChange={onChange}
            label="Dataset"
            placeholder="Search datasets"
          />
        )}
      </CustomField>
      <SelectField form={form} name="ideal" label="Ideal output" choices={ideals} />
    </Form>
  )
}

const columnsHint = ({ columns }: Dataset): string =>
  `Columns: ${columns.map((column) => (typeof column === 'string' ? column : column.name)).join(', ')}. Columns are filled from input fields with the same name. If there are none, the first column gets the whole input.`

const countText = (count: number): string => (count === 1 ? '1 row' : `${count} rows`)
