/** Filter options for traces and their API parameters. */
import type { Plumbline } from '@plumbline/sdk'
import { fieldEntries } from '@plumbline/sdk/trace-fields'
import { type Command, InvalidArgumentError } from 'commander'

export type TraceFilters = NonNullable<Parameters<Plumbline['traces']['list']>[0]>
export type TraceSummary = Awaited<ReturnType<Plumbline['traces']['list']>>['traces'][number]

export interface FilterOptions {
  readonly search?: string
  readonly failed?: boolean
  /** Values of fields with a parameter of their own: `--prompt-version` is `promptVersion`. */
  readonly [field: string]: unknown
}

export interface TimeRange {
  readonly from?: string
  readonly to?: string
}

/** Fields that can be filtered by one value. Flags have options of their own, such as `--failed`. */
const valueFields = fieldEntries.flatMap(([name, { type, parameter }]) =>
  parameter === undefined || type === 'flag' ? [] : [{ name, parameter }],
)

/** The name of the option: `prompt-version`. */
const optionName = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

export function withFilters(command: Command): Command {
  for (const { name, parameter } of valueFields)
    command.option(`--${optionName(name)} <value>`, describe(parameter.description))
  return command
    .option('--search <words>', 'that contain all these words')
    .option('--failed', 'with a failed log')
}

/** The description of a parameter in the interface, as the end of a sentence. */
const describe = (description: string): string => description.replace(/^Traces /, '').replace(/\.$/, '')

export const withTimeRange = (command: Command): Command =>
  command
    .option('--from <time>', 'that start at this instant or later (ISO 8601)')
    .option('--to <time>', 'that start before this instant')

export function toFilters(options: FilterOptions & TimeRange): TraceFilters {
  const { search, failed, from, to } = options
  const filters = {
    ...Object.fromEntries(valueFields.map(({ name, parameter }) => [parameter.name, options[name]])),
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
