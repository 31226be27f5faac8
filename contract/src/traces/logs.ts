/** The logs of a trace in pages, and single logs in full. */
import { type Static, Type } from 'typebox'
import { operation } from '../interface/operation.ts'
import { Cursor, FreeObject, Instant, Limit, NamedObject, NextCursor, Nullable } from '../interface/shapes.ts'
import { CostInTotals, StoredLog } from './stored-trace.ts'
import { logTypes } from './trace-fields.ts'

const Figure = (description: string) => Type.Optional(Nullable(Type.Number({ description })))

export const OutlinedLog = NamedObject(
  'OutlinedLog',
  'A log without its input, output and metadata. `model` and the fields after it are those of `StoredLog`.',
  {
    id: Type.String({ description: 'The id that the client chose.' }),
    type: Type.Enum([...logTypes]),
    name: Nullable(Type.String()),
    parentId: Nullable(Type.String()),
    startTime: Nullable(Instant('Start of the log.')),
    endTime: Nullable(Instant('End of the log.')),
    error: Nullable(
      Type.String({ description: 'Beginning of the error message; null if the log did not fail.' }),
    ),
    model: Type.Optional(Nullable(Type.String())),
    inputTokens: Figure('Input tokens.'),
    outputTokens: Figure('Output tokens.'),
    tokensEstimated: Type.Optional(Type.Boolean({ description: 'Whether the service counted the tokens.' })),
    cost: Figure('US dollars.'),
    costEstimate: Figure('The estimate of the service in US dollars.'),
    countsInTotals: Type.Optional(
      Type.Boolean({
        description: 'False if another log reports the same tokens, so that totals count those instead.',
      }),
    ),
    costInTotals: CostInTotals,
    costDetail: Type.Optional(
      Nullable(FreeObject('How the estimate was made. Present if the request has `costDetail=true`.')),
    ),
  },
)
export type OutlinedLog = Static<typeof OutlinedLog>

export const list = operation({
  name: 'logs.list',
  method: 'GET',
  path: '/monitor/traces/{id}/logs',
  summary: 'Lists the logs of a trace in the order they were sent, without input, output and metadata.',
  notes: [
    'A page has fewer logs than `limit` if they are large. If an OpenTelemetry trace receives more spans between two pages, a log may be repeated or left out; read it again from the start.',
  ],
  scope: 'read',
  role: 'viewer',
  input: Type.Object({
    id: Type.String({ description: 'Id of the trace.' }),
    q: Type.Optional(
      Type.String({
        maxLength: 500,
        description:
          'Only logs that contain all these words, ignoring case, in their name, `type:` with their type, model, id, error, or the JSON text of their input or output.',
      }),
    ),
    costDetail: Type.Optional(
      Type.Boolean({ description: 'Whether to return how the cost of each log was estimated.' }),
    ),
    limit: Limit('Page size; 500 by default.'),
    cursor: Cursor,
  }),
  success: 200,
  output: Type.Object({ logs: Type.Array(OutlinedLog), nextCursor: NextCursor }),
  errors: ['invalid_request', 'trace_not_found'],
})

export const get = operation({
  name: 'logs.get',
  method: 'GET',
  path: '/monitor/traces/{id}/log',
  summary: 'Returns one log of a trace, as `traces.get` does.',
  notes: ['The id of a log can be any text, so it is a query parameter.'],
  scope: 'read',
  role: 'viewer',
  input: Type.Object({
    id: Type.String({ description: 'Id of the trace.' }),
    logId: Type.String({ description: 'Id of the log, as the client chose it.' }),
  }),
  success: 200,
  output: Type.Object({ log: StoredLog }),
  errors: ['invalid_request', 'trace_not_found', 'log_not_found'],
})
