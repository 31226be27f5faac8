/** The cost receipt of a trace: each dollar as tokens times price, with the price list and its date. */

import type { OutlinedLog, StoredLog, TraceOutline } from '@plumbline/sdk'
import { csvCell } from '@plumbline/sdk/import'
import { Download } from 'lucide-react'
import { useMemo, useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { downloadText } from '../../../ui/files/download.ts'
import { Dialog } from '../../../ui/overlay/dialog.tsx'
import { SkeletonRows } from '../../../ui/skeleton.tsx'
import { exactNumber, formatMoney } from '../../../ui/text/format.ts'
import { Money } from '../../../ui/text/values.tsx'
import { costNotes } from '../log/cost-detail.tsx'
import { type Bucket, bucketNames } from '../log/usage-detail.tsx'
import { useAllPages } from '../use-trace.ts'
import { makeReceipt, type Receipt, type ReceiptLine, receiptRows } from './make-receipt.ts'

interface ReceiptDialogProps {
  readonly trace: TraceOutline
  readonly isOpen: boolean
  readonly onClose: () => void
}

export function ReceiptDialog({ trace, isOpen, onClose }: ReceiptDialogProps) {
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title="Cost receipt">
      {trace.logs === undefined ? (
        <OutlinedReceipt trace={trace} />
      ) : (
        <ReceiptView trace={trace} logs={trace.logs} />
      )}
    </Dialog>
  )
}

/** The receipt of a trace with many logs, which are read page by page. */
function OutlinedReceipt({ trace }: { readonly trace: TraceOutline }) {
  const { logs, isComplete, error, refetch } = useAllPages(
    { id: trace.id, costDetail: true, limit: pageLogs },
    true,
  )
  if (error !== null) return <ErrorState error={error} onRetry={() => void refetch()} />
  return isComplete ? <ReceiptView trace={trace} logs={logs} /> : <SkeletonRows />
}

interface ReceiptViewProps {
  readonly trace: TraceOutline
  readonly logs: readonly (StoredLog | OutlinedLog)[]
}

const linesShown = 50
const pageLogs = 500

function ReceiptView({ trace, logs }: ReceiptViewProps) {
  const receipt = useMemo(() => makeReceipt(logs), [logs])
  const [count, setCount] = useState(linesShown)
  const save = (): void => {
    const text = receiptRows(receipt)
      .map((cells) => `${cells.map(csvCell).join(',')}\r\n`)
      .join('')
    downloadText(`receipt-${trace.id}.csv`, text, 'text/csv')
  }
  if (receipt.lines.length === 0)
    return <p className="text-sm text-ink-2">No log of this trace reports tokens or a cost.</p>
  return (
    <div className="flex flex-col gap-4">
      <ol aria-label="Calls" className="flex max-h-96 flex-col gap-2 overflow-y-auto" tabIndex={-1}>
        {receipt.lines.slice(0, count).map((line) => (
          <Line key={line.logId} line={line} />
        ))}
      </ol>
      {receipt.lines.length > count && (
        <Button size="small" onClick={() => setCount(count + linesShown)}>
          Show {Math.min(linesShown, receipt.lines.length - count)} more of{' '}
          {exactNumber(receipt.lines.length)}
        </Button>
      )}
      <Sums receipt={receipt} trace={trace} />
      <div className="flex justify-end">
        <Button icon={<Download aria-hidden size={14} />} onClick={save}>
          Download CSV
        </Button>
      </div>
    </div>
  )
}

function Line({ line }: { readonly line: ReceiptLine }) {
  return (
    <li className="rounded border border-line p-3 text-sm">
      <p className="flex items-baseline gap-2">
        <bdi className="min-w-0 flex-1 truncate font-medium">{line.name}</bdi>
        {line.model !== undefined && <bdi className="truncate text-xs text-ink-3">{line.model}</bdi>}
        <span className={`numbers ${line.counts ? 'font-medium' : 'text-ink-3 line-through'}`}>
          <Money value={line.cost} isEstimate={line.isEstimated && !line.isReported} />
        </span>
      </p>
      {line.parts.length > 0 && (
        <table className="mt-1 w-full text-xs">
          <caption className="sr-only">Tokens and prices of {line.name}</caption>
          <tbody>
            {line.parts.map(({ bucket, tokens, pricePerMillion, cost }) => (
              <tr key={bucket}>
                <th scope="row" className="text-left font-normal text-ink-2">
                  {bucketNames[bucket as Bucket] ?? bucket}
                </th>
                <td className="numbers text-right">{exactNumber(tokens)}</td>
                <td className="numbers text-right text-ink-3">× ${exactNumber(pricePerMillion)}/M</td>
                <td className="numbers text-right">{formatMoney(cost)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {remarksOf(line).map((remark) => (
        <p key={remark} className="mt-1 text-xs text-ink-3">
          {remark}
        </p>
      ))}
    </li>
  )
}

function remarksOf(line: ReceiptLine): readonly string[] {
  return [
    ...(line.counts ? [] : ['Not counted: a log above or below it reports the same usage.']),
    ...(line.isReported ? ['The application reported this cost; the lines are our estimate.'] : []),
    ...(line.isEstimated ? ['We counted the tokens, because none were reported.'] : []),
    ...(line.cost === null ? ['This model has no known price.'] : []),
    ...(line.source === undefined ? [] : [line.source]),
    ...line.notes.map((note) => costNotes[note] ?? note),
    ...(line.saved !== undefined && line.saved > 0 ? [`The cache saved ${formatMoney(line.saved)}.`] : []),
  ]
}

function Sums({ receipt, trace }: { readonly receipt: Receipt; readonly trace: TraceOutline }) {
  const { total, saved, unpriced } = receipt
  return (
    <dl className="grid grid-cols-[1fr_auto] gap-y-1 border-t border-line pt-3 text-sm">
      <dt className="font-medium">Total</dt>
      <dd className="numbers text-right font-medium">
        <Money value={trace.totals.cost} isEstimate={trace.totals.tokensEstimated} />
      </dd>
      {total !== null && Math.abs(total - (trace.totals.cost ?? 0)) > 1e-9 && (
        <>
          <dt className="text-warn">Sum of the calls</dt>
          <dd className="numbers text-right text-warn">{formatMoney(total)}</dd>
        </>
      )}
      {saved > 0 && (
        <>
          <dt className="text-ink-2">Saved by the cache</dt>
          <dd className="numbers text-right text-good">{formatMoney(saved)}</dd>
        </>
      )}
      {unpriced > 0 && (
        <>
          <dt className="text-ink-2">Calls without a price</dt>
          <dd className="numbers text-right">{exactNumber(unpriced)}</dd>
        </>
      )}
    </dl>
  )
}
