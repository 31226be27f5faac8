/** Grey places where something will be, shown when it takes longer than one notices. */
import { type ReactNode, useEffect, useState } from 'react'
import { classNames } from './class-names.ts'

const patienceMs = 150

/** Shows its children once 150 ms have passed. */
export function AfterPatience({ children }: { readonly children: ReactNode }) {
  const [isOver, setOver] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setOver(true), patienceMs)
    return () => clearTimeout(timer)
  }, [])
  return isOver ? children : null
}

export function Skeleton({ className }: { readonly className?: string }) {
  return (
    <AfterPatience>
      <div
        aria-hidden
        className={classNames('animate-pulse rounded-sm bg-hover motion-reduce:animate-none', className)}
      />
    </AfterPatience>
  )
}

/** Rows of a list to come. */
export function SkeletonRows({ count = 8 }: { readonly count?: number }) {
  return (
    <AfterPatience>
      <div role="status" aria-label="Loading" className="flex flex-col">
        {Array.from({ length: count }, (_, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: The rows are all alike.
          <div key={index} className="flex h-(--row) items-center border-b border-line px-4">
            <Skeleton className={index % 3 === 1 ? 'h-3 w-2/5' : 'h-3 w-3/5'} />
          </div>
        ))}
      </div>
    </AfterPatience>
  )
}
