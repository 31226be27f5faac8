import type { operations } from '@plumbline/contract'
import type { TraceStore } from '@plumbline/storage/traces'
import type { Verb } from '../../requests/verb.ts'
import type { Deleting } from '../deletions/deleting.ts'
import { findAllOfSubject } from './find-rows.ts'
import { findSubject, readSubject } from './subject.ts'
import { toErasure } from './view.ts'

export const makeCreate =
  (traceStore: TraceStore, deletionService: Deleting): Verb<typeof operations.erasures.create> =>
  async (input, context) => {
    const { type, id } = readSubject(input)
    const { workspace, now } = context
    const subject = await findSubject({ type, id }, workspace)
    const hashes = subject.ids.filter((each) => each !== id)
    await workspace.settle()
    const { selections } = await findAllOfSubject({ workspace, traceStore, subject }, now.getTime())
    let expected = 0
    for (const selection of selections) expected += (await traceStore.countSelection(selection)).traces
    return {
      erasure: toErasure(
        await deletionService.request(
          { type, selection: { id, hashes }, expected, hashParts: [id] },
          context,
        ),
      ),
    }
  }
