/** Grey places where something will be, shown when it takes longer than one notices. */
import { useEffect, useState } from 'react'
import { classNames } from './class-names.ts'

const showDelayMs = 150

/** Whether 150 ms have passed since it was drawn. */
function useIsOverdue(): boolean {
  const [isOverdue, setOverdue] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setOverdue(true), showDelayMs)
    return () => clearTimeout(timer)
  }, [])
  return isOverdue
}

/** Takes its place at once, so that nothing below it moves, and shows after 150 ms. */
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

/** Rows of a list to come. */
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
