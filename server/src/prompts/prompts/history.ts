import type { operations } from '@plumbline/contract'
import { mapStorageErrors } from '../../requests/map-storage-errors.ts'
import type { Verb } from '../../requests/verb.ts'
import { namedIn } from '../../workspace/named-in.ts'

export const history: Verb<typeof operations.prompts.history> = async ({ slug }, { workspace }) => {
  const moves = await mapStorageErrors(workspace.promptTags.history(slug))
  const names = await workspace.members.names(moves.flatMap(({ by }) => by ?? []))
  return {
    moves: moves.map(({ label, from, to, at: time, by }) => ({
      tag: label,
      ...(from === undefined ? {} : { from }),
      to,
      ...(by === undefined ? {} : { movedBy: by, ...namedIn(names, 'movedByName', by) }),
      movedAt: time.toISOString(),
    })),
  }
}
