import type { operations } from '@plumbline/contract'
import type { Verb } from '../../requests/verb.ts'
import type { Deleting } from '../deletions/deleting.ts'
import { readSubject } from './subject.ts'
import { toErasure } from './view.ts'

export const makeCreate =
  (deletionService: Deleting): Verb<typeof operations.erasures.create> =>
  async (input, context) => {
    const { type, id } = readSubject(input)
    return {
      erasure: toErasure(
        await deletionService.request({ type, selection: { id }, hashParts: [id] }, context),
      ),
    }
  }
