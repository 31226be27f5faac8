/** The action on selected items: remove them from the queue. */
import type { AnnotationItem, AnnotationQueue } from '@plumbline/sdk'
import { ListX } from 'lucide-react'
import { useState } from 'react'
import { useChange } from '../app/api.ts'
import { Button } from '../ui/button.tsx'
import { ConfirmDialog } from '../ui/overlay/dialog.tsx'
import { useToasts } from '../ui/overlay/toast.tsx'
import { useShortcuts } from '../ui/shortcuts.tsx'
import { type AllMatches, SelectionFrame } from '../ui/table/selection-frame.tsx'
import { describeRemoval, describeStayingItems, itemCountLabel, removalOf } from './removal.ts'

interface ItemSelectionBarProps {
  readonly queue: AnnotationQueue
  readonly items: readonly AnnotationItem[]
  /** The rest of the list, if all loaded rows are selected. */
  readonly all: AllItems | undefined
  readonly onClear: () => void
}

interface AllItems {
  /** The total, if it is known. */
  readonly count: number | undefined
  /** The number read so far; undefined until all are requested. */
  readonly readCount: number | undefined
  readonly onChoose: () => void
}

/** The maximum the service accepts per request. */
const chunkMax = 1000
const refreshes = ['annotationQueues.items', 'annotationQueues.get', 'annotationQueues.list'] as const

export function ItemSelectionBar({ queue, items, all, onClear }: ItemSelectionBarProps) {
  const [isAsking, setAsking] = useState(false)
  const toasts = useToasts()
  const remove = useChange('annotationQueues.remove', { refreshes })
  const add = useChange('annotationQueues.add', { refreshes })
  const removal = removalOf(items)
  const { removable, keptCount } = removal
  const ask = (): void => setAsking(removable.length > 0)
  useShortcuts([{ keys: 'd', label: 'Remove the selected items from the queue', onPress: ask }])
  const putBack = async (items: readonly AnnotationItem[]): Promise<void> => {
    for (let from = 0; from < items.length; from += chunkMax)
      await add.mutateAsync({
        id: queue.id,
        items: items.slice(from, from + chunkMax).map(({ traceId, logId }) => ({ traceId, logId })),
      })
  }
  const confirm = async (): Promise<void> => {
    const counts = { removed: 0, judged: keptCount }
    try {
      for (let from = 0; from < removable.length; from += chunkMax) {
        const itemIds = removable.slice(from, from + chunkMax).map(({ id }) => id)
        const answer = await remove.mutateAsync({ id: queue.id, itemIds })
        counts.removed += answer.removed
        counts.judged += answer.judged
      }
    } catch {
      // A toast shows the failure, and the list reflects the items removed before it.
      return
    }
    const description = describeStayingItems(counts.judged)
    toasts.done(
      counts.removed === 0
        ? 'These items were already removed or annotated'
        : `Removed ${itemCountLabel(counts.removed)}`,
      {
        ...(description !== undefined && { description }),
        // A toast shows the failure.
        ...(counts.removed > 0 && { undo: () => void putBack(removable).catch(() => undefined) }),
      },
    )
    onClear()
  }
  return (
    <SelectionFrame count={items.length} all={all && allMatches(all)} onClear={onClear}>
      <Button
        size="small"
        icon={<ListX aria-hidden size={14} />}
        disabled={removable.length === 0}
        onClick={ask}
      >
        Remove from queue
      </Button>
      {keptCount > 0 && <span className="text-xs text-ink-2">{describeStayingItems(keptCount)}</span>}
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        title={`Remove ${itemCountLabel(removable.length)} from the queue?`}
        action="Remove"
        isBusy={remove.isPending}
        onConfirm={() => void confirm()}
      >
        <div className="flex flex-col gap-2">
          {describeRemoval(removal).map((sentence) => (
            <p key={sentence}>{sentence}</p>
          ))}
        </div>
      </ConfirmDialog>
    </SelectionFrame>
  )
}

const allMatches = ({ count, readCount, onChoose }: AllItems): AllMatches => ({
  count,
  isChosen: false,
  onChoose,
  ...(readCount !== undefined && { readCount }),
})
