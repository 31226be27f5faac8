import type { ModelInput, PromptVersion } from '@plumbline/sdk'
import schema from '@plumbline/sdk/input-schemas?versions.create'
import { useOperationForm } from '../../app/use-operation-form.ts'
import { TextField } from '../../ui/form/fields.tsx'
import { Form } from '../../ui/form/form.tsx'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import { VersionDiff } from '../versions/version-diff.tsx'
import type { Texts } from './prompt-messages.ts'

export interface DraftVersion extends Texts {
  readonly model: ModelInput
  /** Application settings, which the new version keeps. */
  readonly config?: PromptVersion['config'] | undefined
}

interface SaveVersionProps {
  readonly slug: string
  /** The version that the draft started from. */
  readonly base: PromptVersion | undefined
  readonly draft: DraftVersion
  readonly onSaved: (version: PromptVersion) => void
  readonly onClose: () => void
}

/** Shows the changes before a draft is saved as a version, since versions are immutable. */
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
  const form = useOperationForm('versions.create', {
    schema,
    initial: { message: '', version: '' },
    toInput: ({ message, version }) => ({
      slug,
      ...toVersionInput(draft),
      ...(message.trim() !== '' && { message: message.trim() }),
      ...(version.trim() !== '' && { version: version.trim() }),
    }),
    refreshes: ['versions.list', 'prompts.list', 'prompts.describe', 'prompts.history'],
    onDone: ({ version }) => onSaved(version),
  })
  return (
    <Form form={form} action="Save version" onCancel={onClose} cancel="Back to the draft" isSticky>
      <div className="grid grid-cols-[1fr_160px] gap-3 max-sm:grid-cols-1">
        <TextField
          form={form}
          name="message"
          label="Change note"
          hint="Optional. Shown in the history."
          dir="auto"
          autoFocus
        />
        <TextField
          form={form}
          name="version"
          label="Version"
          hint="Leave empty for the next number."
          className="font-mono"
          placeholder="1.0.0"
        />
      </div>
      <VersionDiff before={base} after={draft} />
    </Form>
  )
}

const toVersionInput = ({ text, systemText, messages, model, config }: DraftVersion) => ({
  ...(messages === undefined ? { text, systemText } : { messages: [...messages] }),
  model,
  ...(config !== undefined && { config }),
})
