import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { useChange } from '../app/api.ts'
import { forgetAnswers } from '../app/session.tsx'
import { Button } from '../ui/button.tsx'
import { ConfirmDialog } from '../ui/overlay/dialog.tsx'
import { useToasts } from '../ui/overlay/toast.tsx'
import { Section } from './section.tsx'

/** The workspace that every installation has. */
const firstWorkspaceId = 'default'

/** Deletes the workspace with everything in it, once its name has been typed. */
export function DeleteWorkspace({ id, name }: { readonly id: string; readonly name: string }) {
  const [isAsking, setAsking] = useState(false)
  const toasts = useToasts()
  const router = useRouter()
  const queries = useQueryClient()
  const remove = useChange('workspaces.delete', {
    onDone: () => {
      setAsking(false)
      toasts.done(`Deleted "${name}"`)
      forgetAnswers(queries)
      void router.navigate({ to: '/' }).then(() => router.invalidate())
    },
  })
  if (id === firstWorkspaceId) return null
  return (
    <Section title="Delete" hint="Deletes the workspace and everything in it. This cannot be undone.">
      <div>
        <Button look="danger" onClick={() => setAsking(true)}>
          Delete workspace
        </Button>
      </div>
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        title="Delete this workspace?"
        action="Delete"
        typedName={name}
        isBusy={remove.isPending}
        onConfirm={() => remove.mutate({ name })}
      >
        <strong className="break-words">{name}</strong> and its traces, scores, prompts, datasets, evaluators,
        files and API keys will be deleted for everyone. Its API keys stop working immediately.
      </ConfirmDialog>
    </Section>
  )
}
