/**
 * The bar below a list while rows are selected: their number, the actions, and a button to clear the selection. Above
 * the list, it would shift the rows on the first selection, and the next press would hit another row.
 */
import { X } from 'lucide-react'
import { type ReactNode, useLayoutEffect } from 'react'
import { Button, IconButton } from '../button.tsx'
import { exactNumber } from '../text/format.ts'

/** The rest of the list, beyond the loaded rows. */
export interface AllMatches {
  /** How many match; undefined until they are counted. */
  readonly count: number | undefined
  /** Whether all are selected. */
  readonly isChosen: boolean
  /** The number read so far, while reading. */
  readonly readCount?: number
  readonly onChoose: () => void
}

interface SelectionFrameProps {
  readonly count: number
  /** Absent if all rows are loaded, or if not all loaded rows are selected. */
  readonly all?: AllMatches | undefined
  readonly onClear: () => void
  /** The buttons. */
  readonly children: ReactNode
}

export function SelectionFrame({ count, all, onClear, children }: SelectionFrameProps) {
  useLayoutEffect(keepActiveRowInSight, [])
  return (
    <section
      aria-label="Selection"
      className="flex shrink-0 items-start gap-2 border-t border-line bg-selected px-4 py-1.5"
    >
      <div className="flex min-w-0 flex-1 flex-wrap items-center gap-2">
        <span className="mr-2 text-sm font-medium" role="status">
          {all?.isChosen === true
            ? `All ${countText(all.count)}that match selected`
            : `${exactNumber(count)} selected`}
        </span>
        {all?.isChosen === false && (
          <Button size="small" look="plain" disabled={all.readCount !== undefined} onClick={all.onChoose}>
            {all.readCount === undefined
              ? `Select all ${countText(all.count)}that match`
              : `Reading ${exactNumber(all.readCount)}…`}
          </Button>
        )}
        {children}
      </div>
      <IconButton label="Clear selection" size="small" onClick={onClear}>
        <X aria-hidden size={14} />
      </IconButton>
    </section>
  )
}

const countText = (count: number | undefined): string => (count === undefined ? '' : `${exactNumber(count)} `)

/** The row just selected by a key may be where the bar appears. A press must not move rows. */
function keepActiveRowInSight(): void {
  const activeId = document.activeElement?.getAttribute('aria-activedescendant') ?? ''
  document.getElementById(activeId)?.scrollIntoView({ block: 'nearest' })
}
