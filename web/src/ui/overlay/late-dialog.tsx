import { type ComponentType, Suspense } from 'react'
import { late } from '../late.ts'

/** A dialog whose form and fields load after the first screen: see `late`. */
export function lateDialog<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  const { promise: isOpened, resolve: open } = Promise.withResolvers<void>()
  const Late = late(load, isOpened)
  return (props) => {
    // A URL can open it before the first interaction.
    if ('isOpen' in props && props.isOpen === true) open()
    return (
      <Suspense>
        <Late {...props} />
      </Suspense>
    )
  }
}
