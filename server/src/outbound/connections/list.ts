import type { operations } from '@plumbline/contract'
import type { Verb } from '../../requests/verb.ts'
import { toConnection } from './view.ts'

export const list: Verb<typeof operations.connections.list> = async (_input, { workspace, now }) => ({
  connections: (await workspace.connections.list(now)).map(toConnection),
})
