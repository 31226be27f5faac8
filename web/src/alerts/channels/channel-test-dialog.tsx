import type { Channel } from '@plumbline/sdk'
import { CircleAlert, CircleCheck } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { useChange } from '../../app/api.ts'
import { Button } from '../../ui/button.tsx'
import { sentenceOf } from '../../ui/error-state.tsx'
import { Dialog, DialogActions } from '../../ui/overlay/dialog.tsx'
import { formatDuration } from '../../ui/text/format.ts'

interface ChannelTestProps {
  readonly channel: Channel | undefined
  readonly onClose: () => void
}

/** Sends a test message, and shows the response of the receiver. */
export function ChannelTestDialog({ channel, onClose }: ChannelTestProps) {
  return (
    <Dialog
      isOpen={channel !== undefined}
      onClose={onClose}
      title={`Test ${channel?.name ?? ''}`}
      description="Sends a test message. It contains no trace data."
    >
      {channel !== undefined && <ChannelTest key={channel.id} id={channel.id} onClose={onClose} />}
    </Dialog>
  )
}

function ChannelTest({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const { mutate, data, error, isPending } = useChange('channels.test', { showsErrors: true })
  const hasBegun = useRef(false)
  useEffect(() => {
    if (hasBegun.current) return
    hasBegun.current = true
    mutate({ id })
  }, [id, mutate])
  const problem = error !== null ? sentenceOf(error).description : data?.problem
  return (
    <>
      <div role="status" className="min-h-10 text-sm">
        {isPending ? (
          <p className="text-ink-2">Sending…</p>
        ) : data?.works === true ? (
          <p className="flex items-start gap-2 text-good">
            <CircleCheck aria-hidden size={16} className="mt-0.5 shrink-0" />
            <span className="min-w-0 break-words">
              Delivered in {formatDuration(data.durationMs)}
              {data.answer !== null && <span className="block text-ink-2">{data.answer}</span>}
            </span>
          </p>
        ) : (
          problem != null && (
            <p className="flex items-start gap-2 text-bad">
              <CircleAlert aria-hidden size={16} className="mt-0.5 shrink-0" />
              <span className="min-w-0 break-words">{problem}</span>
            </p>
          )
        )}
      </div>
      <DialogActions>
        <Button isBusy={isPending} onClick={() => mutate({ id })}>
          Send again
        </Button>
        <Button look="primary" onClick={onClose}>
          Done
        </Button>
      </DialogActions>
    </>
  )
}
