/** Pushes files to the service: creates versions only if something differs, and moves production only on request. */
import type { Plumbline } from '@plumbline/sdk'
import { CommandFailed, type Session, WrongUsage } from '../session.ts'
import { differingParts, type PromptContent, promptParts, versionParts, withServedParts } from './content.ts'
import { listSlugs, readPrompt } from './files.ts'
import { findServed } from './served.ts'

export interface PushOptions {
  readonly dir: string
  readonly tag?: readonly string[]
  readonly message?: string
  readonly dryRun?: boolean
}

/** What a push does for one prompt. */
interface Plan {
  readonly slug: string
  readonly content: PromptContent
  readonly isNewPrompt: boolean
  /** The parts that require a new version; empty if the latest version matches. */
  readonly changed: readonly string[]
  /** The latest version; undefined if there is none. */
  readonly version: string | undefined
  /** Tags to move. */
  readonly tags: readonly string[]
  /** Fields that differ but that the API cannot change. */
  readonly unchangeable: readonly string[]
}

/** Reads and compares everything before it writes anything. */
export async function push(session: Session, slugs: string[], options: PushOptions): Promise<void> {
  const { client, print, tell } = session
  const { dir, tag: extraTags = [], message, dryRun = false } = options
  if (extraTags.includes('latest')) throw new WrongUsage('The tag latest moves automatically.')
  const selectedSlugs = slugs.length > 0 ? slugs : listSlugs(dir)
  if (selectedSlugs.length === 0) throw new CommandFailed(`There are no prompts in ${dir}.`)
  const plans: Plan[] = []
  for (const slug of selectedSlugs) plans.push(await makePlan(client, dir, slug, extraTags))
  for (const { slug, unchangeable } of plans) {
    if (unchangeable.length > 0)
      tell(
        `${slug}: ${unchangeable.join(', ')} cannot be changed by a push; pull to restore the values of the service.`,
      )
  }
  const results: {
    slug: string
    version: string | undefined
    changed: readonly string[]
    tags: readonly string[]
  }[] = []
  for (const plan of plans) {
    const version = dryRun ? plan.version : await applyPlan(client, plan, message)
    const { slug, changed, tags } = plan
    // Printed after each prompt, so that a later failure does not hide what was done.
    if (!session.isJson) print(undefined, describePlan(plan, version, dryRun))
    results.push({ slug, version, changed, tags })
  }
  if (session.isJson) print(results, '')
}

async function makePlan(
  client: Plumbline,
  dir: string,
  slug: string,
  extraTags: readonly string[],
): Promise<Plan> {
  const local = readPrompt(dir, slug)
  if (local === undefined)
    throw new CommandFailed(`There is no file ${dir}/${slug}/text.jinja, and no messages.json.`)
  const served = await findServed(client, slug, 'latest')
  const tags = [...new Set([...local.tags, ...extraTags])]
  if (served === undefined || typeof served === 'string') {
    const parts = versionParts(local).filter(({ text }) => text !== '')
    return {
      slug,
      content: local,
      isNewPrompt: served === undefined,
      changed: parts.map(({ part }) => part),
      version: undefined,
      tags,
      unchangeable: [],
    }
  }
  const content = withServedParts(local, served.content)
  const changed = differingParts(versionParts(content), versionParts(served.content))
  return {
    slug,
    content,
    isNewPrompt: false,
    changed,
    version: served.version,
    tags: changed.length > 0 ? tags : tags.filter((tag) => !served.tags.includes(tag)),
    unchangeable: differingParts(promptParts(content), promptParts(served.content)),
  }
}

/** Applies a plan; returns the version that now has the content of the files. */
async function applyPlan(
  client: Plumbline,
  { slug, content, isNewPrompt, changed, version, tags }: Plan,
  message: string | undefined,
): Promise<string | undefined> {
  const { name, description, feature, folder, text, systemText, messages, model, config } = content
  if (isNewPrompt)
    await client.prompts.create({
      slug,
      name,
      description: description || null,
      featureSlug: feature || null,
      folder: folder || null,
    })
  if (changed.length > 0) {
    // Safe: the service validates the model and names the invalid field.
    const parts = {
      ...(messages === undefined ? { text, systemText } : { messages }),
      ...(config === undefined ? {} : { config }),
      model: model as Parameters<Plumbline['versions']['create']>[0]['model'],
    }
    const response = await client.versions.create({
      slug,
      ...parts,
      tags: [...tags],
      message: message ?? null,
    })
    return response.version.version
  }
  for (const newTag of tags) await client.prompts.publish({ slug, newTag, version: version ?? null })
  return version
}

function describePlan(
  { slug, changed, tags, isNewPrompt }: Plan,
  version: string | undefined,
  dryRun: boolean,
): string {
  const changes = [
    ...(isNewPrompt ? ['new prompt'] : []),
    ...(changed.length > 0 ? [`new version (${changed.join(', ')})`] : []),
    ...(tags.length > 0 ? [`tags ${tags.join(', ')}`] : []),
  ]
  const shownVersion = dryRun && changed.length > 0 ? '' : ` ${version}`
  if (changes.length === 0) return `${slug}${shownVersion}: no changes`
  return `${slug}${shownVersion}: ${dryRun ? 'would create or move: ' : ''}${changes.join('; ')}`
}
