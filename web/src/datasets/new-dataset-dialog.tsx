import { Plus, X } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { useChange } from '../app/api.ts'
import { Button, IconButton } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Field, Group, Input } from '../ui/field.tsx'
import { FormActions } from '../ui/form-actions.tsx'
import { Select } from '../ui/select.tsx'
import { columnTypes } from './column-types.ts'
import type { Column, Dataset } from './grid/row-types.ts'
import { slugOf } from './slug-of.ts'

interface NewDatasetDialogProps {
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly onMade: (dataset: Dataset) => void
}

/** Asks what the cases of a dataset are made of; columns can be added later too. */
export function NewDatasetDialog({ isOpen, onClose, onMade }: NewDatasetDialogProps) {
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title="New dataset">
      <DatasetForm onMade={onMade} onClose={onClose} />
    </Dialog>
  )
}

interface Draft extends Column {
  readonly key: number
}

function DatasetForm({ onMade, onClose }: Omit<NewDatasetDialogProps, 'isOpen'>) {
  const [name, setName] = useState('')
  const [slug, setSlug] = useState<string>()
  const [drafts, setDrafts] = useState<readonly Draft[]>([{ key: 0, name: 'input', type: 'text' }])
  const create = useChange('datasets.create', {
    refreshes: ['datasets.list'],
    showsErrors: true,
    onDone: ({ dataset }) => onMade(dataset),
  })
  const columns = drafts
    .map(({ name, type }) => ({ name: name.trim(), type }))
    .filter(({ name }) => name !== '')
  const doubled = columns.find(
    ({ name }, index) => columns.findIndex((column) => column.name === name) !== index,
  )
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    create.mutate({ name: name.trim(), slug: slug ?? slugOf(name), columns })
  }
  const change = (key: number, changed: Partial<Column>): void =>
    setDrafts(drafts.map((draft) => (draft.key === key ? { ...draft, ...changed } : draft)))
  return (
    <form onSubmit={submit} className="flex flex-col gap-4">
      <Field label="Name">
        <Input value={name} onChange={(event) => setName(event.currentTarget.value)} autoFocus required />
      </Field>
      <Field label="Slug" hint="Used by applications and scripts. It cannot be changed later.">
        <Input
          value={slug ?? slugOf(name)}
          onChange={(event) => setSlug(event.currentTarget.value)}
          className="font-mono"
          autoComplete="off"
          required
        />
      </Field>
      <Group
        label="Columns"
        hint="The inputs of a test case. Every row also has an ideal output, a name and metadata."
      >
        <div className="flex flex-col gap-2">
          {drafts.map((draft, index) => (
            <div key={draft.key} className="flex items-center gap-2">
              <Input
                aria-label={`Name of column ${index + 1}`}
                value={draft.name}
                onChange={(event) => change(draft.key, { name: event.currentTarget.value })}
                autoComplete="off"
              />
              <Select
                label={`Type of column ${index + 1}`}
                choices={columnTypes}
                value={draft.type}
                onChange={(type) => change(draft.key, { type })}
                className="w-28 shrink-0"
              />
              <IconButton
                size="small"
                label={`Remove column ${index + 1}`}
                onClick={() => setDrafts(drafts.filter(({ key }) => key !== draft.key))}
              >
                <X aria-hidden size={14} />
              </IconButton>
            </div>
          ))}
          <div>
            <Button
              size="small"
              icon={<Plus aria-hidden size={14} />}
              onClick={() =>
                setDrafts([
                  ...drafts,
                  { key: Math.max(-1, ...drafts.map(({ key }) => key)) + 1, name: '', type: 'text' },
                ])
              }
            >
              Add column
            </Button>
          </div>
        </div>
      </Group>
      <FormActions
        action="Create"
        onCancel={onClose}
        isDisabled={name.trim() === '' || (slug ?? slugOf(name)) === '' || doubled !== undefined}
        isBusy={create.isPending}
        error={doubled === undefined ? create.error : `Two columns are called "${doubled.name}".`}
      />
    </form>
  )
}
