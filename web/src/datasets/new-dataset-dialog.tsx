import schema from '@plumbline/sdk/input-schemas?datasets.create'
import { Plus, X } from 'lucide-react'
import { Controller, useFieldArray } from 'react-hook-form'
import { useOperationForm } from '../app/use-operation-form.ts'
import { Button, IconButton } from '../ui/button.tsx'
import type { InputProblem } from '../ui/form/check-input.ts'
import { Group } from '../ui/form/field.tsx'
import { BareTextField, TextField } from '../ui/form/fields.tsx'
import { Form } from '../ui/form/form.tsx'
import { Select } from '../ui/form/select.tsx'
import { SlugField } from '../ui/form/suggested-field.tsx'
import type { Form as FormOf } from '../ui/form/use-form.ts'
import { Dialog } from '../ui/overlay/dialog.tsx'
import { columnTypes } from './column-types.ts'
import type { Column, Dataset } from './grid/row-types.ts'

interface NewDatasetDialogProps {
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly onMade: (dataset: Dataset) => void
}

/** Creates a dataset with its first columns; more can be added later. */
export function NewDatasetDialog({ isOpen, onClose, onMade }: NewDatasetDialogProps) {
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title="New dataset">
      <DatasetForm onMade={onMade} onClose={onClose} />
    </Dialog>
  )
}

interface Values {
  name: string
  slug: string
  columns: Column[]
}

const initial: Values = { name: '', slug: '', columns: [{ name: 'input', type: 'text' }] }

/** Rows without a name are not columns yet. */
const namedColumns = (columns: readonly Column[]): Column[] =>
  columns.map(({ name, type }) => ({ name: name.trim(), type })).filter(({ name }) => name !== '')

function checkColumns({ columns }: Values): readonly InputProblem[] {
  const names = columns.map(({ name }) => name.trim())
  const index = names.findIndex((name, position) => name !== '' && names.indexOf(name) !== position)
  return index < 0 ? [] : [{ path: `columns[${index}].name`, problem: 'must differ from the columns above' }]
}

function DatasetForm({ onMade, onClose }: Omit<NewDatasetDialogProps, 'isOpen'>) {
  const form = useOperationForm('datasets.create', {
    schema,
    initial,
    check: checkColumns,
    toInput: ({ name, slug, columns }) => ({ name: name.trim(), slug, columns: namedColumns(columns) }),
    refreshes: ['datasets.list'],
    onDone: ({ dataset }) => onMade(dataset),
  })
  return (
    <Form form={form} action="Create" onCancel={onClose}>
      <TextField form={form} name="name" label="Name" autoFocus />
      <SlugField
        form={form}
        name="slug"
        from="name"
        hint="Used by applications and scripts. It cannot be changed later."
      />
      <ColumnFields form={form} />
    </Form>
  )
}

function ColumnFields({ form }: { readonly form: FormOf<Values> }) {
  const { fields, append, remove } = useFieldArray({ control: form.control, name: 'columns' })
  return (
    <Group
      label="Columns"
      hint="The inputs of a test case. Every row also has an ideal output, a name and metadata."
    >
      <div className="flex flex-col gap-2">
        {fields.map(({ id }, index) => (
          <div key={id} className="flex items-start gap-2">
            <div className="flex-1">
              <BareTextField
                form={form}
                name={`columns.${index}.name`}
                aria-label={`Name of column ${index + 1}`}
                autoComplete="off"
              />
            </div>
            <Controller
              control={form.control}
              name={`columns.${index}.type`}
              render={({ field: { value, onChange } }) => (
                <Select
                  label={`Type of column ${index + 1}`}
                  choices={columnTypes}
                  value={value}
                  onChange={onChange}
                  className="w-28 shrink-0"
                />
              )}
            />
            <IconButton size="small" label={`Remove column ${index + 1}`} onClick={() => remove(index)}>
              <X aria-hidden size={14} />
            </IconButton>
          </div>
        ))}
        <div>
          <Button
            size="small"
            icon={<Plus aria-hidden size={14} />}
            onClick={() => append({ name: '', type: 'text' })}
          >
            Add column
          </Button>
        </div>
      </div>
    </Group>
  )
}
