/** The tooltip popup; loaded late. */
import { Tooltip as Base } from '@base-ui/react/tooltip'
import type { ReactNode } from 'react'
import { Keys } from '../keys.tsx'

export interface TooltipContent {
  readonly text: ReactNode
  readonly keys: string | undefined
  readonly side: 'top' | 'right' | 'bottom' | 'left'
}

interface TooltipPopupProps extends TooltipContent {
  readonly anchor: Element
}

export function TooltipPopup({ text, keys, side, anchor }: TooltipPopupProps) {
  return (
    <Base.Root open>
      <Base.Portal>
        <Base.Positioner anchor={anchor} side={side} sideOffset={6} className="z-50">
          <Base.Popup
            data-tooltip-popup
            className="floating flex max-w-80 items-center gap-2 px-2 py-1 text-xs whitespace-pre-line"
          >
            {text}
            {keys !== undefined && <Keys keys={keys} />}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}
