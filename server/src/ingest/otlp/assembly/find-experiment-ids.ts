import type { ControlStore } from '@plumbline/storage/control'
import { traceIdOf } from '../trace-id.ts'
import type { AssemblyRequest } from './assemble.ts'

/** For the assembler: the experiments that traces joined after they were recorded, by workspace and trace id. */
export async function findExperimentIds(
  control: Pick<ControlStore, 'scopedTo'>,
  assemblies: readonly AssemblyRequest[],
): Promise<ReadonlyMap<string, Readonly<Record<string, string>>>> {
  const byWorkspace = Map.groupBy(assemblies, ({ workspaceId }) => workspaceId)
  const joinedByWorkspace = await Promise.all(
    [...byWorkspace].map(async ([workspaceId, workspaceAssemblies]) => {
      const ids = workspaceAssemblies.map((assembly) => traceIdOf(assembly, null))
      const attachments = await control.scopedTo({ workspaceId }).experimentAttachments.ofTraces(ids)
      const entries = attachments.map(({ traceId, experimentId }) => [traceId, experimentId] as const)
      return [workspaceId, Object.fromEntries(entries)] as const
    }),
  )
  return new Map(joinedByWorkspace)
}
