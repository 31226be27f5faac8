import type { operations } from '@plumbline/contract'
import type { Verb } from '../../requests/verb.ts'
import { toMember } from './view.ts'

export const list: Verb<typeof operations.members.list> = async (_input, { workspace }) => ({
  members: (await workspace.members.list()).map(toMember),
})
