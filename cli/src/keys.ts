/** `plumbline keys`: who may speak with the service. */
import { InvalidArgumentError, Option } from 'commander'
import type { CommandParts, Session } from './session.ts'
import { table } from './table.ts'

const scopes = ['ingest', 'read', 'manage', 'operate'] as const
type Scope = (typeof scopes)[number]

interface NewKey {
  readonly scope: readonly Scope[]
  readonly expires?: Date
}

export function addKeys({ program, action }: CommandParts): void {
  const keys = program.command('keys').description('Lists, creates and revokes API keys.')
  keys
    .command('list')
    .description('Lists the keys, revoked ones included; never a secret.')
    .action(action(list))
  keys
    .command('create')
    .description('Creates a key. Its secret is written once, alone on standard output, and never told again.')
    .argument('<name>', 'what the key is for')
    .addOption(
      new Option(
        '--scope <scopes...>',
        'what it may do: ingest (record), read (every GET of viewers), manage (what admins may do, and read), operate (back up, export and import everything; only an owner can create it, in the web app)',
      )
        .choices(scopes)
        .makeOptionMandatory(),
    )
    .option('--expires <time>', 'when it stops working: 2027-01-31 or 2027-01-31T12:00:00Z', readTime)
    .addHelpText('after', '\nExample: plumbline keys create "Shop backend" --scope ingest read')
    .action(action(create))
  keys
    .command('revoke')
    .description('Revokes a key; it stops working everywhere within five seconds.')
    .argument('<id>', 'id of the key, as `keys list` has it')
    .action(action(revoke))
}

async function list({ client, print }: Session): Promise<void> {
  const { apiKeys } = await client.keys.list()
  const rows = apiKeys.map((key) => [
    key.id,
    key.name,
    `${key.prefix}…`,
    key.scopes.join(' '),
    key.revokedAt !== undefined ? `revoked ${key.revokedAt}` : stateOf(key.expiresAt),
    key.lastUsedAt ?? 'never',
  ])
  print(apiKeys, table(['id', 'name', 'begins', 'scopes', 'state', 'last used'], rows))
}

const stateOf = (expiresAt: string | undefined): string =>
  expiresAt === undefined
    ? 'valid'
    : `${Date.parse(expiresAt) <= Date.now() ? 'expired' : 'expires'} ${expiresAt}`

async function create({ client, print, tell, isJson }: Session, name: string, asked: NewKey): Promise<void> {
  const made = await client.keys.create({
    name,
    scopes: [...new Set(asked.scope)],
    ...(asked.expires === undefined ? {} : { expiresAt: asked.expires.toISOString() }),
  })
  print(made, made.secret)
  if (!isJson) tell(`Created the key ${made.apiKey.id}. Keep its secret now: it is not told again.`)
}

async function revoke({ client, print }: Session, id: string): Promise<void> {
  await client.keys.delete({ id })
  print({ revoked: id }, `Revoked the key ${id}.`)
}

function readTime(text: string): Date {
  const time = new Date(text)
  if (Number.isNaN(time.getTime())) throw new InvalidArgumentError(`"${text}" is no time.`)
  return time
}
