import type { operations } from '@plumbline/contract'
import type { Verb } from '../../requests/verb.ts'
import { toWorkspace } from './get.ts'

export const update: Verb<typeof operations.workspaces.update> = async ({ name }, { workspace, caller }) => {
  await workspace.workspaceName.update(name)
  return { workspace: await toWorkspace(workspace, caller) }
}
