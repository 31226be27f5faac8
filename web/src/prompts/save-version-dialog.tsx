import type { ModelInput, PromptVersion } from '@plumbline/sdk'
import { type FormEvent, useState } from 'react'
import { useChange } from '../app/api.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Field, Input } from '../ui/field.tsx'
import { FormActions } from '../ui/form-actions.tsx'
import { VersionDiff } from './version-diff.tsx'

export interface DraftVersion {
  readonly text: string
  readonly systemText: string
  readonly model: ModelInput
}

interface SaveVersionProps {
  readonly slug: string
  /** The version that the draft began as. */
  readonly base: PromptVersion | undefined
  readonly draft: DraftVersion
  readonly onSaved: (version: PromptVersion) => void
  readonly onClose: () => void
}

/** Shows what changed before a version is made of a draft: versions cannot be changed afterwards. */
export function SaveVersionDialog({ isOpen, ...rest }: SaveVersionProps & { readonly isOpen: boolean }) {
  return (
    <Dialog
      isOpen={isOpen}
      onClose={rest.onClose}
      isWide
      title="Save as a new version"
      description={
        rest.base === undefined
          ? 'The first version. Applications get it once it has the production tag.'
          : `Changes since ${rest.base.version}. Applications get it once you move their tag to it.`
      }
    >
      <SaveVersionForm {...rest} />
    </Dialog>
  )
}

function SaveVersionForm({ slug, base, draft, onSaved, onClose }: SaveVersionProps) {
  const [message, setMessage] = useState('')
  const [version, setVersion] = useState('')
  const create = useChange('versions.create', {
    refreshes: ['versions.list', 'prompts.list', 'prompts.describe', 'prompts.history'],
    showsErrors: true,
    onDone: ({ version: made }) => onSaved(made),
  })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    create.mutate({
      slug,
      ...draft,
      ...(message.trim() !== '' && { message: message.trim() }),
      ...(version.trim() !== '' && { version: version.trim() }),
    })
  }
  return (
    <form onSubmit={submit} className="flex flex-col gap-4">
      <div className="grid grid-cols-[1fr_160px] gap-3 max-sm:grid-cols-1">
        <Field label="Change note" hint="Optional. Shown in the history.">
          <Input
            dir="auto"
            autoFocus
            value={message}
            onChange={(event) => setMessage(event.currentTarget.value)}
          />
        </Field>
        <Field label="Version" hint="Leave empty for the next number.">
          <Input
            className="font-mono"
            placeholder="1.0.0"
            value={version}
            onChange={(event) => setVersion(event.currentTarget.value)}
          />
        </Field>
      </div>
      <VersionDiff before={base} after={draft} />
      <FormActions
        action="Save version"
        onCancel={onClose}
        cancel="Back to the draft"
        isBusy={create.isPending}
        error={create.error}
        isSticky
      />
    </form>
  )
}
