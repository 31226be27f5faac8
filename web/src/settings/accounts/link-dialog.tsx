import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/overlay/dialog.tsx'
import { CopyBox } from '../../ui/text/copy-box.tsx'

/** A link that the service returns only once. */
export interface OneTimeLink {
  readonly title: string
  readonly hint: string
  /** A path if the service does not know its own URL; the browser completes it. */
  readonly url: string
  /** Whether it was sent by e-mail, so that it need not be copied. */
  readonly isSent?: boolean
}

interface LinkDialogProps {
  readonly link: OneTimeLink | undefined
  readonly onClose: () => void
}

/** Shows a link that was mailed, or that must be sent manually. */
export function LinkDialog({ link, onClose }: LinkDialogProps) {
  return (
    <Dialog isOpen={link !== undefined} onClose={onClose} title={link?.title ?? ''} description={link?.hint}>
      <CopyBox
        text={link === undefined ? '' : new URL(link.url, location.origin).href}
        label="Copy the link"
      />
      <DialogActions>
        <Button look="primary" onClick={onClose}>
          {link?.isSent === true ? 'Done' : 'I have copied it'}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
