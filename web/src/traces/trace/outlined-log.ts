/** A log of an outline in the form of a whole one, for the tree: what is read later is null. Pure. */
import type { OutlinedLog, StoredLog } from '@plumbline/sdk'

export const fromOutline = ({ error, ...log }: OutlinedLog): StoredLog => ({
  ...log,
  metadata: error === null ? null : { error },
  input: null,
  output: null,
  idealOutput: null,
  evaluators: null,
})
