import type { operations } from '@plumbline/contract'
import type { Verb } from '../../requests/verb.ts'
import type { Deleting } from './deleting.ts'
import { readSelection } from './selection.ts'
import { toDeletionView } from './view.ts'

export const makeCreate =
  (deletionService: Deleting): Verb<typeof operations.deletions.create> =>
  async (input, context) => {
    const selection = readSelection(input)
    const request = { type: 'traces', selection, hashParts: [JSON.stringify(selection)] } as const
    return { deletion: toDeletionView(await deletionService.request(request, context)) }
  }
