/** The space that a node has left for recording. */
import { type Static, Type } from 'typebox'
import { operation } from '../interface/operation.ts'
import { Instant, NamedObject } from '../interface/shapes.ts'

const Bytes = (description: string) => Type.Integer({ minimum: 0, description })

export const NodeCapacity = NamedObject('NodeCapacity', 'The space that a node has left for recording.', {
  state: Type.Enum(['enough', 'low', 'full'], {
    description: '`full`: the node records nothing until space is freed. `low`: it will soon be full.',
  }),
  warning: Type.Optional(
    Type.String({
      description: 'What is running out, and how to fix it; absent while there is enough space.',
    }),
  ),
  disk: Type.Optional(
    Type.Object(
      {
        freeBytes: Bytes('Bytes that the service can still write.'),
        sizeBytes: Bytes('Size of the disk.'),
        reserveBytes: Bytes(
          'Free bytes below which nothing is recorded: the trace store needs them for records that were already acknowledged. 0 if the nodes share their stores, and so need no disk for recording.',
        ),
      },
      { description: 'The disk of the data directory; absent while it does not respond.' },
    ),
  ),
  spool: Type.Object(
    {
      records: Type.Integer({ minimum: 0, description: 'Number of records waiting for the trace store.' }),
      bytes: Bytes('Size of these records.'),
      quotaBytes: Bytes('Maximum size: `PLUMBLINE_SPOOL_BYTES_MAX`.'),
      oldestAt: Type.Optional(
        Instant('Earliest time at which the oldest of them can have arrived; absent if none is waiting.'),
      ),
    },
    { description: 'Acknowledged records that are not in the trace store yet.' },
  ),
})
export type NodeCapacity = Static<typeof NodeCapacity>

export const get = operation({
  name: 'capacity.get',
  method: 'GET',
  path: '/capacity',
  summary:
    'Returns the free space and the spool quota of the node that responds, with a warning before recording stops.',
  notes: ['`/metrics` exposes the same figures of each node to Prometheus.'],
  scope: null,
  role: 'operator',
  input: Type.Object({}),
  success: 200,
  output: Type.Object({ capacity: NodeCapacity }),
  errors: [],
})
