import { Button } from '../ui/button.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { Dialog, DialogActions } from '../ui/dialog.tsx'

/** A link that is told once. */
export interface OneTimeLink {
  readonly title: string
  readonly hint: string
  readonly url: string
}

interface LinkDialogProps {
  readonly link: OneTimeLink | undefined
  readonly onClose: () => void
}

/** Shows a link to send: there is no mail server between. */
export function LinkDialog({ link, onClose }: LinkDialogProps) {
  return (
    <Dialog isOpen={link !== undefined} onClose={onClose} title={link?.title ?? ''} description={link?.hint}>
      <div className="flex items-center gap-2 rounded border border-line bg-sunken p-2">
        <code className="min-w-0 flex-1 font-mono text-xs break-all select-all">{link?.url}</code>
        <CopyButton text={link?.url ?? ''} label="Copy the link" />
      </div>
      <DialogActions>
        <Button look="primary" onClick={onClose}>
          I have copied it
        </Button>
      </DialogActions>
    </Dialog>
  )
}
