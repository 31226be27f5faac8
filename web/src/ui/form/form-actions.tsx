/** The footer of a dialog's form: the service's error, and the submit and cancel buttons. */
import type { ReactNode } from 'react'
import { Button } from '../button.tsx'
import { sentenceOf } from '../error-state.tsx'
import { DialogActions } from '../overlay/dialog.tsx'

interface FormActionsProps {
  /** The verb on the submit button. */
  readonly action: ReactNode
  /** Absent if there is no cancel button. */
  readonly onCancel?: (() => void) | undefined
  readonly cancel?: string
  /** For actions that others notice at once: the cancel button has the initial focus. */
  readonly isCancelFocused?: boolean
  readonly isDisabled?: boolean
  readonly isBusy: boolean
  /** The error of the last attempt; null or undefined if there is none. A text is shown as is. */
  readonly error?: unknown
  readonly isSticky?: boolean
  /** For a page: the buttons are left-aligned. */
  readonly isPage?: boolean
  /** A side effect of submitting, shown next to the buttons. */
  readonly note?: ReactNode
  /** Further buttons of a page, at the other end of the row. */
  readonly extraAction?: ReactNode
}

export function FormActions({
  action,
  onCancel,
  cancel = 'Cancel',
  isCancelFocused = false,
  isDisabled = false,
  isBusy,
  error,
  isSticky = false,
  isPage = false,
  note,
  extraAction,
}: FormActionsProps) {
  const submit = (
    <Button type="submit" look="primary" disabled={isDisabled} isBusy={isBusy}>
      {action}
    </Button>
  )
  const leave = onCancel !== undefined && (
    <Button autoFocus={isCancelFocused} onClick={onCancel}>
      {cancel}
    </Button>
  )
  return (
    <>
      {error !== null && error !== undefined && (
        <p role="alert" className="text-sm text-bad">
          {typeof error === 'string' ? error : sentenceOf(error).description}
        </p>
      )}
      {isPage ? (
        <div className="flex flex-wrap items-center gap-2 border-t border-line pt-4">
          {submit}
          {leave}
          <span className="flex-1 text-xs text-ink-2">{note}</span>
          {extraAction}
        </div>
      ) : (
        <DialogActions isSticky={isSticky}>
          {leave}
          {submit}
        </DialogActions>
      )}
    </>
  )
}
