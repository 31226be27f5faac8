import type { operations } from '@plumbline/contract'
import type { Verb } from '../../requests/verb.ts'

export const acknowledge: Verb<typeof operations.comments.acknowledge> = async (
  _input,
  { workspace, caller, now },
) => ({ acknowledged: await workspace.comments.acknowledge(caller.id, now) })
