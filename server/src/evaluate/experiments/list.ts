import type { operations } from '@plumbline/contract'
import { nextCursorOf, readPageKey } from '../../requests/cursor.ts'
import type { Verb } from '../../requests/verb.ts'
import { toExperiment } from './view.ts'

export const list: Verb<typeof operations.experiments.list> = async (input, { workspace }) => {
  const { featureSlug, limit = 100, cursor } = input
  const after = readPageKey('experiments', cursor)
  const page = await workspace.experiments.list({ featureSlug: featureSlug ?? null, limit, after })
  return { experiments: page.items.map(toExperiment), ...nextCursorOf('experiments', page.next) }
}
