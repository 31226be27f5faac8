/** A trace for a screen: with its logs where they are few, and without them where `logs.list` has them in pages. */
import { type Static, Type } from 'typebox'
import { Score } from '../evaluate/scores.ts'
import { operation } from '../interface/operation.ts'
import { NamedObject } from '../interface/shapes.ts'
import { ownTraceFields, StoredLog } from './stored-trace.ts'
import { besideTrace } from './traces.ts'

/** Up to so many logs, with so many characters of JSON, an outline has them whole. */
export const wholeLogsMax = 500
export const wholeCharactersMax = 4_000_000

export const TraceOutline = NamedObject('TraceOutline', 'A trace, with its logs only if they are few.', {
  ...ownTraceFields,
  logCount: Type.Integer({ description: 'How many logs it has.' }),
  logs: Type.Optional(
    Type.Array(StoredLog, {
      description: `In the order they were sent. Absent if there are more than ${wholeLogsMax}, or more than ${wholeCharactersMax} characters of them: \`logs.list\` returns them in pages.`,
    }),
  ),
  scores: Type.Array(Score, { description: 'Oldest first.' }),
})
export type TraceOutline = Static<typeof TraceOutline>

export const outline = operation({
  name: 'traces.outline',
  method: 'GET',
  path: '/monitor/traces/{id}/outline',
  summary:
    'Returns one trace as `traces.get` does, but leaves out its logs if there are many or if they are large.',
  scope: 'read',
  role: 'viewer',
  input: Type.Object({ id: Type.String({ description: 'Id of the trace.' }) }),
  success: 200,
  output: Type.Object({ trace: TraceOutline, ...besideTrace }),
  errors: ['trace_not_found'],
})
