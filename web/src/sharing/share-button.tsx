import { Share2 } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../ui/button.tsx'
import { lateDialog } from '../ui/overlay/late-dialog.tsx'

const ShareDialog = lateDialog(async () => (await import('./share-dialog.tsx')).ShareDialog)

/** Shares a trace with someone who has no account. */
export function ShareButton({ traceId }: { readonly traceId: string }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button size="small" icon={<Share2 aria-hidden size={14} />} onClick={() => setOpen(true)}>
        Share
      </Button>
      <ShareDialog traceId={traceId} isOpen={isOpen} onClose={() => setOpen(false)} />
    </>
  )
}
