import type { operations } from '@plumbline/contract'
import type { Verb } from '../../requests/verb.ts'
import { toInvitation } from './view.ts'

export const list: Verb<typeof operations.invitations.list> = async (_input, { workspace, now }) => ({
  invitations: (await workspace.invitations.list(now)).map(toInvitation),
})
