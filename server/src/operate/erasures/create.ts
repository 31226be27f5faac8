import type { operations } from '@plumbline/contract'
import type { TraceStore } from '@plumbline/storage/traces'
import type { Verb } from '../../requests/verb.ts'
import type { Deleting } from '../deletions/deleting.ts'
import { readSubject, selectionsOfSubject } from './subject.ts'
import { toErasure } from './view.ts'

export const makeCreate =
  (
    traceStore: Pick<TraceStore, 'countSelection'>,
    deleting: Deleting,
  ): Verb<typeof operations.erasures.create> =>
  async (input, context) => {
    const subject = readSubject(input)
    const { workspace, now } = context
    const base = { workspaceId: workspace.id, untilMs: now.getTime() }
    let expected = 0
    for (const selection of selectionsOfSubject(subject, base))
      expected += (await traceStore.countSelection(selection)).traces
    const request = { type: subject.type, selection: { id: subject.id }, expected, hashed: [subject.id] }
    return { erasure: toErasure(await deleting.request(request, context)) }
  }
