import type { LedgerEntry } from '@plumbline/sdk'
import { PanelHeader } from '../ui/panel-header.tsx'
import { ExactCount, ExactTime } from '../ui/text/values.tsx'
import { ReasonList } from './reason-list.tsx'
import { type CountName, counted } from './sum-entries.ts'

const labels: Readonly<Record<CountName, string>> = {
  received: 'Received',
  stored: 'Stored',
  deduplicated: 'Duplicates',
  rejected: 'Rejected',
  sampled: 'Sampled',
  sampledOut: 'Sampled out',
}

interface EntryPanelProps {
  readonly entry: LedgerEntry
  readonly keyName: string
  readonly onClose: () => void
}

/** One hour of one key, with its rejections. */
export function EntryPanel({ entry, keyName, onClose }: EntryPanelProps) {
  return (
    <>
      <PanelHeader title={keyName} onClose={onClose} />
      <div className="flex flex-col gap-4 overflow-y-auto p-4">
        <p className="text-sm text-ink-2">
          Hour starting <ExactTime time={entry.hour} />
        </p>
        <dl className="text-sm">
          {counted.map((name) => (
            <div key={name} className="flex h-8 items-center border-b border-line">
              <dt className="flex-1 text-ink-2">{labels[name]}</dt>
              <dd>
                <ExactCount value={entry[name]} />
              </dd>
            </div>
          ))}
        </dl>
        {entry.reasons.length > 0 ? (
          <ReasonList reasons={entry.reasons} />
        ) : (
          <p className="text-sm text-ink-3">No rejections in this hour.</p>
        )}
      </div>
    </>
  )
}
