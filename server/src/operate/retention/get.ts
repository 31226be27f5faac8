import type { operations } from '@plumbline/contract'
import type { Verb } from '../../requests/verb.ts'
import { toRetention } from './rules.ts'

export const get: Verb<typeof operations.retention.get> = async (_input, { workspace }) =>
  toRetention(await workspace.retention.find())
