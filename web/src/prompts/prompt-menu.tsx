import type { PromptSummary } from '@plumbline/sdk'
import { Archive, ArchiveRestore, EllipsisVertical, Pencil } from 'lucide-react'
import { useState } from 'react'
import { useChange } from '../app/api.ts'
import { IconButton } from '../ui/button.tsx'
import { lateDialog } from '../ui/overlay/late-dialog.tsx'
import { Menu } from '../ui/overlay/menu.tsx'
import { useToasts } from '../ui/overlay/toast.tsx'

const PromptDetailsDialog = lateDialog(
  async () => (await import('./prompt-details-dialog.tsx')).PromptDetailsDialog,
)

const refreshes = ['prompts.list', 'prompts.describe'] as const

/** Actions on a whole prompt: its name and feature, and the archive. */
export function PromptMenu({ prompt }: { readonly prompt: PromptSummary }) {
  const { slug, name, archivedAt } = prompt
  const [isEditing, setEditing] = useState(false)
  const toasts = useToasts()
  const restore = useChange('prompts.restore', {
    refreshes,
    onDone: () => toasts.done(`Restored "${name}"`),
  })
  const archive = useChange('prompts.archive', {
    refreshes,
    onDone: () =>
      toasts.done(`Archived "${name}"`, {
        description: 'Applications still get it.',
        undo: () => restore.mutate({ slug }),
      }),
  })
  return (
    <>
      <Menu
        trigger={
          <IconButton label="More" look="plain">
            <EllipsisVertical aria-hidden size={16} />
          </IconButton>
        }
        items={[
          {
            label: 'Name, feature, folder…',
            icon: <Pencil aria-hidden size={14} />,
            onSelect: () => setEditing(true),
          },
          archivedAt === undefined
            ? {
                label: 'Archive',
                icon: <Archive aria-hidden size={14} />,
                startsGroup: true,
                onSelect: () => archive.mutate({ slug }),
              }
            : {
                label: 'Restore',
                icon: <ArchiveRestore aria-hidden size={14} />,
                startsGroup: true,
                onSelect: () => restore.mutate({ slug }),
              },
        ]}
      />
      <PromptDetailsDialog prompt={prompt} isOpen={isEditing} onClose={() => setEditing(false)} />
    </>
  )
}
