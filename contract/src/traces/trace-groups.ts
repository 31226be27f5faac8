/** Figures for the traces of one session, user or organization. */
import { Type } from 'typebox'
import { Cursor, Instant, Limit, Nullable } from '../interface/shapes.ts'
import { metadataFilters, q, traceFilters } from './trace-filters.ts'

/** Sort keys of trace groups. */
export const groupSorts = [
  'last',
  'first',
  'traces',
  'duration',
  'cost',
  'tokens',
  'errors',
  'sessions',
] as const
export type GroupSort = (typeof groupSorts)[number]

export const groupFields = {
  traces: Type.Integer({ description: 'Number of traces.' }),
  failed: Type.Integer({ description: 'Number of traces with a failed log.' }),
  firstTime: Instant('Start of the first trace.'),
  lastTime: Instant('Start of the last trace.'),
  durationMs: Type.Number({ description: 'From the start of the first trace to the end of the last.' }),
  cost: Nullable(Type.Number({ description: 'US dollars; null when no trace has a cost.' })),
  tokens: Type.Number({ description: 'Input and output tokens.' }),
  tokensEstimated: Type.Boolean({
    description: 'Whether the sums include tokens that the service counted itself.',
  }),
  scores: Type.Array(
    Type.Object({
      name: Type.String(),
      count: Type.Integer({ description: 'Number of scores with this name.' }),
      mean: Nullable(
        Type.Number({ description: 'Mean; true counts as 1, false as 0. Null for categories.' }),
      ),
    }),
    { description: 'Scores of the traces and their logs, by name.' },
  ),
}

export const groupInput = (sorts: readonly GroupSort[]) =>
  Type.Object(
    {
      ...traceFilters,
      q,
      sort: Type.Optional(Type.Enum([...sorts], { description: 'Sort key; `last` by default.' })),
      order: Type.Optional(Type.Enum(['desc', 'asc'], { description: '`desc` by default.' })),
      limit: Limit('Page size; 50 by default.'),
      cursor: Cursor,
    },
    metadataFilters,
  )
