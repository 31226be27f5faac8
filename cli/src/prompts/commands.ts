/** `plumbline prompts`: prompts as files in a repository, so that a pull request reviews a prompt. */
import { CommandFailed, type CommandParts, FoundWrong, type Session } from '../session.ts'
import { table } from '../table.ts'
import { allParts, differing } from './content.ts'
import { listSlugs, readPrompt, writePrompt } from './files.ts'
import { lineDiff } from './line-diff.ts'
import { push } from './push.ts'
import { addRollout } from './rollout.ts'
import { findServed, listServed } from './served.ts'

const layout = `
A prompt is a folder: text.jinja, system.jinja, model.json, and prompt.json with name, description,
feature and tags. Typical use:
  plumbline prompts pull                          once, then commit the folder
  plumbline prompts diff                          in the checks of a pull request
  plumbline prompts push --message "$TITLE"       when it is merged: a new version where something differs
  plumbline prompts push --tag production         when it shall go live`

interface Where {
  readonly dir: string
}

interface Which extends Where {
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
    .description('Writes the version to run now, as the service serves it.')
    .argument('<slug>', 'slug of the prompt')
    .option('--tag <tag>', 'the version with this tag; else that in production')
    .option('--version <version>', 'this version')
    .action(action(get))
  prompts
    .command('pull')
    .description('Writes prompts as files. A file that says the same already is not touched.')
    .argument('[slugs...]', 'only these; else all in use')
    .option(...dir)
    .option('--tag <tag>', 'the version with this tag', 'latest')
    .action(action(pull))
  prompts
    .command('diff')
    .description('Shows what pushing the files would change: exit status 1 if anything differs.')
    .argument('[slugs...]', 'only these; else all')
    .option(...dir)
    .option('--tag <tag>', 'compare with the version that has this tag', 'latest')
    .action(action(diff))
  prompts
    .command('push')
    .description('Makes a new version of each prompt whose files differ from the latest version.')
    .argument('[slugs...]', 'only these; else all that have a folder')
    .option(...dir)
    .option('--tag <tags...>', 'tags to move to it too; production moves only if it is named here')
    .option('--message <text>', 'why the version was made')
    .option('--dry-run', 'only say what would be done')
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
  asked: { readonly tag?: string; readonly version?: string },
): Promise<void> {
  const answer = await client.prompts.get({ slug, ...asked })
  if (answer.warning !== undefined) tell(answer.warning)
  const { text, systemText } = answer.prompt
  print(answer.prompt, systemText === '' ? text : `${systemText}\n---\n${text}`)
}

async function pull({ client, print, tell }: Session, slugs: string[], { dir, tag }: Which): Promise<void> {
  const pulled: { slug: string; version: string; written: string[] }[] = []
  for (const slug of slugs.length > 0 ? slugs : await listServed(client)) {
    const served = await findServed(client, slug, tag)
    if (served === undefined) throw new CommandFailed(`No prompt has the slug "${slug}".`)
    if (served === 'without versions') tell(`The prompt "${slug}" has no version yet, and is left out.`)
    else pulled.push({ slug, version: served.version, written: writePrompt(dir, slug, served.content) })
  }
  const words = pulled.map(
    ({ slug, version, written }) =>
      `${slug} ${version}: ${written.length === 0 ? 'as before' : written.join(', ')}`,
  )
  print(pulled, words.join('\n'))
}

interface Difference {
  readonly slug: string
  readonly finding: string
  readonly parts: readonly { readonly part: string; readonly lines: readonly string[] }[]
}

async function diff({ client, print }: Session, slugs: string[], { dir, tag }: Which): Promise<void> {
  const asked =
    slugs.length > 0 ? slugs : [...new Set([...listSlugs(dir), ...(await listServed(client))])].sort()
  const differences: Difference[] = []
  for (const slug of asked) {
    const inFiles = readPrompt(dir, slug)
    const served = await findServed(client, slug, tag)
    if (inFiles === undefined && served === undefined)
      throw new CommandFailed(`Neither ${dir} nor the service has a prompt "${slug}".`)
    if (inFiles === undefined) {
      if (served !== 'without versions') differences.push({ slug, finding: `not in ${dir}`, parts: [] })
    } else if (served === undefined || served === 'without versions') {
      differences.push({ slug, finding: 'no version in the service', parts: [] })
    } else {
      const before = allParts(served.content)
      const after = allParts(inFiles)
      const parts = differing(before, after).map((part) => {
        const textOf = (all: typeof before) => all.find((one) => one.part === part)!.text
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
