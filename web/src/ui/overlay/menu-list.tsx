/** The menu itself, with its button; loaded late. */
import { Menu as Base } from '@base-ui/react/menu'
import type { ReactElement, ReactNode } from 'react'
import { classNames } from '../class-names.ts'
import { Keys } from '../keys.tsx'

export interface MenuItem {
  /** Needed if two items may have the same label. */
  readonly id?: string
  readonly label: string
  readonly icon?: ReactNode
  readonly keys?: string
  readonly onSelect: () => void
  /** A destructive action. */
  readonly isDangerous?: boolean
  readonly disabled?: boolean
  /** Shows a separator above it. */
  readonly startsGroup?: boolean
}

export interface MenuProps {
  /** The button that opens it. */
  readonly trigger: ReactElement<{ onClick?: () => void }>
  readonly items: readonly MenuItem[]
  readonly isOpenAtFirst?: boolean
  readonly align?: 'start' | 'end'
  readonly side?: 'top' | 'bottom' | 'right'
}

export function MenuList({
  trigger,
  items,
  align = 'end',
  side = 'bottom',
  isOpenAtFirst = false,
}: MenuProps) {
  return (
    <Base.Root defaultOpen={isOpenAtFirst}>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner sideOffset={4} align={align} side={side} className="z-40">
          <Base.Popup className="floating max-h-(--available-height) min-w-44 max-w-80 overflow-y-auto p-1 outline-none">
            {items.map((item) => (
              <div key={item.id ?? item.label}>
                {item.startsGroup === true && <Base.Separator className="-mx-1 my-1 border-t border-line" />}
                <Base.Item
                  disabled={item.disabled}
                  onClick={item.onSelect}
                  className={classNames(
                    'flex h-7 cursor-default items-center gap-2 rounded-sm px-2 text-sm outline-none data-disabled:opacity-50 data-highlighted:bg-hover',
                    item.isDangerous === true && 'text-bad',
                  )}
                >
                  {item.icon}
                  <span className="min-w-0 flex-1 truncate">{item.label}</span>
                  {item.keys !== undefined && <Keys keys={item.keys} />}
                </Base.Item>
              </div>
            ))}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}
