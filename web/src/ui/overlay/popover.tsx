/** A small surface beside the button that opened it. The button is rendered at once. */
import { cloneElement, Suspense } from 'react'
import { late } from '../late.ts'
import type { PopoverProps } from './popover-surface.tsx'

const PopoverSurface = late(async () => (await import('./popover-surface.tsx')).PopoverSurface)

export function Popover(props: PopoverProps) {
  const waiting = cloneElement(props.trigger, { onClick: () => props.onOpenChange(true) })
  return (
    <Suspense fallback={waiting}>
      <PopoverSurface {...props} />
    </Suspense>
  )
}
