/** A modal dialog: for short forms and confirmations. */
import { type ReactNode, Suspense } from 'react'
import { classNames } from '../class-names.ts'
import { late } from '../late.ts'
import type { ConfirmProps, DialogProps } from './dialog-popup.tsx'

const DialogPopup = late(async () => (await import('./dialog-popup.tsx')).DialogPopup)
const ConfirmPopup = late(async () => (await import('./dialog-popup.tsx')).ConfirmPopup)

export const Dialog = (props: DialogProps) => (
  <Suspense>
    <DialogPopup {...props} />
  </Suspense>
)

/** Confirms an action that cannot be undone. */
export const ConfirmDialog = (props: ConfirmProps) => (
  <Suspense>
    <ConfirmPopup {...props} />
  </Suspense>
)

interface DialogActionsProps {
  readonly children: ReactNode
  /** Keeps them visible below long content. */
  readonly isSticky?: boolean
}

/** The buttons at the end of a dialog's form. */
export function DialogActions({ children, isSticky = false }: DialogActionsProps) {
  return (
    <div
      className={classNames(
        'flex justify-end gap-2',
        isSticky ? 'sticky -bottom-4 z-1 -mx-4 -mb-4 border-t border-line bg-raised p-4' : 'mt-6',
      )}
    >
      {children}
    </div>
  )
}
