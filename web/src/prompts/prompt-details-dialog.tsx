import type { PromptSummary } from '@plumbline/sdk'
import schema from '@plumbline/sdk/input-schemas?prompts.update'
import { useReadLatest } from '../app/api.ts'
import { useOperationForm } from '../app/use-operation-form.ts'
import { TextareaField, TextField } from '../ui/form/fields.tsx'
import { Form } from '../ui/form/form.tsx'
import { Dialog } from '../ui/overlay/dialog.tsx'
import { FeatureField } from './feature-field.tsx'
import { FolderField } from './folder-field.tsx'

interface PromptDetailsProps {
  readonly prompt: PromptSummary
  readonly onClose: () => void
}

export function PromptDetailsDialog({ isOpen, ...rest }: PromptDetailsProps & { readonly isOpen: boolean }) {
  return (
    <Dialog isOpen={isOpen} onClose={rest.onClose} title="Name, feature and folder">
      <DetailsForm {...rest} />
    </Dialog>
  )
}

const valuesOf = ({ name, description, featureSlug, folder }: PromptSummary) => ({
  name,
  description,
  featureSlug: featureSlug ?? '',
  folder: folder ?? '',
})

function DetailsForm({ prompt, onClose }: PromptDetailsProps) {
  const readLatest = useReadLatest()
  const { slug } = prompt
  const form = useOperationForm('prompts.update', {
    schema,
    initial: valuesOf(prompt),
    toInput: ({ name, folder, ...rest }) => ({
      slug,
      name: name.trim(),
      folder: folder.trim(),
      ...rest,
    }),
    readLatest: async () => valuesOf((await readLatest('prompts.describe', { slug })).prompt),
    refreshes: ['prompts.list', 'prompts.describe'],
    onDone: onClose,
  })
  return (
    <Form form={form} action="Save" onCancel={onClose}>
      <TextField form={form} name="name" label="Name" isRequired />
      <TextareaField form={form} name="description" label="Description" />
      <FeatureField form={form} name="featureSlug" />
      <FolderField form={form} name="folder" />
    </Form>
  )
}
