import type { operations } from '@plumbline/contract'
import type { Verb } from '../../requests/verb.ts'
import { toApiKey } from './view.ts'

export const list: Verb<typeof operations.keys.list> = async (_input, { workspace }) => ({
  apiKeys: (await workspace.apiKeys.list()).map(toApiKey),
})
