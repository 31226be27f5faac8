/** Adds rows in parts, so that the import can report its progress, stop and continue. */
import type { Operations } from '@plumbline/sdk'
import { call } from '../../app/api.ts'
import type { NewRow } from '../grid/fields.ts'
import { partsOf } from './parts.ts'

export interface Writing {
  readonly slug: string
  readonly rows: readonly NewRow[]
  readonly signal: AbortSignal
  /** Called with the ids of the added rows, after each part. */
  readonly onAdded: (ids: readonly string[]) => void
}

/** Rejects with the signal's reason when stopped. The rows added until then stay. */
export async function writeRows(client: Operations, { slug, rows, signal, onAdded }: Writing): Promise<void> {
  for (const part of partsOf(rows)) {
    signal.throwIfAborted()
    // A part that is under way is not broken off: whether it was stored would not be known.
    const { ids } = await call(client, 'datasets.append', { slug, rows: [...part] })
    onAdded(ids)
  }
}
