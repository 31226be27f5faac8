import { type ExperimentRun, ServiceError } from '@plumbline/contract'
import type { Workspace } from '../../workspace/workspace.ts'
import { toRun } from './view.ts'

/** A run with its progress; throws `run_not_found`. */
export async function viewRun({ experimentRuns }: Workspace, id: string, now: Date): Promise<ExperimentRun> {
  const run = await experimentRuns.find(id)
  if (run === undefined) throw new ServiceError('run_not_found', { id })
  const counts = await experimentRuns.counts([id])
  return toRun(run, counts.get(id)!, now)
}
