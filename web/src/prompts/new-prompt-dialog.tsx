import schema from '@plumbline/sdk/input-schemas?prompts.create'
import { useNavigate } from '@tanstack/react-router'
import { useOperationForm } from '../app/use-operation-form.ts'
import { TextareaField, TextField } from '../ui/form/fields.tsx'
import { Form } from '../ui/form/form.tsx'
import { SlugField } from '../ui/form/suggested-field.tsx'
import { Dialog } from '../ui/overlay/dialog.tsx'
import { FeatureField } from './feature-field.tsx'
import { FolderField } from './folder-field.tsx'

interface NewPromptDialogProps {
  readonly isOpen: boolean
  readonly onClose: () => void
}

/** Names a prompt; its first version is written next. */
export function NewPromptDialog({ isOpen, onClose }: NewPromptDialogProps) {
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title="New prompt"
      description="Applications fetch a prompt by its slug. It cannot be changed later."
    >
      <NewPromptForm onClose={onClose} />
    </Dialog>
  )
}

function NewPromptForm({ onClose }: Pick<NewPromptDialogProps, 'onClose'>) {
  const navigate = useNavigate()
  const form = useOperationForm('prompts.create', {
    schema,
    initial: { name: '', slug: '', description: '', featureSlug: '', folder: '' },
    toInput: ({ name, slug, description, featureSlug, folder }) => ({
      slug,
      name: name.trim(),
      ...(description.trim() !== '' && { description: description.trim() }),
      ...(featureSlug !== '' && { featureSlug }),
      ...(folder.trim() !== '' && { folder: folder.trim() }),
    }),
    refreshes: ['prompts.list'],
    onDone: ({ prompt }) => void navigate({ to: '/prompts/$slug/edit', params: { slug: prompt.slug } }),
  })
  return (
    <Form form={form} action="Create and edit" onCancel={onClose}>
      <TextField form={form} name="name" label="Name" autoFocus />
      <SlugField form={form} name="slug" from="name" hint="The name your application uses to fetch it." />
      <TextareaField
        form={form}
        name="description"
        label="Description"
        hint="Optional. What the prompt is for."
      />
      <FeatureField form={form} name="featureSlug" />
      <FolderField form={form} name="folder" />
    </Form>
  )
}
