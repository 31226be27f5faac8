/** How much room a node has left to record. */
import { type Static, Type } from 'typebox'
import { operation } from '../interface/operation.ts'
import { Instant, NamedObject } from '../interface/shapes.ts'

const Bytes = (description: string) => Type.Integer({ minimum: 0, description })

export const NodeCapacity = NamedObject('NodeCapacity', 'The room that a node has left to record.', {
  state: Type.Enum(['enough', 'low', 'full'], {
    description: '`full`: the node records nothing until there is room. `low`: it soon will not.',
  }),
  warning: Type.Optional(
    Type.String({ description: 'What is running out, and what helps; absent while there is enough room.' }),
  ),
  disk: Type.Optional(
    Type.Object(
      {
        freeBytes: Bytes('Bytes that the service may still write.'),
        sizeBytes: Bytes('Its size.'),
        reserveBytes: Bytes(
          'Below so many free bytes nothing is recorded: the trace store needs them to store what was acknowledged. 0 where the nodes share their stores, and need no disk to record.',
        ),
      },
      { description: 'The disk of the data directory; absent while it does not respond.' },
    ),
  ),
  spool: Type.Object(
    {
      records: Type.Integer({ minimum: 0, description: 'Records that wait for the trace store.' }),
      bytes: Bytes('Their bytes.'),
      quotaBytes: Bytes('How many bytes may wait: `PLUMBLINE_SPOOL_BYTES_MAX`.'),
      oldestAt: Type.Optional(Instant('When the oldest of them may have arrived; absent if none waits.')),
    },
    { description: 'What was acknowledged and is not in the trace store yet.' },
  ),
})
export type NodeCapacity = Static<typeof NodeCapacity>

export const get = operation({
  name: 'capacity.get',
  method: 'GET',
  path: '/capacity',
  summary:
    'Returns the free space and the quota of the node that responds, with a warning before recording stops.',
  notes: ['`/metrics` has the same figures of each node for Prometheus.'],
  scope: null,
  role: 'operator',
  input: Type.Object({}),
  success: 200,
  output: Type.Object({ capacity: NodeCapacity }),
  errors: [],
})
