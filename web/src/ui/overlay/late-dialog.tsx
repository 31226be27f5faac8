import { type ComponentType, Suspense } from 'react'
import { late } from '../late.ts'

/** A dialog whose form and fields come after the first screen: see `late`. */
export function lateDialog<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  const Late = late(load)
  return (props) => (
    <Suspense>
      <Late {...props} />
    </Suspense>
  )
}
