import type { operations } from '@plumbline/contract'
import { mapStorageErrors } from '../../requests/map-storage-errors.ts'
import type { Verb } from '../../requests/verb.ts'
import { nameField } from '../../workspace/name-field.ts'

export const history: Verb<typeof operations.prompts.history> = async ({ slug }, { workspace }) => {
  const moves = await mapStorageErrors(workspace.promptTags.history(slug))
  const names = await workspace.members.names(moves.flatMap(({ movedBy }) => movedBy ?? []))
  return {
    moves: moves.map(({ label, from, to, at: time, movedBy }) => ({
      tag: label,
      ...(from === undefined ? {} : { from }),
      to,
      ...(movedBy === undefined ? {} : { movedBy, ...nameField(names, 'movedByName', movedBy) }),
      movedAt: time.toISOString(),
    })),
  }
}
