/** Filter options for traces and their API parameters. */
import type { Plumbline } from '@plumbline/sdk'
import { type Command, InvalidArgumentError } from 'commander'

export type TraceFilters = NonNullable<Parameters<Plumbline['traces']['list']>[0]>
export type TraceSummary = Awaited<ReturnType<Plumbline['traces']['list']>>['traces'][number]

export interface FilterOptions {
  readonly feature?: string
  readonly prompt?: string
  readonly user?: string
  readonly model?: string
  readonly name?: string
  readonly search?: string
  readonly failed?: boolean
}

export interface TimeRange {
  readonly from?: string
  readonly to?: string
}

export const withFilters = (command: Command): Command =>
  command
    .option('--feature <slug>', 'of this feature')
    .option('--prompt <slug>', 'with a log that used this prompt')
    .option('--user <id>', 'of this user')
    .option('--model <model>', 'with a log that used this model')
    .option('--name <name>', 'of exactly this name')
    .option('--search <words>', 'in which all these words occur')
    .option('--failed', 'with a failed log')

export const withTimeRange = (command: Command): Command =>
  command
    .option('--from <time>', 'that start at this instant or later (ISO 8601)')
    .option('--to <time>', 'that start before this instant')

export function toFilters(options: FilterOptions & TimeRange): TraceFilters {
  const { feature, prompt, user, model, name, search, failed, from, to } = options
  const filters = {
    featureSlug: feature,
    promptSlug: prompt,
    userId: user,
    model,
    name,
    q: search,
    hasError: failed,
    from,
    to,
  }
  // Safe: drops undefined values.
  return Object.fromEntries(
    Object.entries(filters).filter(([, value]) => value !== undefined),
  ) as TraceFilters
}

export function parseCount(text: string): number {
  const count = Number(text)
  if (!Number.isInteger(count) || count < 1)
    throw new InvalidArgumentError('It must be a whole number of at least 1.')
  return count
}

/** Yields every trace of the list, page by page. */
export async function* listAllTraces(
  client: Plumbline,
  filters: TraceFilters,
  pageSize: number,
): AsyncGenerator<TraceSummary> {
  let cursor: string | undefined
  do {
    const page = await client.traces.list({
      ...filters,
      limit: pageSize,
      ...(cursor === undefined ? {} : { cursor }),
    })
    yield* page.traces
    cursor = page.nextCursor
  } while (cursor !== undefined)
}
