/** The dialog popup; loaded late. */
import { AlertDialog } from '@base-ui/react/alert-dialog'
import { Dialog as Base } from '@base-ui/react/dialog'
import { X } from 'lucide-react'
import { type FormEvent, type ReactNode, type RefObject, useRef, useState } from 'react'
import { Button, IconButton } from '../button.tsx'
import { classNames } from '../class-names.ts'
import { Field, Input } from '../form/field.tsx'
import { UnsavedChanges } from '../form/unsaved-changes.tsx'
import { DialogActions } from './dialog.tsx'

const backdropClass =
  'fixed inset-0 z-30 bg-scrim transition-opacity data-ending-style:opacity-0 data-starting-style:opacity-0'
const popupClass =
  'floating fixed top-[12vh] left-1/2 z-30 flex max-h-[80vh] w-[calc(100vw-32px)] -translate-x-1/2 flex-col transition-opacity outline-none data-ending-style:opacity-0 data-starting-style:opacity-0'

export interface DialogProps {
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly title: string
  readonly description?: ReactNode
  readonly children: ReactNode
  readonly isWide?: boolean
  /** For content shown only once: Esc and outside clicks do not close it. */
  readonly closesByButtonOnly?: boolean
  /** The initially focused element; the first control by default. */
  readonly initialFocus?: RefObject<HTMLElement | null>
}

export function DialogPopup(props: DialogProps) {
  const { isOpen, onClose, title, description, children, isWide = false, initialFocus } = props
  const { closesByButtonOnly = false } = props
  const hasChanges = useRef(false)
  const finalFocus = useFinalFocus(isOpen)
  const [isAsking, setAsking] = useState(false)
  // The form was saved meanwhile, and the dialog closed.
  if (!isOpen && isAsking) setAsking(false)
  const discard = (): void => {
    setAsking(false)
    onClose()
  }
  const change = (open: boolean, { reason }: Base.Root.ChangeEventDetails): void => {
    if (open) return
    // Esc and outside clicks can be accidental; its buttons are not.
    const isStray = reason === 'escape-key' || reason === 'outside-press'
    if (isStray && closesByButtonOnly) return
    if (isStray && hasChanges.current) setAsking(true)
    else onClose()
  }
  return (
    <Base.Root open={isOpen} onOpenChange={change}>
      <Base.Portal>
        <Base.Backdrop className={backdropClass} />
        <Base.Popup
          className={classNames(popupClass, isWide ? 'max-w-4xl' : 'max-w-md')}
          finalFocus={finalFocus}
          {...(initialFocus && { initialFocus })}
        >
          <header className="flex items-start gap-2 p-4 pb-0">
            <div className="min-w-0 flex-1">
              <Base.Title className="text-lg font-semibold">{title}</Base.Title>
              {description !== undefined && (
                <Base.Description className="text-sm text-ink-2">{description}</Base.Description>
              )}
            </div>
            <Base.Close
              render={
                <IconButton label="Close" size="small">
                  <X aria-hidden size={16} />
                </IconButton>
              }
            />
          </header>
          <UnsavedChanges value={hasChanges}>
            <div className="min-h-0 overflow-y-auto p-4">{children}</div>
          </UnsavedChanges>
          <ConfirmPopup
            isOpen={isAsking}
            onClose={() => setAsking(false)}
            title="Discard your changes?"
            action="Discard"
            onConfirm={discard}
          >
            What you typed in “{title}” is not saved.
          </ConfirmPopup>
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}

/**
 * The focus target when a dialog closes: the element that opened it. It is recorded early, since an autofocused field
 * would otherwise be taken for it.
 */
function useFinalFocus(isOpen: boolean): () => HTMLElement | true {
  const [wasOpen, setWasOpen] = useState(false)
  const [opener, setOpener] = useState<Element | null>(null)
  if (isOpen !== wasOpen) {
    setWasOpen(isOpen)
    if (isOpen) setOpener(document.activeElement)
  }
  const isThere = opener instanceof HTMLElement && opener !== document.body
  return () => (isThere && opener.isConnected ? opener : true)
}

export interface ConfirmProps {
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly title: string
  /** The consequences of the action. */
  readonly children: ReactNode
  /** The verb on the button. */
  readonly action: string
  readonly onConfirm: () => void
  /** For irreversible actions: the name that must be typed. */
  readonly typedName?: string
  readonly isBusy?: boolean
  /** False for actions that are not destructive. */
  readonly isDangerous?: boolean
}

export function ConfirmPopup(props: ConfirmProps) {
  const { isOpen, onClose, title, children, action, onConfirm, typedName, isBusy, isDangerous = true } = props
  const [confirmation, setTyped] = useState('')
  const isAllowed = typedName === undefined || confirmation === typedName
  const confirm = (event: FormEvent): void => {
    event.preventDefault()
    if (isAllowed) onConfirm()
  }
  return (
    <AlertDialog.Root
      open={isOpen}
      onOpenChange={(open) => !open && onClose()}
      onOpenChangeComplete={(open) => !open && setTyped('')}
    >
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className={backdropClass} />
        <AlertDialog.Popup className={classNames(popupClass, 'max-w-md p-4')}>
          <form onSubmit={confirm}>
            <AlertDialog.Title className="text-lg font-semibold">{title}</AlertDialog.Title>
            <AlertDialog.Description render={<div />} className="mt-1 text-sm text-ink-2">
              {children}
            </AlertDialog.Description>
            {typedName !== undefined && (
              <div className="mt-4">
                <Field
                  label={
                    <>
                      Type <code className="font-mono select-all">{typedName}</code> to confirm
                    </>
                  }
                >
                  <Input
                    value={confirmation}
                    onChange={(event) => setTyped(event.currentTarget.value)}
                    autoComplete="off"
                  />
                </Field>
              </div>
            )}
            <DialogActions>
              <Button onClick={onClose}>Cancel</Button>
              <Button
                type="submit"
                look={isDangerous ? 'danger' : 'primary'}
                disabled={!isAllowed}
                isBusy={isBusy === true}
              >
                {action}
              </Button>
            </DialogActions>
          </form>
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  )
}
