import type { operations } from '@plumbline/contract'
import { changing } from '../refusals.ts'
import type { Verb } from '../verb.ts'
import { toView } from './view.ts'

export const update: Verb<typeof operations.views.update> = async ({ id, name, search }, { workspace }) => {
  const change = { name: name ?? undefined, search: search ?? undefined }
  return { view: toView(await changing(workspace.views.update(id, change))) }
}
