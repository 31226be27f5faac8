import type { operations } from '@plumbline/contract'
import type { TraceStore } from '@plumbline/storage/traces'
import type { Verb } from '../../requests/verb.ts'
import { readSelection, toTraceSelection } from './selection.ts'

/** Counts everything acknowledged so far, including what is still in the spool. */
export const makePreview =
  (traceStore: Pick<TraceStore, 'countSelection'>): Verb<typeof operations.deletions.preview> =>
  async (input, { workspace, now }) => {
    const selection = readSelection(input)
    await workspace.settle()
    return traceStore.countSelection(
      toTraceSelection(selection, { workspaceId: workspace.id, untilMs: now.getTime() }),
    )
  }
