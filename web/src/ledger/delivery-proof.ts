/** The fate of all records that an API key sent, in a sentence that can be passed on. Pure. */
import type { Sums } from './sum-entries.ts'

interface Delivery {
  /** The name of the key; undefined for all keys together. */
  readonly keyName: string | undefined
  readonly sums: Pick<Sums, 'received' | 'stored' | 'deduplicated' | 'rejected'>
  /** Acknowledged records, of any key, that are on their way to the trace store. */
  readonly pending: number
}

export interface Proof {
  readonly text: string
  /** Whether every record sent is stored, or is a duplicate of a stored one. */
  readonly isWhole: boolean
}

const write = (count: number): string => count.toLocaleString('en-US')

export function deliveryProof({ keyName, sums, pending }: Delivery): Proof {
  const { received, stored, deduplicated, rejected } = sums
  const sender = keyName === undefined ? 'all API keys' : `“${keyName}”`
  const others = [
    ...(deduplicated > 0 ? [`${write(deduplicated)} repeated and stored once`] : []),
    ...(rejected > 0 ? [`${write(rejected)} rejected`] : []),
    ...(pending > 0 ? [`up to ${write(pending)} of those stored still on their way to the trace store`] : []),
  ]
  const parts = [`${write(received)} sent by ${sender}`, `${write(stored)} stored`, ...others]
  return { text: `${parts.join(', ')}.`, isWhole: rejected === 0 && received === stored + deduplicated }
}

/** The same as a message to someone else, with the range and the time of reading. */
export const proofMessage = ({ text }: Proof, start: Date, end: Date, now: Date): string =>
  `${text} ${start.toISOString()} to ${end.toISOString()}, by the ledger at ${now.toISOString()}.`
