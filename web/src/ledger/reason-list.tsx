import { Badge } from '../ui/badge.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { formatCount } from '../ui/text/format.ts'
import { RelativeTime } from '../ui/text/values.tsx'
import type { Reason } from './sum-entries.ts'

/** The rejection reasons, with the start of the last rejected body. */
export function ReasonList({ reasons }: { readonly reasons: readonly Reason[] }) {
  return (
    <ul
      aria-label="Rejection reasons"
      className="flex max-h-72 flex-col overflow-y-auto rounded border border-line"
    >
      {reasons.map(({ reason, count, lastAt, lastSample }) => (
        <li key={reason} className="flex flex-col gap-1 border-b border-line px-3 py-2 text-sm last:border-0">
          <div className="flex items-center gap-2">
            <Badge tone="bad">{reason}</Badge>
            <span className="flex-1">
              {formatCount(count)} {count === 1 ? 'record' : 'records'}
            </span>
            <span className="text-xs text-ink-3">
              last <RelativeTime time={lastAt} />
            </span>
          </div>
          {lastSample !== '' && (
            <div className="flex items-start gap-1">
              <code className="line-clamp-3 min-w-0 flex-1 font-mono text-xs break-all text-ink-2">
                {lastSample}
              </code>
              <CopyButton text={lastSample} label="Copy the start of the body" />
            </div>
          )}
        </li>
      ))}
    </ul>
  )
}
