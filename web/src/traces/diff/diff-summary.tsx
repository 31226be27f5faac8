import type { StoredTrace } from '@plumbline/sdk'
import { Link } from '@tanstack/react-router'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { exactNumber } from '../../ui/text/format.ts'
import { Count, Duration, Money, RelativeTime, TokenSum } from '../../ui/text/values.tsx'
import { type AlignedLogs, changesOfTraces } from './align.ts'
import { Delta } from './delta.tsx'

interface DiffSummaryProps {
  readonly before: StoredTrace
  readonly after: StoredTrace
  readonly rows: readonly AlignedLogs[]
  /** Opens the inputs and outputs of the traces themselves. */
  readonly onOpen: () => void
}

/** Both traces as a whole: their differences, and the number of differing logs. */
export function DiffSummary({ before, after, rows, onOpen }: DiffSummaryProps) {
  const count = (change: AlignedLogs['change']): number => rows.filter((row) => row.change === change).length
  const [changedCount, addedCount, removedCount] = [count('changed'), count('added'), count('removed')]
  const traceChanges = changesOfTraces(before, after)
  const [a, b] = [before.totals, after.totals]
  return (
    <section aria-label="Both traces" className="shrink-0 overflow-x-auto border-b border-line px-4 py-3">
      <table className="text-sm">
        <thead className="text-left text-xs text-ink-3">
          <tr className="[&_th]:pr-8 [&_th]:pb-1 [&_th]:font-normal">
            <th scope="col">Trace</th>
            <th scope="col">Started</th>
            <th scope="col" className="text-right">
              Duration
            </th>
            <th scope="col" className="text-right">
              Cost
            </th>
            <th scope="col" className="text-right">
              Tokens
            </th>
            <th scope="col" className="text-right">
              Failed
            </th>
          </tr>
        </thead>
        <tbody className="[&_td]:pr-8 [&_td]:leading-6">
          <Side letter="A" trace={before} />
          <Side letter="B" trace={after} />
          <tr>
            <td className="text-ink-3">Difference</td>
            <td className="flex items-center gap-1">
              {traceChanges.map((side) => (
                <Badge key={side} tone="warn">
                  {side} changed
                </Badge>
              ))}
              {changedCount > 0 && <Badge tone="warn">{logsOf(changedCount)} changed</Badge>}
              {addedCount > 0 && <Badge tone="good">{logsOf(addedCount)} only in B</Badge>}
              {removedCount > 0 && <Badge tone="bad">{logsOf(removedCount)} only in A</Badge>}
              {traceChanges.length + changedCount + addedCount + removedCount === 0 && <Badge>none</Badge>}
              {traceChanges.length > 0 && (
                <Button size="small" onClick={onOpen}>
                  Show
                </Button>
              )}
            </td>
            <td className="text-right">
              <Delta before={a.durationMs ?? undefined} after={b.durationMs ?? undefined} unit="ms" />
            </td>
            <td className="text-right">
              <Delta before={a.cost ?? undefined} after={b.cost ?? undefined} unit="usd" />
            </td>
            <td className="text-right">
              <Delta
                before={a.inputTokens + a.outputTokens}
                after={b.inputTokens + b.outputTokens}
                unit="tokens"
              />
            </td>
            <td className="text-right">
              <Delta before={a.errors} after={b.errors} unit="count" />
            </td>
          </tr>
        </tbody>
      </table>
    </section>
  )
}

const logsOf = (count: number): string => (count === 1 ? '1 log' : `${exactNumber(count)} logs`)

function Side({ letter, trace }: { readonly letter: 'A' | 'B'; readonly trace: StoredTrace }) {
  const { totals } = trace
  return (
    <tr>
      <td className="max-w-96 truncate">
        <span className="mr-2 text-xs text-ink-3">{letter}</span>
        <Link
          to="/traces/$id"
          params={{ id: trace.id }}
          dir="auto"
          className="font-medium text-accent-ink hover:underline"
        >
          {trace.name}
        </Link>
      </td>
      <td>
        <RelativeTime time={trace.startTime} />
      </td>
      <td className="text-right">
        <Duration value={totals.durationMs} />
      </td>
      <td className="text-right">
        <Money value={totals.cost} isEstimate={totals.tokensEstimated} />
      </td>
      <td className="text-right">
        <TokenSum value={totals.inputTokens + totals.outputTokens} isEstimate={totals.tokensEstimated} />
      </td>
      <td className="text-right">
        <Count value={totals.errors} />
      </td>
    </tr>
  )
}
