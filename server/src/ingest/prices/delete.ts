import { type operations, ServiceError } from '@plumbline/contract'
import type { Verb } from '../../requests/verb.ts'

const remove: Verb<typeof operations.prices.delete> = async ({ id }, { workspace }) => {
  if (!(await workspace.prices.delete(id))) throw new ServiceError('price_not_found', { id })
  return undefined
}

export { remove as delete }
