/** Adds rows part by part, so that it can be told how far it is, stopped and gone on with. */
import type { Operations } from '@plumbline/sdk'
import { call } from '../../app/api.ts'
import type { NewRow } from '../grid/fields.ts'
import { partsOf } from './parts.ts'

export interface Writing {
  readonly slug: string
  readonly rows: readonly NewRow[]
  readonly signal: AbortSignal
  /** Told the ids of what was added, after each part. */
  readonly onAdded: (ids: readonly string[]) => void
}

/** Rejects with the signal's reason when it is stopped. What was added until then stays. */
export async function writeRows(client: Operations, { slug, rows, signal, onAdded }: Writing): Promise<void> {
  for (const part of partsOf(rows)) {
    signal.throwIfAborted()
    // A part that is under way is not broken off: whether it was stored would not be known.
    const { ids } = await call(client, 'datasets.append', { slug, rows: [...part] })
    onAdded(ids)
  }
}
