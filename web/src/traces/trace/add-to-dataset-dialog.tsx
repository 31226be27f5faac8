/** Makes rows of a dataset out of traces or logs. The list uses it for many, the trace for one. */
import { Link } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { useChange, useRead } from '../../app/api.ts'
import { Combobox } from '../../ui/combobox.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Field } from '../../ui/field.tsx'
import { FormActions } from '../../ui/form-actions.tsx'
import { Select } from '../../ui/select.tsx'
import { useToasts } from '../../ui/toast.tsx'

/** A trace, or a log of one. */
export interface RowSource {
  readonly traceId: string
  readonly logId?: string
}

interface AddToDatasetDialogProps {
  readonly sources: readonly RowSource[]
  readonly onClose: () => void
}

/** A service takes so many at once. */
const chunkMax = 100

const ideals = [
  { value: 'own', label: 'The trace’s ideal output, if any' },
  { value: 'output', label: 'The trace’s output, because it is correct' },
] as const

export function AddToDatasetDialog({ sources, onClose }: AddToDatasetDialogProps) {
  const [slug, setSlug] = useState<string>()
  const [ideal, setIdeal] = useState<'own' | 'output'>('own')
  const datasets = useRead('datasets.list', {})
  const toasts = useToasts()
  const collect = useChange('datasets.collect', {
    refreshes: ['datasets.get', 'datasets.list'],
    showsErrors: true,
  })
  const chosen = datasets.data?.datasets.find((dataset) => dataset.slug === slug)
  const add = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    if (chosen === undefined) return
    try {
      for (let from = 0; from < sources.length; from += chunkMax) {
        const chunk = sources.slice(from, from + chunkMax)
        await collect.mutateAsync({
          slug: chosen.slug,
          sources: chunk,
          ...(ideal === 'output' && { idealOutput: 'output' }),
        })
      }
      toasts.done(`Added ${counted(sources.length)} to “${chosen.name}”`)
      onClose()
    } catch (error) {
      toasts.fail(error)
    }
  }
  const isNone = datasets.data?.datasets.length === 0
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Add to dataset"
      description={`${counted(sources.length)} will be created, with a link to the source.`}
    >
      {datasets.isError ? (
        <ErrorState error={datasets.error} onRetry={() => void datasets.refetch()} />
      ) : isNone ? (
        <p className="text-sm text-ink-2">
          There are no datasets yet.{' '}
          <Link to="/datasets" className="font-medium text-accent-ink hover:underline">
            Create one
          </Link>
          and try again.
        </p>
      ) : (
        <form onSubmit={(event) => void add(event)} className="flex flex-col gap-4">
          <Field
            label="Dataset"
            hint={
              chosen &&
              `Columns: ${chosen.columns.map((column) => (typeof column === 'string' ? column : column.name)).join(', ')}. Columns are filled from input fields with the same name. If there are none, the first column gets the whole input.`
            }
          >
            <Combobox
              choices={(datasets.data?.datasets ?? []).map(({ slug, name }) => ({
                value: slug,
                label: name,
                hint: slug,
              }))}
              value={slug}
              onChange={setSlug}
              label="Dataset"
              placeholder="Search datasets"
            />
          </Field>
          <Field label="Ideal output">
            <Select label="Ideal output" choices={ideals} value={ideal} onChange={setIdeal} />
          </Field>
          <FormActions
            action={`Add ${counted(sources.length)}`}
            onCancel={onClose}
            isDisabled={chosen === undefined}
            isBusy={collect.isPending}
          />
        </form>
      )}
    </Dialog>
  )
}

const counted = (count: number): string => (count === 1 ? '1 row' : `${count} rows`)
