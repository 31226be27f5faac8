/** An outlined log in the form of a full one, for the tree: fields loaded later are null. Pure. */
import type { OutlinedLog, StoredLog } from '@plumbline/sdk'

export const fromOutline = ({ error, ...log }: OutlinedLog): StoredLog => ({
  ...log,
  metadata: error === null ? null : { error },
  input: null,
  output: null,
  idealOutput: null,
  evaluators: null,
})
