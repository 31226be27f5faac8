import type { operations } from '@plumbline/contract'
import type { Verb } from '../../requests/verb.ts'

export const update: Verb<typeof operations.retention.update> = async ({ days }, { workspace }) => {
  await workspace.retention.update(days ?? undefined)
  return { days }
}
