/** Reads prompts from the service. */
import { type Plumbline, RequestFailed } from '@plumbline/sdk'
import { ownTags, type PromptContent } from './content.ts'

export interface ServedPrompt {
  readonly content: PromptContent
  readonly version: string
  /** Every tag of the version. */
  readonly tags: readonly string[]
}

/** Finds the version with a tag; undefined if the prompt does not exist. */
export async function findServed(
  client: Plumbline,
  slug: string,
  tag: string,
): Promise<ServedPrompt | 'without versions' | 'without the tag' | undefined> {
  const prompt = await findPrompt(client, slug)
  if (prompt === undefined) return undefined
  if (prompt.availableVersions.length === 0) return 'without versions'
  let cursor: string | undefined
  do {
    const page = await client.versions.list({ slug, ...(cursor === undefined ? {} : { cursor }) })
    const match = page.versions.find(({ tags }) => tags.includes(tag))
    if (match !== undefined) {
      const { name, description, featureSlug: feature = '', folder = '' } = prompt
      const { version, text, model, tags, config } = match
      // Messages that texts can represent are written as text files, which are easier to review.
      const messages = text === '' ? match.messages : undefined
      const systemText = messages === undefined ? match.systemText : ''
      return {
        content: {
          ...{ name, description, feature, folder, tags: ownTags(tags) },
          ...{ text, systemText, messages, model, config },
        },
        version,
        tags,
      }
    }
    cursor = page.nextCursor
  } while (cursor !== undefined)
  return 'without the tag'
}

async function findPrompt(client: Plumbline, slug: string) {
  try {
    return (await client.prompts.describe({ slug })).prompt
  } catch (error) {
    if (error instanceof RequestFailed && error.status === 404) return undefined
    throw error
  }
}

/** The slugs of all prompts in use, sorted. */
export async function listServed(client: Plumbline): Promise<string[]> {
  const { prompts } = await client.prompts.list()
  return prompts.map(({ slug }) => slug).sort()
}
