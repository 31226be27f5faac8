import { useToasts } from '../ui/overlay/toast.tsx'
import { describeAddedItems } from './describe-added.ts'

/** The reads that show items of a queue, which are refreshed when items are added. */
export const itemReads = ['annotationQueues.list', 'annotationQueues.get', 'annotationQueues.items'] as const

/** Closes a dialog that has added to a queue, and reports how many items are new. */
export function useAdded(onClose: () => void) {
  const toasts = useToasts()
  return (counts: Parameters<typeof describeAddedItems>[0]): void => {
    toasts.done(describeAddedItems(counts))
    onClose()
  }
}
