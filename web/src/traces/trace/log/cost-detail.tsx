/** The breakdown of a cost: tokens times price per bucket, with the price list and its date. */
import type { StoredLog } from '@plumbline/sdk'
import { exactNumber, formatMoney } from '../../../ui/text/format.ts'
import { field, isObject, textAt } from '../../messages/json.ts'
import { type Bucket, bucketNames } from './usage-detail.tsx'

const sources: Readonly<Record<string, string>> = {
  'price-list': 'the price list',
  override: 'a workspace price',
}

/** Assumptions and omissions, as sentences. */
export const costNotes: Readonly<Record<string, string>> = {
  provider_not_known: 'The provider is unknown: the model maker’s price applies.',
  price_lists_disagree: 'Public price lists disagree about this model.',
  cache_read_priced_as_input: 'The list has no price for cache reads: they are priced as input.',
  cache_write_priced_as_input: 'The list has no price for cache writes: they are priced as input.',
  long_context_price: 'The price for long inputs applies.',
  input_without_price: 'The list has no price for the input.',
  output_without_price: 'The list has no price for the output.',
  audio_priced_as_text: 'The list has no price for audio: it is priced as text.',
  image_priced_as_text: 'The list has no price for generated images: they are priced as text.',
  cache_write_hour_priced_as_short:
    'The list has no price for one-hour cache writes: they are priced as five-minute ones.',
  request_fee_included: 'The fee per request is included.',
  service_tier_price: 'The price of the tier applies.',
  service_tier_without_price: 'The list has no price for this tier: the standard price applies.',
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
              <span className="text-ink-2">{partName(String(part.bucket))}</span>
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
          {textAt(costDetail, 'serviceTier') !== undefined && `, tier ${textAt(costDetail, 'serviceTier')}`}
          {date !== undefined && ` of ${date}`}, for {textAt(costDetail, 'model') ?? model}
        </span>
      )}
      {notesOf(costDetail).map((note) => (
        <span key={note} className="text-ink-2">
          {costNotes[note] ?? note}
        </span>
      ))}
      {costDetail == null && <span>This model has no known price.</span>}
    </span>
  )
}

const partName = (bucket: string): string =>
  bucket === 'requests' ? 'Requests' : (bucketNames[bucket as Bucket] ?? bucket)

function notesOf(costDetail: StoredLog['costDetail']): string[] {
  const listed = field(costDetail, 'notes')
  return Array.isArray(listed) ? listed.map(String) : []
}
