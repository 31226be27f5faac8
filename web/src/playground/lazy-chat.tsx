/** The chat with its Markdown is a separate chunk, since it is not needed before the first run. */
import { type ComponentProps, lazy, Suspense } from 'react'
import type { Chat } from '../traces/messages/chat.tsx'
import { Skeleton } from '../ui/skeleton.tsx'

const Loaded = lazy(async () => ({ default: (await import('../traces/messages/chat.tsx')).Chat }))

export const LazyChat = (props: ComponentProps<typeof Chat>) => (
  <Suspense fallback={<Skeleton className="h-12 w-full" />}>
    <Loaded {...props} />
  </Suspense>
)
