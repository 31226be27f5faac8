import type { operations } from '@plumbline/contract'
import type { Verb } from '../../requests/verb.ts'
import { viewRun } from './shown-run.ts'

export const get: Verb<typeof operations.experimentRuns.get> = async ({ id }, { workspace, now }) => ({
  run: await viewRun(workspace, id, now),
})
