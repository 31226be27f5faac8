import type { Connection } from '@plumbline/sdk'
import { useState } from 'react'
import { useRead } from '../app/api.ts'
import { readDraft } from '../prompts/edit/model-draft.ts'
import { SaveVersionDialog } from '../prompts/edit/save-version-dialog.tsx'
import { Button } from '../ui/button.tsx'
import { Combobox } from '../ui/form/combobox.tsx'
import { Dialog, DialogActions } from '../ui/overlay/dialog.tsx'
import type { Column } from './column.ts'
import { type Draft, textsOfDraft } from './draft.ts'

interface SaveDraftProps {
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly draft: Draft
  /** The column whose model the version gets. */
  readonly column: Column | undefined
  readonly connections: readonly Connection[]
  /** The prompt that the draft started from; if there is none, the user chooses one. */
  readonly prompt: string | undefined
  readonly onSaved: (slug: string, version: string) => void
}

/** Saves the draft's texts, the column's model and the parameters as a version, after showing the changes. */
export function SaveDraft(props: SaveDraftProps) {
  const { isOpen, onClose, draft, column, connections, prompt, onSaved } = props
  const [selection, setChosen] = useState<string>()
  const slug = prompt ?? selection
  const versions = useRead('versions.list', { slug: slug ?? '' }, { enabled: isOpen && slug !== undefined })
  if (slug === undefined)
    return (
      <ChoosePrompt
        isOpen={isOpen}
        onClose={onClose}
        onChoose={setChosen}
        hasMessages={draft.messages.length > 0}
      />
    )
  const draftModel = readDraft(draft.model).model
  const columnModel = column?.model.trim()
  const provider = connections.find(({ id }) => id === column?.connectionId)?.provider ?? ''
  return (
    <SaveVersionDialog
      isOpen={isOpen && versions.data !== undefined}
      slug={slug}
      base={versions.data?.versions[0]}
      draft={{
        ...textsOfDraft(draft),
        config: versions.data?.versions[0]?.config,
        model: { ...draftModel, ...(columnModel && { provider, model: columnModel }) },
      }}
      onSaved={({ version }) => onSaved(slug, version)}
      onClose={() => {
        setChosen(undefined)
        onClose()
      }}
    />
  )
}

interface ChoosePromptProps {
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly onChoose: (slug: string) => void
  readonly hasMessages: boolean
}

function ChoosePrompt({ isOpen, onClose, onChoose, hasMessages }: ChoosePromptProps) {
  const prompts = useRead('prompts.list', {}, { enabled: isOpen }).data?.prompts ?? []
  const [slug, setSlug] = useState<string>()
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title="Save as a prompt version"
      description={
        hasMessages
          ? 'A version includes both texts, the model and its parameters. Messages stay in the playground.'
          : undefined
      }
    >
      <Combobox
        label="Prompt"
        placeholder="Search prompts"
        value={slug}
        onChange={setSlug}
        choices={prompts.map(({ slug: value, name }) => ({ value, label: name, hint: value }))}
      />
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button look="primary" disabled={slug === undefined} onClick={() => slug && onChoose(slug)}>
          Review changes
        </Button>
      </DialogActions>
    </Dialog>
  )
}
