/** Prompts, by Langfuse's names and version numbers. */
import { invalid, latestTag, operations, type PromptMessage, ServiceError } from '@plumbline/contract'
import {
  modelOfConfig,
  readChatMessages,
  slugOfName,
  versionNumbers,
  versionOfNumber,
} from '@plumbline/contract/langfuse-prompts'
import { get as getPrompt } from '../prompts/prompts/get.ts'
import { findPromptByName, slugForNewPrompt } from '../workspace/find-prompt-by-name.ts'
import type { LangfuseContext, LangfuseInput } from './endpoint.ts'
import { OperationRefused, unless } from './endpoint.ts'
import { type PageRequest, pageOf, readPage } from './page.ts'
import { toPrompt, toPromptMeta } from './prompt-view.ts'
import {
  isRecord,
  optionalText,
  queryNumber,
  queryText,
  recordIn,
  requiredText,
  textsIn,
} from './read-input.ts'

/** The version with a number, else with a label, else the one in production. As in Langfuse, there is no fallback. */
export async function get(input: LangfuseInput, context: LangfuseContext): Promise<object> {
  const name = input.params.name ?? ''
  const prompt = await findPromptByName(name, context.workspace.cache)
  const number = queryNumber(input, 'version')
  const label = queryText(input, 'label') ?? 'production'
  const version =
    number === undefined
      ? prompt?.versions.find(({ tags }) => tags.includes(label))
      : prompt && versionOfNumber(prompt.versions, number)
  if (prompt === undefined || version === undefined)
    throw notFound(name, number === undefined ? `label "${label}"` : `version ${number}`)
  // Counts the fetch, and selects the version during a rollout of the label.
  const selector = number === undefined ? { tag: label } : { version: version.version }
  await getPrompt({ slug: prompt.slug, ...selector }, context)
  return toPrompt(prompt, version)
}

export async function list(input: LangfuseInput, { workspace, call }: LangfuseContext): Promise<object> {
  const { prompts } = await call(operations.prompts.list, {})
  const [name, label] = [queryText(input, 'name'), queryText(input, 'label')]
  const slugs = prompts
    .filter(
      (prompt) =>
        prompt.availableVersions.length > 0 &&
        (name === undefined || prompt.name === name || prompt.slug === slugOfName(name)) &&
        (label === undefined || prompt.availableTags.includes(label)),
    )
    .map(({ slug }) => slug)
  const request: PageRequest = readPage(input)
  const { items, meta } = pageOf(slugs, request)
  const loaded = await Promise.all(items.map((slug) => workspace.cache.prompt(slug)))
  return { data: loaded.flatMap((prompt) => (prompt === undefined ? [] : [toPromptMeta(prompt)])), meta }
}

/** Adds a version, and creates the prompt with the first one. */
export async function create(input: LangfuseInput, { workspace, call }: LangfuseContext): Promise<object> {
  const body = recordIn(input.body)
  const name = requiredText(body, 'name')
  const texts = readPromptTexts(body)
  const config = readConfig(body.config)
  const message = optionalText(body, 'commitMessage')
  const labels = textsIn(body, 'labels').filter((label) => label !== latestTag)
  const slug = await slugForNewPrompt(name, workspace.cache)
  await unless(409, call(operations.prompts.create, { slug, name }))
  const attempt = async (): Promise<string | undefined> => {
    const versions = (await workspace.prompts.load(slug))?.versions ?? []
    const version = String(Math.max(0, ...versionNumbers(versions.toReversed())) + 1)
    const created = await unless(
      409,
      call(operations.versions.create, {
        ...{ slug, version, ...texts, config, tags: labels, message },
        model: config && modelOfConfig(config),
      }),
    )
    return created?.version.version
  }
  // A concurrent request may take the number.
  for (let attempts = 0; attempts < 5; attempts++) {
    const version = await attempt()
    if (version !== undefined) return viewOf(slug, version, workspace)
  }
  throw new ServiceError('already_exists', { kind: 'prompt version', name })
}

/** Moves labels to a version. */
export async function label(input: LangfuseInput, { workspace, call }: LangfuseContext): Promise<object> {
  const name = input.params.name ?? ''
  const labels = textsIn(recordIn(input.body), 'newLabels').filter((each) => each !== latestTag)
  const prompt = await findPromptByName(name, workspace.cache)
  const number = Number(input.params.version)
  const version = prompt && versionOfNumber(prompt.versions, number)
  if (prompt === undefined || version === undefined) throw notFound(name, `version ${number}`)
  for (const newTag of labels)
    await call(operations.prompts.publish, { slug: prompt.slug, newTag, version: version.version })
  return viewOf(prompt.slug, version.version, workspace)
}

/** Deletes a whole prompt; single versions cannot be deleted, since traces refer to them. */
export async function remove(input: LangfuseInput, { workspace, call }: LangfuseContext): Promise<undefined> {
  const name = input.params.name ?? ''
  if (queryText(input, 'version') !== undefined || queryText(input, 'label') !== undefined)
    throw new ServiceError('not_supported', {
      problem: 'Plumbline keeps every version of a prompt; delete the whole prompt, or move the label.',
    })
  const prompt = await findPromptByName(name, workspace.cache)
  if (prompt === undefined) throw new ServiceError('prompt_not_found', { slug: name })
  await call(operations.prompts.archive, { slug: prompt.slug })
  await call(operations.prompts.delete, { slug: prompt.slug })
}

const notFound = (name: string, selector: string) =>
  new OperationRefused(404, `The prompt "${name}" with the ${selector} was not found.`)

/** Reads the stored prompt, since the cache may be out of date. */
async function viewOf(
  slug: string,
  name: string,
  { prompts }: LangfuseContext['workspace'],
): Promise<object> {
  const prompt = await prompts.load(slug)
  const version = prompt?.versions.find((each) => each.version === name)
  if (prompt === undefined || version === undefined) throw new ServiceError('prompt_not_found', { slug })
  return toPrompt({ ...prompt, featureSlug: prompt.featureSlug ?? null }, version)
}

function readPromptTexts(
  body: Readonly<Record<string, unknown>>,
): { text: string } | { messages: PromptMessage[] } {
  const { type, prompt } = body
  if (type !== undefined && type !== null && type !== 'text' && type !== 'chat')
    throw invalid('type', 'must be text or chat')
  if (type !== 'chat' && typeof prompt === 'string') return { text: prompt }
  if (type !== 'chat') throw invalid('prompt', 'must be a text, unless `type` is chat')
  const messages = Array.isArray(prompt) && prompt.length > 0 ? readChatMessages(prompt) : undefined
  if (messages === undefined)
    throw invalid(
      'prompt',
      'must be a list of messages with `role` and `content`, or placeholders with `name`',
    )
  return { messages }
}

function readConfig(config: unknown): Record<string, unknown> | undefined {
  if (config === undefined || config === null) return undefined
  if (!isRecord(config)) throw invalid('config', 'must be an object')
  return { ...config }
}
