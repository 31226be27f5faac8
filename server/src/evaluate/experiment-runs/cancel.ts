import type { operations } from '@plumbline/contract'
import { mapStorageErrors } from '../../requests/map-storage-errors.ts'
import type { Verb } from '../../requests/verb.ts'
import { viewRun } from './shown-run.ts'

export const cancel: Verb<typeof operations.experimentRuns.cancel> = async ({ id }, { workspace, now }) => {
  await mapStorageErrors(workspace.experimentRuns.cancel(id, now))
  return { run: await viewRun(workspace, id, now) }
}
