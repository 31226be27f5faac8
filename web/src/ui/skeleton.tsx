/** Grey placeholders, shown if loading takes noticeably long. */
import { useEffect, useState } from 'react'
import { classNames } from './class-names.ts'

const showDelayMs = 150

/** Whether 150 ms have passed since the first render. */
function useIsOverdue(): boolean {
  const [isOverdue, setOverdue] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setOverdue(true), showDelayMs)
    return () => clearTimeout(timer)
  }, [])
  return isOverdue
}

/** Reserves its space at once, so that nothing below it moves, and appears after 150 ms. */
export const Skeleton = ({ className }: { readonly className?: string }) => (
  <div
    aria-hidden
    className={classNames(
      'animate-pulse rounded-sm bg-hover motion-reduce:animate-none',
      !useIsOverdue() && 'invisible',
      className,
    )}
  />
)

/** Placeholder rows of a list. */
export const SkeletonRows = ({ count = 8 }: { readonly count?: number }) => (
  <div
    role="status"
    aria-label="Loading"
    className={classNames('flex flex-col', !useIsOverdue() && 'invisible')}
  >
    {Array.from({ length: count }, (_, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: The rows are all alike.
      <div key={index} className="flex h-(--row) items-center border-b border-line px-4">
        <Skeleton className={index % 3 === 1 ? 'h-3 w-2/5' : 'h-3 w-3/5'} />
      </div>
    ))}
  </div>
)
