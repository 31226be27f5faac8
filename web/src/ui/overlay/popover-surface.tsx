/** The surface of a popover, with its button; loaded late. */
import { Popover as Base } from '@base-ui/react/popover'
import type { ReactElement, ReactNode } from 'react'

export interface PopoverProps {
  /** The button that opens it. */
  readonly trigger: ReactElement<{ onClick?: () => void }>
  /** Its accessible name. */
  readonly label: string
  readonly children: ReactNode
  readonly align?: 'start' | 'center' | 'end'
  readonly isOpen: boolean
  readonly onOpenChange: (isOpen: boolean) => void
}

export function PopoverSurface({
  trigger,
  label,
  children,
  align = 'end',
  isOpen,
  onOpenChange,
}: PopoverProps) {
  return (
    <Base.Root open={isOpen} onOpenChange={(open) => onOpenChange(open)}>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner sideOffset={4} align={align} className="z-40">
          <Base.Popup
            aria-label={label}
            className="floating max-h-(--available-height) max-w-[calc(100vw-16px)] overflow-y-auto outline-none"
          >
            {children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}
