import { type CommentSubject, ServiceError } from '@plumbline/contract'
import { findTrace } from '../../traces/find.ts'
import type { Workspace } from '../../workspace/workspace.ts'

/** The id under which comments on a subject are stored: a trace may be named by its OpenTelemetry id. Throws if it does not exist. */
export async function subjectIdOf(type: CommentSubject, id: string, workspace: Workspace): Promise<string> {
  switch (type) {
    case 'trace': {
      const trace = await findTrace(id.toLowerCase(), workspace)
      if (trace === undefined) throw new ServiceError('trace_not_found', { id })
      return trace.trace.traceId
    }
    case 'prompt':
      if ((await workspace.prompts.find(id)) === undefined)
        throw new ServiceError('prompt_not_found', { slug: id })
      return id
    case 'experiment':
      if ((await workspace.experiments.find(id)) === undefined)
        throw new ServiceError('experiment_not_found', { id })
      return id
  }
}
