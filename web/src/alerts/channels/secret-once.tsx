import { Button } from '../../ui/button.tsx'
import { DialogActions } from '../../ui/overlay/dialog.tsx'
import { CopyBox } from '../../ui/text/copy-box.tsx'

interface SecretOnceProps {
  readonly secret: string
  readonly onDone: () => void
}

/** The secret of a webhook, shown only once. */
export function SecretOnce({ secret, onDone }: SecretOnceProps) {
  return (
    <>
      <p className="mb-3 text-sm text-ink-2">
        Give this secret to the receiver, which verifies messages with any Standard Webhooks library. You
        won’t see it again.
      </p>
      <CopyBox text={secret} label="Copy the secret" />
      <DialogActions>
        <Button look="primary" onClick={onDone}>
          I have copied it
        </Button>
      </DialogActions>
    </>
  )
}
