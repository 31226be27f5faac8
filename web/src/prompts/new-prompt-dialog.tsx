import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { useChange } from '../app/api.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Field, Input, Textarea } from '../ui/field.tsx'
import { FormActions } from '../ui/form-actions.tsx'
import { FeatureField } from './feature-field.tsx'
import { slugOf } from './slug.ts'

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
  const [name, setName] = useState('')
  const [ownSlug, setSlug] = useState<string>()
  const [description, setDescription] = useState('')
  const [feature, setFeature] = useState<string>()
  const slug = ownSlug ?? slugOf(name)
  const create = useChange('prompts.create', {
    refreshes: ['prompts.list'],
    showsErrors: true,
    onDone: ({ prompt }) => void navigate({ to: '/prompts/$slug/edit', params: { slug: prompt.slug } }),
  })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    create.mutate({
      slug,
      name: name.trim(),
      ...(description.trim() !== '' && { description: description.trim() }),
      ...(feature !== undefined && { featureSlug: feature }),
    })
  }
  return (
    <form onSubmit={submit} className="flex flex-col gap-4">
      <Field label="Name">
        <Input value={name} onChange={(event) => setName(event.currentTarget.value)} autoFocus required />
      </Field>
      <Field label="Slug" hint="The name your application uses to fetch it.">
        <Input
          className="font-mono"
          value={slug}
          onChange={(event) => setSlug(event.currentTarget.value)}
          required
        />
      </Field>
      <Field label="Description" hint="Optional. What the prompt is for.">
        <Textarea value={description} onChange={(event) => setDescription(event.currentTarget.value)} />
      </Field>
      <FeatureField value={feature} onChange={setFeature} />
      <FormActions
        action="Create and edit"
        onCancel={onClose}
        isDisabled={name.trim() === '' || slug === ''}
        isBusy={create.isPending}
        error={create.error}
      />
    </form>
  )
}
