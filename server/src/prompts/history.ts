import type { operations } from '@plumbline/contract'
import { changing } from '../refusals.ts'
import type { Verb } from '../verb.ts'

export const history: Verb<typeof operations.prompts.history> = async ({ slug }, { workspace }) => {
  const moves = await changing(workspace.promptTags.history(slug))
  return {
    moves: moves.map(({ label, from, to, at, by }) => ({
      tag: label,
      ...(from === undefined ? {} : { from }),
      to,
      ...(by === undefined ? {} : { movedBy: by }),
      movedAt: at.toISOString(),
    })),
  }
}
