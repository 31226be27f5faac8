import type { TraceOutline } from '@plumbline/sdk'
import { ReceiptText } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { lateDialog } from '../../../ui/overlay/late-dialog.tsx'

const ReceiptDialog = lateDialog(async () => (await import('./receipt-dialog.tsx')).ReceiptDialog)

export function ReceiptButton({ trace }: { readonly trace: TraceOutline }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button size="small" icon={<ReceiptText aria-hidden size={14} />} onClick={() => setOpen(true)}>
        Receipt
      </Button>
      <ReceiptDialog trace={trace} isOpen={isOpen} onClose={() => setOpen(false)} />
    </>
  )
}
