import { type operations, ServiceError } from '@plumbline/contract'
import type { Verb } from '../../requests/verb.ts'
import { toDeletionView } from './view.ts'

export const get: Verb<typeof operations.deletions.get> = async ({ id }, { workspace }) => {
  const deletion = await workspace.dataDeletions.find(id)
  if (deletion?.type !== 'traces') throw new ServiceError('deletion_not_found', { id })
  return { deletion: toDeletionView(deletion) }
}
