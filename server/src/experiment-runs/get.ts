import type { operations } from '@plumbline/contract'
import type { Verb } from '../verb.ts'
import { shownRun } from './shown-run.ts'

export const get: Verb<typeof operations.experimentRuns.get> = async ({ id }, { workspace, now }) => ({
  run: await shownRun(workspace, id, now),
})
