/** Adds rows in parts, so that the import can report its progress, stop and continue. */
import type { Operations } from '@plumbline/sdk'
import { call } from '../../app/api.ts'
import type { ImportPart } from './parts.ts'

export interface Writing {
  readonly slug: string
  /** Each is stored once, even if it is resent because its response was lost. */
  readonly parts: readonly ImportPart[]
  readonly signal: AbortSignal
  /** Called with the ids of the added rows, after each part. */
  readonly onAdded: (ids: readonly string[]) => void
}

/** Rejects with the signal's reason when stopped. The rows added until then stay. */
export async function writeRows(
  client: Operations,
  { slug, parts, signal, onAdded }: Writing,
): Promise<void> {
  for (const { rows, key } of parts) {
    signal.throwIfAborted()
    // A part in flight is not aborted, because it would be unknown whether it was stored.
    const { ids } = await call(client, 'datasets.append', { slug, rows: [...rows] }, { idempotencyKey: key })
    onAdded(ids)
  }
}
