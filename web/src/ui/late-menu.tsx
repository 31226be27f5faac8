/** A menu of the frame: its button is there at once, what it opens is a chunk of its own. */
import { cloneElement, lazy, Suspense, useState } from 'react'
import type { MenuProps } from './menu.tsx'

const loading = import('./menu.tsx')
const Menu = lazy(async () => ({ default: (await loading).Menu }))

export function LateMenu(props: MenuProps) {
  // Who presses before the menu is there gets it when it is.
  const [isWanted, setWanted] = useState(false)
  const waiting = cloneElement(props.trigger, { onClick: () => setWanted(true) })
  return (
    <Suspense fallback={waiting}>
      <Menu {...props} isOpenAtFirst={isWanted} />
    </Suspense>
  )
}
