/** What the command line asks of the demo. */
import { parseArgs } from 'node:util'

export interface DemoOptions {
  readonly seed: number
  readonly traces: number
  readonly days: number
  /** A running server; absent where the demo is to open the data folder itself. */
  readonly server?: { readonly url: string; readonly key: string }
}

export const help = `Fills a workspace with believable data: features, prompts, datasets, experiments,
evaluators, keys, and traces of the last days.

  npm run demo                                        the data folder of a server that is stopped
  npm run demo -- --url http://localhost:4747 --key pl_…     a server that runs

  --traces N   how many traces there shall be (default 2000; what is there already counts)
  --days N     over how many days they are spread (default 30)
  --seed N     which made-up world (default 1); another seed adds other traces
  --url URL    address of a running server (or PLUMBLINE_URL)
  --key KEY    an API key of it with the scopes ingest and manage (or PLUMBLINE_API_KEY)
  --help       this text

Running it again keeps what is there and adds what is missing.
`

/** Something on the command line that cannot be; the message says what would be right. */
export class BadOption extends Error {
  override readonly name = 'BadOption'
}

/** The options, or `help` where that was asked for; throws `BadOption`. */
export function readOptions(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): DemoOptions | 'help' {
  const { values } = parse(args)
  if (values.help) return 'help'
  const url = values.url ?? environment.PLUMBLINE_URL
  const key = values.key ?? environment.PLUMBLINE_API_KEY
  if (url && !URL.canParse(url))
    throw new BadOption('--url must be an address such as http://localhost:4747.')
  if (url && !key) throw new BadOption('--url needs an API key of that server: --key, or PLUMBLINE_API_KEY.')
  if (values.key && !url)
    throw new BadOption('--key needs the address of the server: --url, or PLUMBLINE_URL.')
  return {
    seed: whole('--seed', values.seed, 0, 2 ** 31 - 1),
    traces: whole('--traces', values.traces, 1, 10_000_000),
    days: whole('--days', values.days, 1, 3650),
    ...(url && key ? { server: { url, key } } : {}),
  }
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        traces: { type: 'string', default: '2000' },
        days: { type: 'string', default: '30' },
        seed: { type: 'string', default: '1' },
        url: { type: 'string' },
        key: { type: 'string' },
        help: { type: 'boolean', short: 'h', default: false },
      },
    })
  } catch (error) {
    throw new BadOption(error instanceof Error ? error.message : String(error), { cause: error })
  }
}

function whole(name: string, text: string, min: number, max: number): number {
  const value = Number(text)
  if (!Number.isInteger(value) || value < min || value > max) {
    throw new BadOption(`${name} must be a whole number from ${min} to ${max}.`)
  }
  return value
}
