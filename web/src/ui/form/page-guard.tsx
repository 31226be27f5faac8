import { useBlocker } from '@tanstack/react-router'
import { ConfirmDialog } from '../overlay/dialog.tsx'

interface PageGuardProps {
  readonly hasChanges: boolean
  readonly onDiscard?: () => void
  /** What goes: "Your changes are not saved." */
  readonly children?: string
}

/** Asks before a link, the back button or a reload throws unsaved changes away. */
export function PageGuard({
  hasChanges,
  onDiscard,
  children = 'Your changes are not saved.',
}: PageGuardProps) {
  const leave = useBlocker({
    // A tab or a filter of the same screen is no way out of it.
    shouldBlockFn: ({ current, next }) => hasChanges && current.pathname !== next.pathname,
    enableBeforeUnload: () => hasChanges,
    withResolver: true,
  })
  return (
    <ConfirmDialog
      isOpen={leave.status === 'blocked'}
      onClose={() => leave.reset?.()}
      title="Discard your changes?"
      action="Discard"
      onConfirm={() => {
        onDiscard?.()
        leave.proceed?.()
      }}
    >
      {children}
    </ConfirmDialog>
  )
}
