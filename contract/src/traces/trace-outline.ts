/** A trace for display: with its logs if they are few, otherwise without them, for `logs.list` to return in pages. */
import { type Static, Type } from 'typebox'
import { Score } from '../evaluate/scores.ts'
import { operation } from '../interface/operation.ts'
import { NamedObject } from '../interface/shapes.ts'
import { ownTraceFields, StoredLog } from './stored-trace.ts'
import { besideTrace } from './traces.ts'

/** Limits up to which an outline includes the logs: their number, and their size in characters of JSON. */
export const wholeLogsMax = 500
export const wholeCharactersMax = 4_000_000

export const TraceOutline = NamedObject('TraceOutline', 'A trace, with its logs only if they are few.', {
  ...ownTraceFields,
  logCount: Type.Integer({ description: 'Number of logs.' }),
  logs: Type.Optional(
    Type.Array(StoredLog, {
      description: `In the order they were sent. Absent if there are more than ${wholeLogsMax}, or if they exceed ${wholeCharactersMax} characters; \`logs.list\` returns them in pages.`,
    }),
  ),
  scores: Type.Array(Score, { description: 'Oldest first.' }),
})
export type TraceOutline = Static<typeof TraceOutline>

export const outline = operation({
  name: 'traces.outline',
  method: 'GET',
  path: '/monitor/traces/{id}/outline',
  summary: 'Returns one trace as `traces.get` does, but without its logs if they are many or large.',
  scope: 'read',
  role: 'viewer',
  input: Type.Object({ id: Type.String({ description: 'Id of the trace.' }) }),
  success: 200,
  output: Type.Object({ trace: TraceOutline, ...besideTrace }),
  errors: ['trace_not_found'],
})
