/** `plumbline prompts`: keeps prompts as files in a repository, so that pull requests can review them. */
import { CommandFailed, type CommandParts, FoundWrong, type Session } from '../session.ts'
import { table } from '../table.ts'
import { allParts, differingParts, messagesText, withServedParts } from './content.ts'
import { listSlugs, readPrompt, writePrompt } from './files.ts'
import { lineDiff } from './line-diff.ts'
import { push } from './push.ts'
import { addRollout } from './rollout.ts'
import { findServed, listServed } from './served.ts'

const layout = `
A prompt is a folder: text.jinja and system.jinja, or messages.json; model.json, config.json, and
prompt.json with name, description, feature, folder and tags. Typical use:
  plumbline prompts pull                          once, then commit the folder
  plumbline prompts diff                          in the checks of a pull request
  plumbline prompts push --message "$TITLE"       after the merge: creates a version where something differs
  plumbline prompts push --tag production         to go live`

interface FolderOptions {
  readonly dir: string
}

interface TagOptions extends FolderOptions {
  readonly tag: string
}

export function addPrompts({ program, action }: CommandParts): void {
  const prompts = program
    .command('prompts')
    .description('Lists prompts, and keeps them as files in a repository.')
    .addHelpText('after', layout)
  const dir = ['--dir <folder>', 'folder of the prompts', 'prompts'] as const
  prompts
    .command('list')
    .description('Lists the prompts in use.')
    .option('--feature <slug>', 'only those of this feature')
    .action(action(list))
  prompts
    .command('get')
    .description('Prints the version that the service serves now.')
    .argument('<slug>', 'slug of the prompt')
    .option('--tag <tag>', 'version with this tag; production by default')
    .option('--version <version>', 'exact version')
    .action(action(get))
  prompts
    .command('pull')
    .description('Writes prompts as files. Unchanged files are not touched.')
    .argument('[slugs...]', 'only these prompts; all in use by default')
    .option(...dir)
    .option('--tag <tag>', 'version with this tag', 'latest')
    .action(action(pull))
  prompts
    .command('diff')
    .description('Shows what a push would change; exit status 1 if anything differs.')
    .argument('[slugs...]', 'only these prompts; all by default')
    .option(...dir)
    .option('--tag <tag>', 'version to compare with, by tag', 'latest')
    .action(action(diff))
  prompts
    .command('push')
    .description('Creates a version of each prompt whose files differ from the latest version.')
    .argument('[slugs...]', 'only these prompts; all that have a folder by default')
    .option(...dir)
    .option('--tag <tags...>', 'additional tags to move; production moves only if named here')
    .option('--message <text>', 'reason for the new version')
    .option('--dry-run', 'only print what would be done')
    .action(action(push))
  addRollout(prompts, action)
}

async function list({ client, print }: Session, { feature }: { readonly feature?: string }): Promise<void> {
  const { prompts } = await client.prompts.list(feature === undefined ? {} : { featureSlug: feature })
  const rows = prompts.map(({ slug, name, status, featureSlug, availableVersions, availableTags }) => [
    slug,
    name,
    status,
    featureSlug ?? '',
    availableVersions[0] ?? '',
    availableTags.join(' '),
  ])
  print(prompts, table(['slug', 'name', 'status', 'feature', 'newest', 'tags'], rows))
}

async function get(
  { client, print, tell }: Session,
  slug: string,
  selector: { readonly tag?: string; readonly version?: string },
): Promise<void> {
  const response = await client.prompts.get({ slug, ...selector })
  if (response.warning !== undefined) tell(response.warning)
  const { text, systemText, messages } = response.prompt
  const texts = systemText === '' ? text : `${systemText}\n---\n${text}`
  print(response.prompt, (text === '' && messagesText(messages)) || texts)
}

async function pull(
  { client, print, tell }: Session,
  slugs: string[],
  { dir, tag }: TagOptions,
): Promise<void> {
  const results: { slug: string; version: string; written: string[] }[] = []
  for (const slug of slugs.length > 0 ? slugs : await listServed(client)) {
    const served = await findServed(client, slug, tag)
    if (served === undefined) throw new CommandFailed(`No prompt has the slug "${slug}".`)
    if (served === 'without the tag' && slugs.length > 0) throw new CommandFailed(`${withoutTag(slug, tag)}.`)
    if (served === 'without the tag') tell(`${withoutTag(slug, tag)}; skipped.`)
    else if (served === 'without versions') tell(`The prompt "${slug}" has no version yet; skipped.`)
    else results.push({ slug, version: served.version, written: writePrompt(dir, slug, served.content) })
  }
  const words = results.map(
    ({ slug, version, written }) =>
      `${slug} ${version}: ${written.length === 0 ? 'unchanged' : written.join(', ')}`,
  )
  print(results, words.join('\n'))
}

const withoutTag = (slug: string, tag: string): string =>
  `The prompt "${slug}" has no version with the tag "${tag}"`

interface Difference {
  readonly slug: string
  readonly finding: string
  readonly parts: readonly { readonly part: string; readonly lines: readonly string[] }[]
}

async function diff({ client, print }: Session, slugs: string[], { dir, tag }: TagOptions): Promise<void> {
  const slugsToCompare =
    slugs.length > 0 ? slugs : [...new Set([...listSlugs(dir), ...(await listServed(client))])].sort()
  const differences: Difference[] = []
  for (const slug of slugsToCompare) {
    const local = readPrompt(dir, slug)
    const served = await findServed(client, slug, tag)
    if (local === undefined && served === undefined)
      throw new CommandFailed(`Neither ${dir} nor the service has a prompt "${slug}".`)
    if (served === 'without the tag') {
      if (slugs.length > 0) throw new CommandFailed(`${withoutTag(slug, tag)}.`)
      if (local !== undefined)
        differences.push({ slug, finding: `no version with the tag ${tag}`, parts: [] })
    } else if (local === undefined) {
      if (served !== 'without versions') differences.push({ slug, finding: `not in ${dir}`, parts: [] })
    } else if (served === undefined || served === 'without versions') {
      differences.push({ slug, finding: 'no version in the service', parts: [] })
    } else {
      const before = allParts(served.content)
      const after = allParts(withServedParts(local, served.content))
      const parts = differingParts(before, after).map((part) => {
        const textOf = (all: typeof before) => all.find((candidate) => candidate.part === part)!.text
        return { part, lines: lineDiff(textOf(before), textOf(after)) }
      })
      if (parts.length > 0) differences.push({ slug, finding: `differs from ${served.version}`, parts })
    }
  }
  const words = differences.map(({ slug, finding, parts }) =>
    [
      `${slug}: ${finding}`,
      ...parts.flatMap(({ part, lines }) => [`  ${part}`, ...lines.map((line) => `  ${line}`)]),
    ].join('\n'),
  )
  print(differences, words.join('\n\n'))
  if (differences.length > 0) throw new FoundWrong()
}
