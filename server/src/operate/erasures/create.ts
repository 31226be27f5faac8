import type { operations } from '@plumbline/contract'
import type { Verb } from '../../requests/verb.ts'
import type { Deleting } from '../deletions/deleting.ts'
import { findSubject, readSubject } from './subject.ts'
import { toErasure } from './view.ts'

export const makeCreate =
  (deletionService: Deleting): Verb<typeof operations.erasures.create> =>
  async (input, context) => {
    const { type, id } = readSubject(input)
    const { ids } = await findSubject({ type, id }, context.workspace)
    const hashes = ids.filter((each) => each !== id)
    return {
      erasure: toErasure(
        await deletionService.request({ type, selection: { id, hashes }, hashParts: [id] }, context),
      ),
    }
  }
