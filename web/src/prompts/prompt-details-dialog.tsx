import type { PromptSummary } from '@plumbline/sdk'
import { type FormEvent, useState } from 'react'
import { useChange } from '../app/api.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Field, Input, Textarea } from '../ui/field.tsx'
import { FormActions } from '../ui/form-actions.tsx'
import { FeatureField } from './feature-field.tsx'

interface PromptDetailsProps {
  readonly prompt: PromptSummary
  readonly onClose: () => void
}

export function PromptDetailsDialog({ isOpen, ...rest }: PromptDetailsProps & { readonly isOpen: boolean }) {
  return (
    <Dialog isOpen={isOpen} onClose={rest.onClose} title="Name and feature">
      <DetailsForm {...rest} />
    </Dialog>
  )
}

function DetailsForm({ prompt, onClose }: PromptDetailsProps) {
  const [name, setName] = useState(prompt.name)
  const [description, setDescription] = useState(prompt.description)
  const [feature, setFeature] = useState(prompt.featureSlug)
  const update = useChange('prompts.update', {
    refreshes: ['prompts.list', 'prompts.describe'],
    showsErrors: true,
    onDone: onClose,
  })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    update.mutate({ slug: prompt.slug, name: name.trim(), description, featureSlug: feature ?? '' })
  }
  return (
    <form onSubmit={submit} className="flex flex-col gap-4">
      <Field label="Name">
        <Input value={name} onChange={(event) => setName(event.currentTarget.value)} required />
      </Field>
      <Field label="Description">
        <Textarea value={description} onChange={(event) => setDescription(event.currentTarget.value)} />
      </Field>
      <FeatureField value={feature} onChange={setFeature} />
      <FormActions
        action="Save"
        onCancel={onClose}
        isDisabled={name.trim() === ''}
        isBusy={update.isPending}
        error={update.error}
      />
    </form>
  )
}
