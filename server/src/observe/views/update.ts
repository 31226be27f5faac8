import type { operations } from '@plumbline/contract'
import { mapStorageErrors } from '../../requests/map-storage-errors.ts'
import type { Verb } from '../../requests/verb.ts'
import { toView } from './view.ts'

export const update: Verb<typeof operations.views.update> = async ({ id, name, search }, { workspace }) => {
  const change = { name: name ?? undefined, search: search ?? undefined }
  return { view: toView(await mapStorageErrors(workspace.views.update(id, change))) }
}
