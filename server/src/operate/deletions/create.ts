import type { operations } from '@plumbline/contract'
import type { TraceStore } from '@plumbline/storage/traces'
import type { Verb } from '../../requests/verb.ts'
import type { Deleting } from './deleting.ts'
import { readSelection, toTraceSelection } from './selection.ts'
import { toDeletionView } from './view.ts'

export const makeCreate =
  (
    traceStore: Pick<TraceStore, 'countSelection'>,
    deleting: Deleting,
  ): Verb<typeof operations.deletions.create> =>
  async (input, context) => {
    const selection = readSelection(input)
    const { workspace, now } = context
    await workspace.settle()
    const base = { workspaceId: workspace.id, untilMs: now.getTime() }
    const { traces } = await traceStore.countSelection(toTraceSelection(selection, base))
    const request = {
      type: 'traces',
      selection,
      expected: traces,
      hashed: [JSON.stringify(selection)],
    } as const
    return { deletion: toDeletionView(await deleting.request(request, context)) }
  }
