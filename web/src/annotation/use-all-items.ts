import type { AnnotationItem } from '@plumbline/sdk'
import { useEffect, useRef, useState } from 'react'
import { call, type Input, useClient } from '../app/api.ts'
import { readAll } from '../app/read-all.ts'
import { useToasts } from '../ui/overlay/toast.tsx'

const pageMax = 1000
const none: readonly AnnotationItem[] = []

/** The items of a queue in one state; all pages are read once someone selects all items. */
export function useAllItems(input: Pick<Input<'annotationQueues.items'>, 'id' | 'status'>) {
  const client = useClient()
  const toasts = useToasts()
  const [items, setItems] = useState(none)
  const [readCount, setReadCount] = useState<number>()
  const controller = useRef<AbortController>(undefined)
  const stop = (): void => {
    controller.current?.abort()
    controller.current = undefined
    setReadCount(undefined)
  }
  useEffect(() => () => controller.current?.abort(), [])
  const read = async (): Promise<readonly AnnotationItem[] | undefined> => {
    stop()
    controller.current = new AbortController()
    const { signal } = controller.current
    setReadCount(0)
    try {
      const all = await readAll(
        (cursor) =>
          call(
            client,
            'annotationQueues.items',
            { ...input, limit: pageMax, ...(cursor !== undefined && { cursor }) },
            { signal },
          ),
        { signal, onProgress: setReadCount },
      )
      setItems(all.items)
      return all.items
    } catch (error) {
      if (!signal.aborted) toasts.fail(error)
      return undefined
    } finally {
      if (!signal.aborted) setReadCount(undefined)
    }
  }
  const clear = (): void => {
    stop()
    setItems(none)
  }
  return { items, readCount, read, clear }
}
