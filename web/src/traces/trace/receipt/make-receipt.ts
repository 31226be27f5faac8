/** The cost of a trace, call by call: tokens times price, the price list, and cache savings. Pure. */
import type { OutlinedLog, StoredLog } from '@plumbline/sdk'
import { field, isObject, textAt } from '../../messages/json.ts'
import { errorOf } from '../tree/trace-tree.ts'

export interface ReceiptPart {
  readonly bucket: string
  readonly tokens: number
  readonly pricePerMillion: number
  readonly cost: number
}

export interface ReceiptLine {
  readonly logId: string
  readonly name: string
  readonly model: string | undefined
  /** Null if the model has no known price. */
  readonly cost: number | null
  /** Whether the application reported the cost: the parts then show the estimate. */
  readonly isReported: boolean
  readonly isEstimated: boolean
  /** Its contribution to the total; null if none. */
  readonly added: number | null
  /** Whether its cost is missing from the sum; a failed call without tokens has no cost to miss. */
  readonly isUnpriced: boolean
  /** False if an ancestor or a descendant reports the usage or its cost, and is counted instead. */
  readonly counts: boolean
  readonly parts: readonly ReceiptPart[]
  /** The list, its version and the date of the price. */
  readonly source: string | undefined
  readonly notes: readonly string[]
  /** The additional cost of the cached tokens at the uncached input price; undefined if that price is unknown. */
  readonly saved: number | undefined
}

export interface Receipt {
  readonly lines: readonly ReceiptLine[]
  /** The sum of the counted lines; null if none has a cost. */
  readonly total: number | null
  readonly saved: number
  /** Counted lines without a cost. */
  readonly unpriced: number
}

/** The log fields that a receipt needs, of a full or outlined log. */
type PricedLog = Omit<OutlinedLog, 'error'> & {
  readonly error?: OutlinedLog['error']
  readonly metadata?: StoredLog['metadata']
}

export function makeReceipt(logs: readonly PricedLog[]): Receipt {
  const lines = logs.filter((log) => log.type === 'generation' || (log.cost ?? null) !== null).map(lineOf)
  const counted = lines.filter(({ counts }) => counts)
  const costs = lines.flatMap(({ added }) => added ?? [])
  return {
    lines,
    total: costs.length === 0 ? null : costs.reduce((sum, cost) => sum + cost, 0),
    saved: counted.reduce((sum, { saved = 0 }) => sum + saved, 0),
    unpriced: counted.filter(({ isUnpriced }) => isUnpriced).length,
  }
}

const sourceLabels: Readonly<Record<string, string>> = {
  'price-list': 'Price list',
  override: 'Workspace price',
}

function lineOf(log: PricedLog): ReceiptLine {
  const { costDetail, costEstimate = null, costInTotals: added = null } = log
  // If the service has an estimate, a reported 0 is not a cost, and totals use the estimate.
  const cost = log.cost === 0 ? (added ?? 0) : (log.cost ?? null)
  const isReported = cost !== null && cost !== costEstimate
  const parts = readParts(costDetail)
  const source = textAt(costDetail, 'source')
  const list = field(costDetail, 'list')
  const date = textAt(costDetail, 'effectiveDate')
  const listed = field(costDetail, 'notes')
  return {
    logId: log.id,
    name: log.name ?? log.type,
    model: textAt(costDetail, 'model') ?? log.model ?? undefined,
    cost,
    isReported,
    isEstimated: log.tokensEstimated === true,
    added,
    isUnpriced: added === null && !(isFailed(log) && log.inputTokens == null && log.outputTokens == null),
    counts:
      added === 0
        ? (log.cost ?? 0) === 0 && (costEstimate ?? 0) === 0
        : added !== null || log.countsInTotals !== false,
    parts,
    source:
      source === undefined
        ? undefined
        : [
            sourceLabels[source] ?? source,
            textAt(list, 'name'),
            textAt(list, 'version'),
            ...(date === undefined ? [] : [`of ${date}`]),
          ]
            .filter((part) => part !== undefined)
            .join(' '),
    notes: Array.isArray(listed) ? listed.map(String) : [],
    saved: sumSavings(parts),
  }
}

const isFailed = (log: PricedLog): boolean =>
  log.error != null || errorOf({ metadata: log.metadata ?? null }) !== undefined

function readParts(costDetail: PricedLog['costDetail']): readonly ReceiptPart[] {
  const parts = field(costDetail, 'parts')
  return Array.isArray(parts)
    ? parts.filter(isObject).map(({ bucket, tokens, pricePerMillion, cost }) => ({
        bucket: String(bucket),
        tokens: Number(tokens),
        pricePerMillion: Number(pricePerMillion),
        cost: Number(cost),
      }))
    : []
}

/** A cached token at the uncached input price, minus its actual cost. */
function sumSavings(parts: readonly ReceiptPart[]): number | undefined {
  const read = parts.find(({ bucket }) => bucket === 'cacheRead')
  if (read === undefined || read.tokens === 0) return 0
  const fresh = parts.find(({ bucket }) => bucket === 'freshInput')
  return fresh === undefined ? undefined : (read.tokens * fresh.pricePerMillion) / 1e6 - read.cost
}

/** A row for each part of each line, for spreadsheets. */
export function receiptRows({ lines }: Receipt): readonly (readonly (string | number | null)[])[] {
  return [
    ['log', 'name', 'model', 'bucket', 'tokens', 'usdPerMillion', 'usd', 'counts', 'source', 'notes'],
    ...lines.flatMap(({ parts, ...line }) => {
      const row = (bucket: string, tokens: number | null, price: number | null, usd: number | null) => [
        line.logId,
        line.name,
        line.model ?? '',
        bucket,
        tokens,
        price,
        usd,
        String(line.counts),
        line.source ?? '',
        line.notes.join(' '),
      ]
      if (line.isReported || parts.length === 0) return [row('reported', null, null, line.cost)]
      return parts.map((part) => row(part.bucket, part.tokens, part.pricePerMillion, part.cost))
    }),
  ]
}
