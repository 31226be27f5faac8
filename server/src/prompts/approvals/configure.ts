import { invalid, latestTag, type operations } from '@plumbline/contract'
import type { Verb } from '../../requests/verb.ts'

export const configure: Verb<typeof operations.approvals.configure> = async ({ tags }, { workspace }) => {
  const latestIndex = tags.indexOf(latestTag)
  if (latestIndex >= 0)
    throw invalid(`tags[${latestIndex}]`, `must not be "${latestTag}", which the service moves automatically`)
  await workspace.approvals.configure(tags)
  return { tags: await workspace.approvals.tags() }
}
