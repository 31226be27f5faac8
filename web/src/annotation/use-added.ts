import { useToasts } from '../ui/overlay/toast.tsx'
import { addedWords } from './describe-added.ts'

/** What shows the items of a queue, so that it is read again when there are more. */
export const itemReads = ['annotationQueues.list', 'annotationQueues.get', 'annotationQueues.items'] as const

/** Ends a dialog that has added to a queue, and says how many items are new. */
export function useAdded(onClose: () => void) {
  const toasts = useToasts()
  return (counts: Parameters<typeof addedWords>[0]): void => {
    toasts.done(addedWords(counts))
    onClose()
  }
}
