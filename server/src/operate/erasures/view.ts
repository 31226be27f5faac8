import type { Erasure } from '@plumbline/contract'
import { toDeletionFields, type ViewedDeletion } from '../deletions/view.ts'

/** An erasure as the interface returns it, which does not reveal whom it erased. */
export const toErasure = (deletion: ViewedDeletion): Erasure => ({
  ...toDeletionFields(deletion),
  subjectType: deletion.type === 'organization' ? 'organization' : 'user',
  requestHash: deletion.requestHash,
  found: deletion.checks === undefined ? null : { ...deletion.checks },
})
