/** `plumbline dashboards`: keeps dashboards as JSON files in a repository. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plumbline } from '@plumbline/sdk'
import { CommandFailed, type CommandParts, type Session } from './session.ts'
import { table } from './table.ts'

type NewDashboard = Parameters<Plumbline['dashboards']['create']>[0]
type Dashboard = Awaited<ReturnType<Plumbline['dashboards']['get']>>['dashboard']

interface FolderOptions {
  readonly dir: string
}

interface PushOptions extends FolderOptions {
  readonly dryRun?: boolean
}

const fileEnding = '.json'

export function addDashboards({ program, action }: CommandParts): void {
  const dashboards = program
    .command('dashboards')
    .description('Lists dashboards, and keeps them as files in a repository.')
  const dir = ['--dir <folder>', 'folder of the dashboards', 'dashboards'] as const
  dashboards.command('list').description('Lists the dashboards of the workspace.').action(action(list))
  dashboards
    .command('pull')
    .description('Writes each dashboard to a file, <slug>.json.')
    .argument('[slugs...]', 'only these dashboards; all by default')
    .option(...dir)
    .action(action(pull))
  dashboards
    .command('push')
    .description('Creates and changes dashboards to match the files. Dashboards without a file stay.')
    .argument('[slugs...]', 'only these dashboards; all files by default')
    .option(...dir)
    .option('--dry-run', 'only print what would change')
    .action(action(push))
}

async function list({ client, print }: Session): Promise<void> {
  const { dashboards } = await client.dashboards.list()
  const rows = dashboards.map(({ slug, name, charts, updatedAt }) => [
    slug,
    name,
    String(charts.length),
    updatedAt,
  ])
  print(dashboards, table(['slug', 'name', 'charts', 'changed'], rows))
}

/** The content of a file: what people edit, without fields that the service maintains. */
const contentOf = ({ slug, name, description, charts }: Dashboard) => ({ slug, name, description, charts })

const textOf = (content: object): string => `${JSON.stringify(content, null, 2)}\n`

async function pull(
  { client, print }: Session,
  slugs: readonly string[],
  { dir }: FolderOptions,
): Promise<void> {
  const dashboards =
    slugs.length === 0
      ? (await client.dashboards.list()).dashboards
      : await Promise.all(slugs.map(async (slug) => (await client.dashboards.get({ slug })).dashboard))
  mkdirSync(dir, { recursive: true })
  const files = dashboards.map((dashboard) => {
    const file = join(dir, dashboard.slug + fileEnding)
    writeFileSync(file, textOf(contentOf(dashboard)))
    return file
  })
  print(files, files.join('\n'))
}

async function push(
  { client, print }: Session,
  slugs: readonly string[],
  { dir, dryRun = false }: PushOptions,
): Promise<void> {
  const files = slugs.length > 0 ? slugs.map((slug) => slug + fileEnding) : jsonFilesIn(dir)
  // All files are read before anything is written, so that a mistake in the last one changes nothing.
  const contents = files.map((file) => readDashboard(join(dir, file)))
  const dashboardsBySlug = new Map(
    (await client.dashboards.list()).dashboards.map((each) => [each.slug, each]),
  )
  const results: { slug: string; result: string }[] = []
  for (const content of contents) {
    const before = dashboardsBySlug.get(content.slug)
    if (!dryRun) await write(client, content, before)
    const after = dryRun ? undefined : (await client.dashboards.get({ slug: content.slug })).dashboard
    results.push({ slug: content.slug, result: describeChange(before, after ?? content) })
  }
  print(results, results.map(({ slug, result }) => `${slug}: ${result}`).join('\n'))
}

function jsonFilesIn(dir: string): string[] {
  let names: string[]
  try {
    names = readdirSync(dir)
  } catch (error) {
    throw new CommandFailed(`The folder ${dir} cannot be read.`, { cause: error })
  }
  const files = names.filter((name) => name.endsWith(fileEnding)).sort()
  if (files.length === 0) throw new CommandFailed(`There are no dashboards in ${dir}.`)
  return files
}

function readDashboard(file: string): NewDashboard {
  let value: unknown
  try {
    value = JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    throw new CommandFailed(`${file} is not a readable JSON file.`, { cause: error })
  }
  if (typeof value !== 'object' || value === null || !('slug' in value) || typeof value.slug !== 'string')
    throw new CommandFailed(`${file} needs a slug.`)
  // Safe: the service checks the rest and names the invalid field.
  return value as NewDashboard
}

/** Sends nothing if the dashboard matches the file, so that its revision stays the same. */
async function write(
  client: Plumbline,
  content: NewDashboard,
  previous: Dashboard | undefined,
): Promise<void> {
  if (previous === undefined) {
    await client.dashboards.create(content)
    return
  }
  if (isSame(previous, content)) return
  const { slug, name, description = '', charts = [] } = content
  await client.dashboards.update({ slug, name, description, charts, revision: previous.revision })
}

const isSame = (previous: Dashboard, { slug, name, description = '', charts = [] }: NewDashboard): boolean =>
  textOf(contentOf(previous)) === textOf({ slug, name, description, charts })

function describeChange(previous: Dashboard | undefined, content: NewDashboard | Dashboard): string {
  if (previous === undefined) return 'new'
  return isSame(previous, content) ? 'no changes' : 'changed'
}
