/** The bar above a list while rows of it are chosen: how many, what can be done with them, and the way out. */
import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { IconButton } from '../button.tsx'
import { exactNumber } from '../text/format.ts'

interface SelectionFrameProps {
  readonly count: number
  readonly onClear: () => void
  /** The buttons. */
  readonly children: ReactNode
}

export function SelectionFrame({ count, onClear, children }: SelectionFrameProps) {
  return (
    <section
      aria-label="Selection"
      className="flex shrink-0 flex-wrap items-center gap-2 border-b border-line bg-selected px-4 py-1.5"
    >
      <span className="mr-2 text-sm font-medium" role="status">
        {exactNumber(count)} selected
      </span>
      {children}
      <span className="flex-1" />
      <IconButton label="Clear selection" size="small" onClick={onClear}>
        <X aria-hidden size={14} />
      </IconButton>
    </section>
  )
}
