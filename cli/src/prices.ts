/** `plumbline prices`: prices of models, newer price lists, and the costs of recorded traces by another list. */
import { readFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import type { Recomputation } from '@plumbline/sdk'
import { type CommandParts, FoundWrong, type Session, WrongUsage } from './session.ts'
import { table } from './table.ts'

const pollIntervalMs = 500

export function addPrices({ program, action }: CommandParts): void {
  const prices = program.command('prices').description('Shows prices of models, and updates price lists.')
  prices
    .command('find')
    .description('Shows the current price of a model.')
    .argument('<model>', 'name of the model, as in traces')
    .option('--provider <name>', 'provider that serves the model')
    .action(action(find))
  prices.command('lists').description('Lists the price lists of the installation.').action(action(lists))
  prices
    .command('update')
    .description('Installs a newer price list, for the whole installation; stored costs stay.')
    .option('--from <file or address>', "price list; the one at the service's PLUMBLINE_PRICES by default")
    .addHelpText('after', '\nThe key needs the scope operate, and must be one of the first workspace.')
    .action(action(update))
  prices
    .command('recompute')
    .description(
      'Compares the costs of recorded traces with the costs by a price list, by feature and model.',
    )
    .option('--from <time>', 'traces that start at this instant or later; 30 days ago by default')
    .option('--to <time>', 'traces that start before this instant; now by default')
    .option('--list <version>', 'version of the price list; the one in use by default')
    .option('--apply', 'store the new costs; the old ones are kept beside them')
    .action(action(recompute))
}

async function find(
  { client, print }: Session,
  model: string,
  options: { provider?: string },
): Promise<void> {
  const { price } = await client.prices.find({ model, ...options })
  if (price === null) {
    print(null, `No price is known for ${model}.`)
    throw new FoundWrong()
  }
  const rates = Object.entries(price).filter(([name]) => name.endsWith('PerMillion'))
  const rows = rates.map(([name, value]) => [name.replace('PerMillion', ''), `$${String(value)} per million`])
  print(
    price,
    `${price.provider ?? ''} ${price.model}, ${price.source} ${price.list ?? ''}\n${table(['tokens', 'price'], rows)}`,
  )
}

async function lists({ client, print }: Session): Promise<void> {
  const { priceLists } = await client.prices.lists({})
  const rows = priceLists.map(({ version, source, models, installedAt, isInUse }) => [
    version,
    isInUse ? 'in use' : '',
    String(models),
    source,
    installedAt ?? '',
  ])
  print(priceLists, table(['version', '', 'models', 'source', 'installed'], rows))
}

async function update({ client, print }: Session, options: { from?: string }): Promise<void> {
  const list = options.from === undefined ? undefined : await readList(options.from)
  const { priceList } = await client.prices.update(list === undefined ? {} : { list })
  const state = priceList.isInUse ? 'is in use' : 'is installed, but the one in use has a later version'
  print(priceList, `The price list ${priceList.version} of ${priceList.models} models ${state}.`)
}

async function readList(source: string): Promise<Record<string, unknown>> {
  const text = /^https?:/.test(source) ? await download(source) : await readFile(source, 'utf8')
  try {
    // Safe: the service checks the list.
    return JSON.parse(text) as Record<string, unknown>
  } catch {
    throw new WrongUsage(`${source} is not valid JSON.`)
  }
}

async function download(url: string): Promise<string> {
  const response = await fetch(url)
  if (!response.ok) throw new Error(`${url} responded with ${response.status}.`)
  return response.text()
}

interface RecomputeOptions {
  readonly from?: string
  readonly to?: string
  readonly list?: string
  readonly apply?: boolean
}

async function recompute(session: Session, { from, to, list, apply }: RecomputeOptions): Promise<void> {
  const { client, print, tell } = session
  const { recomputation } = await client.recomputations.create({
    ...(from === undefined ? {} : { from: withTime(from) }),
    ...(to === undefined ? {} : { to: withTime(to) }),
    ...(list === undefined ? {} : { listVersion: list }),
  })
  const compared = await waitForEnd(session, recomputation.id, 'compared')
  if (apply !== true || compared.differences.length === 0) {
    print(compared, differencesTable(compared))
    if (compared.differences.length > 0) tell('Nothing was changed; --apply stores these costs.')
    return
  }
  await client.recomputations.apply({ id: compared.id })
  print(await waitForEnd(session, compared.id, 'applied'), differencesTable(compared))
}

/** A date means midnight UTC. */
const withTime = (text: string): string => (/^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00:00Z` : text)

async function waitForEnd(
  { client, signal }: Session,
  id: string,
  status: Recomputation['status'],
): Promise<Recomputation> {
  for (;;) {
    const { recomputation } = await client.recomputations.get({ id })
    if (recomputation.status === status) return recomputation
    signal.throwIfAborted()
    await pause(pollIntervalMs)
  }
}

function differencesTable({ differences, traces, listVersion }: Recomputation): string {
  if (differences.length === 0) return `${traces} traces: no cost differs from the list ${listVersion}.`
  const rows = differences.map((each) => [
    each.featureSlug ?? '',
    each.provider ?? '',
    each.model ?? '',
    String(each.generations),
    money(each.before),
    money(each.after),
    money(each.after - each.before),
  ])
  return table(['feature', 'provider', 'model', 'generations', 'before', 'after', 'difference'], rows)
}

const money = (dollars: number): string => `$${dollars.toFixed(6)}`
