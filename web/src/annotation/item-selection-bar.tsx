/** What can be done with the items that are chosen: take them out of the queue. */
import type { AnnotationItem, AnnotationQueue } from '@plumbline/sdk'
import { ListX } from 'lucide-react'
import { useState } from 'react'
import { useChange } from '../app/api.ts'
import { Button } from '../ui/button.tsx'
import { ConfirmDialog } from '../ui/overlay/dialog.tsx'
import { useToasts } from '../ui/overlay/toast.tsx'
import { useShortcuts } from '../ui/shortcuts.tsx'
import { SelectionFrame } from '../ui/table/selection-frame.tsx'
import { itemsInWords, removalOf, removalWords, stayingWords } from './removal.ts'

interface ItemSelectionBarProps {
  readonly queue: AnnotationQueue
  readonly chosen: readonly AnnotationItem[]
  readonly onClear: () => void
}

/** The maximum the service accepts per request. */
const chunkMax = 1000
const refreshes = ['annotationQueues.items', 'annotationQueues.get', 'annotationQueues.list'] as const

export function ItemSelectionBar({ queue, chosen, onClear }: ItemSelectionBarProps) {
  const [isAsking, setAsking] = useState(false)
  const toasts = useToasts()
  const remove = useChange('annotationQueues.remove', { refreshes })
  const add = useChange('annotationQueues.add', { refreshes })
  const removal = removalOf(chosen)
  const { going, staying } = removal
  const ask = (): void => setAsking(going.length > 0)
  useShortcuts([{ keys: 'd', label: 'Remove the selected items from the queue', onPress: ask }])
  const putBack = async (items: readonly AnnotationItem[]): Promise<void> => {
    for (let from = 0; from < items.length; from += chunkMax)
      await add.mutateAsync({
        id: queue.id,
        items: items.slice(from, from + chunkMax).map(({ traceId, logId }) => ({ traceId, logId })),
      })
  }
  const confirm = async (): Promise<void> => {
    const counts = { removed: 0, judged: staying }
    try {
      for (let from = 0; from < going.length; from += chunkMax) {
        const itemIds = going.slice(from, from + chunkMax).map(({ id }) => id)
        const answer = await remove.mutateAsync({ id: queue.id, itemIds })
        counts.removed += answer.removed
        counts.judged += answer.judged
      }
    } catch {
      // A toast shows the failure, and the list the items removed before it.
      return
    }
    const description = stayingWords(counts.judged)
    toasts.done(
      counts.removed === 0
        ? 'These items were already gone or annotated'
        : `Removed ${itemsInWords(counts.removed)}`,
      {
        ...(description !== undefined && { description }),
        // A toast shows the failure.
        ...(counts.removed > 0 && { undo: () => void putBack(going).catch(() => undefined) }),
      },
    )
    onClear()
  }
  return (
    <SelectionFrame count={chosen.length} onClear={onClear}>
      <Button size="small" icon={<ListX aria-hidden size={14} />} disabled={going.length === 0} onClick={ask}>
        Remove from queue
      </Button>
      {staying > 0 && <span className="text-xs text-ink-2">{stayingWords(staying)}</span>}
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        title={`Remove ${itemsInWords(going.length)} from the queue?`}
        action="Remove"
        isBusy={remove.isPending}
        onConfirm={() => void confirm()}
      >
        <div className="flex flex-col gap-2">
          {removalWords(removal).map((sentence) => (
            <p key={sentence}>{sentence}</p>
          ))}
        </div>
      </ConfirmDialog>
    </SelectionFrame>
  )
}
