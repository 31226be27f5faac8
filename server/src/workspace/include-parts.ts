/** Inserts the texts of shared parts into the versions of a prompt. */
import { type PromptMessage, productionTag } from '@plumbline/contract'
import { type PartReference, partsIn, replaceParts } from '@plumbline/contract/templates/prompt-parts'

interface Version {
  readonly version: string
  readonly text: string
  readonly systemText: string
  /** JSON text. */
  readonly messages?: string | undefined
  readonly tags: readonly string[]
}

interface PartSource {
  readonly versions: readonly Version[]
}

/** A version with its parts inserted. */
export type WithParts<Source extends Version> = Source & {
  /** Sentences on parts that could not be inserted; they are replaced by nothing. */
  readonly partProblems: readonly string[]
}

const depthMax = 8
/** Nested parts can multiply; no prompt is this long. */
const charsMax = 2 ** 18

/** Reads each part once, however many versions use it. */
export async function includeParts<Source extends Version>(
  slug: string,
  versions: readonly Source[],
  loadPrompt: (slug: string) => Promise<PartSource | undefined>,
): Promise<WithParts<Source>[]> {
  const parts = new Map<string, PartSource | undefined>()
  const load = async (templates: readonly string[], depth: number): Promise<void> => {
    const missing = [...new Set(templates.flatMap(partsIn).map((part) => part.slug))].filter(
      (part) => !parts.has(part),
    )
    if (missing.length === 0 || depth > depthMax) return
    for (const part of missing) parts.set(part, await loadPrompt(part))
    const loaded = missing.flatMap((part) => parts.get(part)?.versions ?? [])
    await load(
      loaded.map(({ text }) => text),
      depth + 1,
    )
  }
  await load(versions.flatMap(templatesOf), 1)
  return versions.map((version) => withParts(version, slug, parts))
}

const templatesOf = ({ text, systemText, messages }: Version): readonly string[] => [
  text,
  systemText,
  // JSON escapes the quotes of a reference, so the messages have to be parsed.
  ...(messages === undefined ? [] : readMessages(messages).flatMap(({ content }) => content ?? [])),
]

// Safe: `versions.create` checked the stored text.
const readMessages = (messages: string): PromptMessage[] => JSON.parse(messages) as PromptMessage[]

function withParts<Source extends Version>(
  version: Source,
  slug: string,
  parts: ReadonlyMap<string, PartSource | undefined>,
): WithParts<Source> {
  if (templatesOf(version).every((template) => partsIn(template).length === 0))
    return { ...version, partProblems: [] }
  const problems = new Set<string>()
  let chars = 0
  const expand = (template: string, path: readonly string[]): string =>
    replaceParts(template, (reference) => {
      const part = findPart(reference, path, parts)
      chars += 'text' in part ? part.text.length : 0
      const problem =
        'problem' in part ? part.problem : chars > charsMax ? 'Its parts are too long.' : undefined
      if (problem !== undefined) problems.add(problem)
      return 'text' in part && problem === undefined ? expand(part.text, [...path, reference.slug]) : ''
    })
  const { text, systemText, messages } = version
  const expandMessage = (message: PromptMessage): PromptMessage =>
    message.content === undefined ? message : { ...message, content: expand(message.content, [slug]) }
  return {
    ...version,
    text: expand(text, [slug]),
    systemText: expand(systemText, [slug]),
    ...(messages !== undefined && { messages: JSON.stringify(readMessages(messages).map(expandMessage)) }),
    partProblems: [...problems],
  }
}

function findPart(
  { slug, selector = productionTag }: PartReference,
  path: readonly string[],
  parts: ReadonlyMap<string, PartSource | undefined>,
): { readonly text: string } | { readonly problem: string } {
  if (path.includes(slug) || path.length > depthMax)
    return { problem: `The part "${slug}" includes itself, and was left out.` }
  const versions = parts.get(slug)?.versions
  if (versions === undefined) return { problem: `The part "${slug}" does not exist, and was left out.` }
  const tagged = versions.find(({ tags }) => tags.includes(selector))
  // Putting a version into production may need approval, so a version that is merely named `production` must not replace it.
  const version =
    selector === productionTag
      ? tagged
      : (versions.find((candidate) => candidate.version === selector) ?? tagged)
  if (version === undefined)
    return { problem: `The part "${slug}" has no version or tag "${selector}", and was left out.` }
  if (version.messages !== undefined && version.text === '')
    return { problem: `The part "${slug}" is made of messages, and was left out.` }
  return { text: version.text }
}
