import { hash } from 'node:crypto'
import type { operations } from '@plumbline/contract'
import { EncodedJson } from '../../json/encoded-json.ts'
import { nextCursorOf, readPageKey } from '../../requests/cursor.ts'
import type { Verb } from '../../requests/verb.ts'
import { toSummary } from './summary.ts'

/** The active prompts, ready to send: clients poll the list, and mostly nothing has changed. */
export const list: Verb<typeof operations.prompts.list> = async (
  { featureSlug, folder, archived, limit, cursor },
  { workspace },
) => {
  const key = `prompts.list ${JSON.stringify([featureSlug, folder, archived, limit, cursor])}`
  const { responses, generation } = workspace.cache
  const cached = responses.get(key)
  if (cached !== undefined) return cached
  const after = readPageKey('prompts', cursor)
  const page = await workspace.prompts.list({
    featureSlug: featureSlug ?? null,
    folder: folder ?? null,
    isArchived: archived,
    limit,
    after,
  })
  const answer = encode({ prompts: page.items.map(toSummary), ...nextCursorOf('prompts', page.next) })
  if (generation === workspace.cache.generation) responses.set(key, answer)
  return answer
}

/** Encodes a response with the ETag by which a client can tell whether it has changed. */
export function encode(answer: object): EncodedJson {
  const payload = JSON.stringify(answer)
  return new EncodedJson(payload, `"${hash('sha256', payload, 'base64url').slice(0, 27)}"`)
}
