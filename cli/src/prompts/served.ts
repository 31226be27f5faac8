/** Reads prompts from the service. */
import { type Plumbline, RequestFailed } from '@plumbline/sdk'
import { CommandFailed } from '../session.ts'
import { ownTags, type PromptContent } from './content.ts'

export interface ServedPrompt {
  readonly content: PromptContent
  readonly version: string
  /** Every tag of the version. */
  readonly tags: readonly string[]
}

/** Finds the version with a tag; undefined if the prompt does not exist. Throws if the prompt has no such tag. */
export async function findServed(
  client: Plumbline,
  slug: string,
  tag: string,
): Promise<ServedPrompt | 'without versions' | undefined> {
  const prompt = await findPrompt(client, slug)
  if (prompt === undefined) return undefined
  if (prompt.availableVersions.length === 0) return 'without versions'
  let cursor: string | undefined
  do {
    const page = await client.versions.list({ slug, ...(cursor === undefined ? {} : { cursor }) })
    const match = page.versions.find(({ tags }) => tags.includes(tag))
    if (match !== undefined) {
      const { name, description, featureSlug: feature = '' } = prompt
      const { version, text, systemText, model, tags, config } = match
      // Messages that the texts can say are texts in files, which are easier to review.
      const messages = text === '' ? match.messages : undefined
      return {
        content: {
          ...{ name, description, feature, tags: ownTags(tags) },
          ...{ text, systemText, messages, model, config },
        },
        version,
        tags,
      }
    }
    cursor = page.nextCursor
  } while (cursor !== undefined)
  throw new CommandFailed(`The prompt "${slug}" has no version with the tag "${tag}".`)
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
