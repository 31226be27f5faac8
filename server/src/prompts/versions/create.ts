import { invalid, latestTag, type operations } from '@plumbline/contract'
import { mapConflict } from '../../requests/map-storage-errors.ts'
import type { Verb } from '../../requests/verb.ts'
import { completeModel } from '../../workspace/model.ts'
import { toVersions } from './view.ts'

export const create: Verb<typeof operations.versions.create> = async (input, { workspace, caller, now }) => {
  const { slug, text } = input
  const tags = input.tags ?? []
  const kept = tags.indexOf(latestTag)
  if (kept >= 0) throw invalid(`tags[${kept}]`, `must not be "${latestTag}", which the service keeps itself`)
  const version = {
    slug,
    version: input.version ?? undefined,
    text,
    systemText: input.systemText ?? undefined,
    model: JSON.stringify(completeModel(input.model)),
    message: input.message ?? undefined,
    tags,
    by: caller.id,
  }
  const name = `${slug} ${input.version ?? ''}`.trim()
  const made = await mapConflict('prompt version', name, workspace.promptVersions.create(version, now))
  const [shown] = await toVersions(workspace, [made])
  return { version: shown! }
}
