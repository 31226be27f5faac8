import type { ControlStore } from '@plumbline/storage/control'
import type { AskedAssembly } from '../otlp/assemble.ts'
import { traceIdOf } from '../otlp/trace-id.ts'

/** For the assembler: experiments that traces have joined since they were recorded, by workspace and our trace id. */
export async function joinedOf(
  control: Pick<ControlStore, 'scopedTo'>,
  asked: readonly AskedAssembly[],
): Promise<ReadonlyMap<string, Readonly<Record<string, string>>>> {
  const byWorkspace = Map.groupBy(asked, ({ workspaceId }) => workspaceId)
  const found = await Promise.all(
    [...byWorkspace].map(async ([workspaceId, of]) => {
      const ids = of.map((each) => traceIdOf(each, null))
      const joined = await control.scopedTo({ workspaceId }).experimentAttachments.ofTraces(ids)
      const entries = joined.map(({ traceId, experimentId }) => [traceId, experimentId] as const)
      return [workspaceId, Object.fromEntries(entries)] as const
    }),
  )
  return new Map(found)
}
