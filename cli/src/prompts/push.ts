/** From files to the service: a new version only where something differs, and production only where it is asked for. */
import type { Plumbline } from '@plumbline/sdk'
import { CommandFailed, type Session, WrongUsage } from '../session.ts'
import { differing, type PromptContent, promptParts, versionParts } from './content.ts'
import { listSlugs, readPrompt } from './files.ts'
import { findServed } from './served.ts'

export interface PushOptions {
  readonly dir: string
  readonly tag?: readonly string[]
  readonly message?: string
  readonly dryRun?: boolean
}

/** What is to be done for one prompt. */
interface Plan {
  readonly slug: string
  readonly content: PromptContent
  readonly isNewPrompt: boolean
  /** The parts for which a new version is made; none if the latest version serves. */
  readonly changed: readonly string[]
  /** The latest version; undefined where there is none. */
  readonly version: string | undefined
  /** Tags that move. */
  readonly tags: readonly string[]
  /** Fields that differ and that the interface cannot change. */
  readonly unchangeable: readonly string[]
}

/** Everything is read and compared before anything is written. */
export async function push(session: Session, slugs: string[], options: PushOptions): Promise<void> {
  const { client, print, tell } = session
  const { dir, tag: asked = [], message, dryRun = false } = options
  if (asked.includes('latest')) throw new WrongUsage('The tag latest moves by itself.')
  const wanted = slugs.length > 0 ? slugs : listSlugs(dir)
  if (wanted.length === 0) throw new CommandFailed(`There are no prompts in ${dir}.`)
  const plans: Plan[] = []
  for (const slug of wanted) plans.push(await planOf(client, dir, slug, asked))
  for (const { slug, unchangeable } of plans) {
    if (unchangeable.length > 0)
      tell(
        `${slug}: ${unchangeable.join(', ')} cannot be changed by a push; pull brings back what the service has.`,
      )
  }
  const done: {
    slug: string
    version: string | undefined
    changed: readonly string[]
    tags: readonly string[]
  }[] = []
  for (const plan of plans) {
    const version = dryRun ? plan.version : await carryOut(client, plan, message)
    const { slug, changed, tags } = plan
    // After each prompt, so that a failure further on does not hide what is done.
    if (!session.isJson) print(undefined, inWords(plan, version, dryRun))
    done.push({ slug, version, changed, tags })
  }
  if (session.isJson) print(done, '')
}

async function planOf(client: Plumbline, dir: string, slug: string, asked: readonly string[]): Promise<Plan> {
  const content = readPrompt(dir, slug)
  if (content === undefined) throw new CommandFailed(`There is no file ${dir}/${slug}/text.jinja.`)
  const served = await findServed(client, slug, 'latest')
  const tags = [...new Set([...content.tags, ...asked])]
  if (served === undefined || served === 'without versions') {
    const changed = versionParts(content).map(({ part }) => part)
    return {
      slug,
      content,
      isNewPrompt: served === undefined,
      changed,
      version: undefined,
      tags,
      unchangeable: [],
    }
  }
  const changed = differing(versionParts(content), versionParts(served.content))
  return {
    slug,
    content,
    isNewPrompt: false,
    changed,
    version: served.version,
    tags: changed.length > 0 ? tags : tags.filter((tag) => !served.tags.includes(tag)),
    unchangeable: differing(promptParts(content), promptParts(served.content)),
  }
}

/** The version that has the content of the files now. */
async function carryOut(
  client: Plumbline,
  { slug, content, isNewPrompt, changed, version, tags }: Plan,
  message: string | undefined,
): Promise<string | undefined> {
  const { name, description, feature, text, systemText, model } = content
  if (isNewPrompt)
    await client.prompts.create({
      slug,
      name,
      description: description || null,
      featureSlug: feature || null,
    })
  if (changed.length > 0) {
    // Safe: the service checks the model, and says which field is wrong.
    const parts = {
      text,
      systemText,
      model: model as Parameters<Plumbline['versions']['create']>[0]['model'],
    }
    const made = await client.versions.create({ slug, ...parts, tags: [...tags], message: message ?? null })
    return made.version.version
  }
  for (const newTag of tags) await client.prompts.publish({ slug, newTag, version: version ?? null })
  return version
}

function inWords(
  { slug, changed, tags, isNewPrompt }: Plan,
  version: string | undefined,
  dryRun: boolean,
): string {
  const deeds = [
    ...(isNewPrompt ? ['new prompt'] : []),
    ...(changed.length > 0 ? [`new version (${changed.join(', ')})`] : []),
    ...(tags.length > 0 ? [`tags ${tags.join(', ')}`] : []),
  ]
  const which = dryRun && changed.length > 0 ? '' : ` ${version}`
  if (deeds.length === 0) return `${slug}${which}: nothing differs`
  return `${slug}${which}: ${dryRun ? 'would make or move: ' : ''}${deeds.join('; ')}`
}
