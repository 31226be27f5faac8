import { useBlocker } from '@tanstack/react-router'
import { ConfirmDialog } from '../overlay/dialog.tsx'

interface PageGuardProps {
  readonly hasChanges: boolean
  readonly onDiscard?: () => void
  /** What would be lost: "Your changes are not saved." */
  readonly children?: string
}

/** Asks for confirmation before a link, the back button or a reload discards unsaved changes. */
export function PageGuard({
  hasChanges,
  onDiscard,
  children = 'Your changes are not saved.',
}: PageGuardProps) {
  const leave = useBlocker({
    // A tab or a filter of the same screen does not leave it.
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
