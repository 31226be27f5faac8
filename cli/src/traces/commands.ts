/** `plumbline traces`: what applications recorded. */
import { Option } from 'commander'
import type { CommandParts, Session } from '../session.ts'
import { exportTraces, traceFormats } from './export.ts'
import {
  type FilterOptions,
  readCount,
  type Span,
  type TraceSummary,
  toFilters,
  walk,
  withFilters,
  withSpan,
} from './filters.ts'
import { tail, traceLine } from './tail.ts'

export function addTraces({ program, action }: CommandParts): void {
  const traces = program.command('traces').description('Lists, opens, follows and exports traces.')
  withSpan(withFilters(traces.command('list')))
    .description('Lists traces, the latest start first.')
    .option('--limit <count>', 'at most so many', readCount, 20)
    .action(action(list))
  traces
    .command('get')
    .description('Writes one trace whole, as JSON.')
    .argument('<id>', 'id of the trace')
    .action(action(get))
  withFilters(traces.command('tail'))
    .description('Shows traces as they come, until you interrupt it; with --json a line of JSON each.')
    .option('--last <count>', 'begin with so many that are there', readCount, 10)
    .option('--interval <seconds>', 'between two looks', readCount, 2)
    .addHelpText('after', '\nA trace that started more than 15 minutes before it arrived is not shown.')
    .action(action(tail))
  withSpan(withFilters(traces.command('export')))
    .description('Writes whole traces, with logs and scores, as JSON lines; or a table of traces.')
    .addOption(new Option('--format <format>', "of the file; else by the file's name").choices(traceFormats))
    .argument('[file]', 'where to; else standard output')
    .addHelpText(
      'after',
      '\nThe file gets its name when it is complete; until then it is FILE.part. An export that broke off says\nwith which --to the rest is got.\n\nExample: plumbline traces export january.jsonl --from 2027-01-01T00:00Z --to 2027-02-01T00:00Z',
    )
    .action(action(exportTraces))
}

interface ListOptions extends FilterOptions, Span {
  readonly limit: number
}

const pageSizeMax = 1000

async function list({ client, print }: Session, options: ListOptions): Promise<void> {
  const { limit } = options
  const found: TraceSummary[] = []
  for await (const trace of walk(client, toFilters(options), Math.min(limit, pageSizeMax))) {
    found.push(trace)
    if (found.length === limit) break
  }
  print(found, found.map(traceLine).join('\n'))
}

async function get({ client, print }: Session, id: string): Promise<void> {
  const { trace } = await client.traces.get({ id })
  print(trace, JSON.stringify(trace, null, 2))
}
