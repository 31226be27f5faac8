import type { Dashboard } from '@plumbline/sdk'
import schema from '@plumbline/sdk/input-schemas?dashboards.create'
import { useOperationForm } from '../../app/use-operation-form.ts'
import { TextareaField, TextField } from '../../ui/form/fields.tsx'
import { Form } from '../../ui/form/form.tsx'
import { SlugField } from '../../ui/form/suggested-field.tsx'
import { Dialog } from '../../ui/overlay/dialog.tsx'

interface NewDashboardDialogProps {
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly onMade: (dashboard: Dashboard) => void
}

/** Creates an empty dashboard; charts are added on its screen. */
export function NewDashboardDialog({ isOpen, onClose, onMade }: NewDashboardDialogProps) {
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title="New dashboard">
      <DashboardForm onClose={onClose} onMade={onMade} />
    </Dialog>
  )
}

function DashboardForm({ onClose, onMade }: Omit<NewDashboardDialogProps, 'isOpen'>) {
  const form = useOperationForm('dashboards.create', {
    schema,
    initial: { name: '', slug: '', description: '' },
    toInput: ({ name, slug, description }) => ({ name: name.trim(), slug, description: description.trim() }),
    refreshes: ['dashboards.list'],
    onDone: ({ dashboard }) => onMade(dashboard),
  })
  return (
    <Form form={form} action="Create" onCancel={onClose}>
      <TextField form={form} name="name" label="Name" autoFocus />
      <SlugField form={form} name="slug" from="name" hint="Used in its URL and file name." />
      <TextareaField form={form} name="description" label="Description" rows={2} />
    </Form>
  )
}
