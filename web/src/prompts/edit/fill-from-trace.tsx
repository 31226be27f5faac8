import { History } from 'lucide-react'
import { useState } from 'react'
import { call, useClient, useRead } from '../../app/api.ts'
import { Button } from '../../ui/button.tsx'
import { Popover } from '../../ui/overlay/popover.tsx'
import { useToasts } from '../../ui/overlay/toast.tsx'
import { Money, RelativeTime } from '../../ui/text/values.tsx'
import { textsInLogs, type VariableTexts } from './variable-values.ts'

interface FillFromTraceProps {
  readonly slug: string
  readonly onFill: (texts: VariableTexts) => void
}

/** Fills in the variables of a real run of the prompt. */
export function FillFromTrace({ slug, onFill }: FillFromTraceProps) {
  const [isOpen, setOpen] = useState(false)
  const client = useClient()
  const toasts = useToasts()
  const traces = useRead('traces.list', { promptSlug: slug, limit: 20 }, { enabled: isOpen })
  const fill = (id: string): void => {
    setOpen(false)
    call(client, 'traces.get', { id })
      .then(({ trace }) => {
        const texts = textsInLogs(trace.logs, slug)
        if (texts === undefined) toasts.reject('Nothing to fill in', 'This run recorded no variables.')
        else onFill(texts)
      })
      .catch(toasts.fail)
  }
  const items = traces.data?.traces
  return (
    <Popover
      label="Latest runs of this prompt"
      isOpen={isOpen}
      onOpenChange={setOpen}
      trigger={
        <Button size="small" icon={<History aria-hidden size={14} />}>
          Fill from a trace
        </Button>
      }
    >
      <ul className="flex w-96 max-w-full flex-col p-1">
        {items?.map(({ id, name, startTime, inputPreview, totals }) => (
          <li key={id}>
            <button
              type="button"
              onClick={() => fill(id)}
              className="block w-full rounded-sm px-2 py-1.5 text-left text-sm hover:bg-hover"
            >
              <span className="flex items-center gap-2">
                <span className="min-w-0 flex-1 truncate font-medium">{name}</span>
                <span className="text-xs text-ink-3">
                  <Money value={totals.cost} /> · <RelativeTime time={startTime} />
                </span>
              </span>
              <span dir="auto" className="block truncate text-xs text-ink-3">
                {inputPreview}
              </span>
            </button>
          </li>
        ))}
        {items?.length === 0 && <li className="p-3 text-sm text-ink-3">No traces use this prompt yet.</li>}
        {items === undefined && (
          <li className="p-3 text-sm text-ink-3">{traces.isError ? traces.error.message : 'Loading…'}</li>
        )}
      </ul>
    </Popover>
  )
}
