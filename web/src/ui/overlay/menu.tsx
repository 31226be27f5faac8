/** A menu of actions. Its button is rendered at once. */
import { cloneElement, Suspense, useState } from 'react'
import { late } from '../late.ts'
import type { MenuProps } from './menu-list.tsx'

export type { MenuItem } from './menu-list.tsx'

const MenuList = late(async () => (await import('./menu-list.tsx')).MenuList)

export function Menu(props: Omit<MenuProps, 'isOpenAtFirst'>) {
  // A press before the list has loaded opens it once loaded.
  const [isWanted, setWanted] = useState(false)
  const waiting = cloneElement(props.trigger, { onClick: () => setWanted(true) })
  return (
    <Suspense fallback={waiting}>
      <MenuList {...props} isOpenAtFirst={isWanted} />
    </Suspense>
  )
}
