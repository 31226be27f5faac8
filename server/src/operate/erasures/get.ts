import { type operations, ServiceError } from '@plumbline/contract'
import type { Verb } from '../../requests/verb.ts'
import { toErasure } from './view.ts'

export const get: Verb<typeof operations.erasures.get> = async ({ id }, { workspace }) => {
  const deletion = await workspace.dataDeletions.find(id)
  if (deletion === undefined || deletion.type === 'traces')
    throw new ServiceError('deletion_not_found', { id })
  return { erasure: toErasure(deletion) }
}
