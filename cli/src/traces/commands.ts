/** `plumbline traces`: lists and exports recorded traces. */
import { Option } from 'commander'
import type { CommandParts, Session } from '../session.ts'
import { exportTraces, traceFormats } from './export.ts'
import {
  type FilterOptions,
  listAllTraces,
  parseCount,
  type TimeRange,
  type TraceSummary,
  toFilters,
  withFilters,
  withTimeRange,
} from './filters.ts'
import { tail, traceLine } from './tail.ts'

export function addTraces({ program, action }: CommandParts): void {
  const traces = program.command('traces').description('Lists, opens, follows and exports traces.')
  withTimeRange(withFilters(traces.command('list')))
    .description('Lists traces, the latest start first.')
    .option('--limit <count>', 'maximum number of traces', parseCount, 20)
    .action(action(list))
  traces
    .command('get')
    .description('Prints one complete trace as JSON.')
    .argument('<id>', 'id of the trace')
    .action(action(get))
  withFilters(traces.command('tail'))
    .description('Shows traces as they arrive until interrupted; with --json, one line of JSON each.')
    .option('--last <count>', 'existing traces to show first', parseCount, 10)
    .option('--interval <seconds>', 'polling interval', parseCount, 2)
    .addHelpText('after', '\nTraces that started more than 15 minutes before they arrived are not shown.')
    .action(action(tail))
  withTimeRange(withFilters(traces.command('export')))
    .description('Writes complete traces, with logs and scores, as JSON lines; or a table of traces.')
    .addOption(
      new Option('--format <format>', 'file format; derived from the file name by default').choices(
        traceFormats,
      ),
    )
    .argument('[file]', 'file to write; standard output by default')
    .addHelpText(
      'after',
      '\nThe export is written to FILE.part and renamed once it is complete. An interrupted export prints\nthe --to that fetches the rest.\n\nExample: plumbline traces export january.jsonl --from 2027-01-01T00:00Z --to 2027-02-01T00:00Z',
    )
    .action(action(exportTraces))
}

interface ListOptions extends FilterOptions, TimeRange {
  readonly limit: number
}

const pageSizeMax = 1000

async function list({ client, print }: Session, options: ListOptions): Promise<void> {
  const { limit } = options
  const traces: TraceSummary[] = []
  for await (const trace of listAllTraces(client, toFilters(options), Math.min(limit, pageSizeMax))) {
    traces.push(trace)
    if (traces.length === limit) break
  }
  print(traces, traces.map(traceLine).join('\n'))
}

async function get({ client, print }: Session, id: string): Promise<void> {
  const { trace } = await client.traces.get({ id })
  print(trace, JSON.stringify(trace, null, 2))
}
