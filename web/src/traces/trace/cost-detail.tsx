/** How a cost came about: tokens times price in each bucket, by which list, of which date. */
import type { StoredLog } from '@plumbline/sdk'
import { exactNumber, formatMoney } from '../../ui/format.ts'
import { field, isObject, textAt } from '../messages/json.ts'
import { type Bucket, bucketNames } from './usage-detail.tsx'

const sources: Readonly<Record<string, string>> = {
  'price-list': 'the price list',
  override: 'a price of this workspace',
}

export function CostDetail({ log: { cost, costEstimate, costDetail, model } }: { readonly log: StoredLog }) {
  const parts = field(costDetail, 'parts')
  const list = field(costDetail, 'list')
  const source = textAt(costDetail, 'source')
  const date = textAt(costDetail, 'effectiveDate')
  const isSent = cost !== null && cost !== costEstimate
  return (
    <span className="flex flex-col gap-1">
      {isSent && <span className="font-medium">{formatMoney(cost ?? 0)} reported by the client.</span>}
      {isSent && costEstimate != null && <span>Our estimate is {formatMoney(costEstimate)}:</span>}
      {Array.isArray(parts) && (
        <span className="grid grid-cols-[auto_auto_auto_auto] gap-x-3">
          {parts.filter(isObject).map((part) => (
            <span key={String(part.bucket)} className="contents">
              <span className="text-ink-2">{bucketNames[part.bucket as Bucket] ?? String(part.bucket)}</span>
              <span className="numbers text-right">{exactNumber(Number(part.tokens))}</span>
              <span className="numbers text-ink-3">× ${exactNumber(Number(part.pricePerMillion))}/M</span>
              <span className="numbers text-right">{formatMoney(Number(part.cost))}</span>
            </span>
          ))}
        </span>
      )}
      {source !== undefined && (
        <span className="text-ink-3">
          By {sources[source] ?? source}
          {textAt(list, 'name') !== undefined && ` ${textAt(list, 'name')} ${textAt(list, 'version') ?? ''}`}
          {date !== undefined && ` of ${date}`}, for {textAt(costDetail, 'model') ?? model}
        </span>
      )}
      {costDetail == null && <span>This model has no known price.</span>}
    </span>
  )
}
