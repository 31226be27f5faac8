/** `plumbline keys`: manages API keys. */

import { parseDateTime } from '@plumbline/sdk/import'
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
    .description('Lists the keys, including revoked ones, without their secrets.')
    .action(action(list))
  keys
    .command('create')
    .description('Creates a key. Prints its secret once, alone on standard output.')
    .argument('<name>', 'what the key is for')
    .addOption(
      new Option(
        '--scope <scopes...>',
        'permissions: ingest (record), read (every GET of viewers), manage (everything an admin may do, and read), operate (back up, export and import everything; only an owner can create such a key, in the web app)',
      )
        .choices(scopes)
        .makeOptionMandatory(),
    )
    .option('--expires <time>', 'expiry: 2027-01-31 or 2027-01-31T12:00:00Z', parseTime)
    .addHelpText('after', '\nExample: plumbline keys create "Shop backend" --scope ingest read')
    .action(action(create))
  keys
    .command('revoke')
    .description('Revokes a key; it stops working at once on every node that reaches the database.')
    .argument('<id>', 'id of the key, as `keys list` shows it')
    .action(action(revoke))
}

async function list({ client, print }: Session): Promise<void> {
  const { apiKeys } = await client.keys.list()
  const rows = apiKeys.map((key) => [
    key.id,
    key.name,
    `${key.prefix}…`,
    key.scopes.join(' '),
    key.revokedAt !== undefined ? `revoked ${key.revokedAt}` : describeExpiry(key.expiresAt),
    key.lastUsedAt ?? 'never',
  ])
  print(apiKeys, table(['id', 'name', 'begins', 'scopes', 'state', 'last used'], rows))
}

const describeExpiry = (expiresAt: string | undefined): string =>
  expiresAt === undefined
    ? 'valid'
    : `${Date.parse(expiresAt) <= Date.now() ? 'expired' : 'expires'} ${expiresAt}`

async function create(
  { client, print, tell, isJson }: Session,
  name: string,
  options: NewKey,
): Promise<void> {
  const response = await client.keys.create({
    name,
    scopes: [...new Set(options.scope)],
    ...(options.expires === undefined ? {} : { expiresAt: options.expires.toISOString() }),
  })
  print(response, response.secret)
  if (!isJson) tell(`Created the key ${response.apiKey.id}. Save its secret now: it is not shown again.`)
}

async function revoke({ client, print }: Session, id: string): Promise<void> {
  await client.keys.delete({ id })
  print({ revoked: id }, `Revoked the key ${id}.`)
}

function parseTime(text: string): Date {
  const time = new Date(parseDateTime(text))
  if (Number.isNaN(time.getTime())) throw new InvalidArgumentError(`"${text}" is not a valid time.`)
  return time
}
