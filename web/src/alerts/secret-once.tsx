import { Button } from '../ui/button.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { DialogActions } from '../ui/dialog.tsx'

interface SecretOnceProps {
  readonly secret: string
  readonly onDone: () => void
}

/** The secret of a webhook, which is told this once. */
export function SecretOnce({ secret, onDone }: SecretOnceProps) {
  return (
    <>
      <p className="mb-3 text-sm text-ink-2">
        Give it to the receiver: with it, any library of Standard Webhooks verifies that a message came from
        here. It is shown this once.
      </p>
      <div className="flex items-center gap-2 rounded border border-line bg-sunken p-2">
        <code className="min-w-0 flex-1 font-mono text-xs break-all select-all">{secret}</code>
        <CopyButton text={secret} label="Copy the secret" />
      </div>
      <DialogActions>
        <Button look="primary" onClick={onDone}>
          I have copied it
        </Button>
      </DialogActions>
    </>
  )
}
