import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { operations } from '@plumbline/contract'
import { recordLog, recordTrace, startTestApp } from '../../../testing/test-app.ts'

const { monitor } = operations
const { newWorkspace } = await startTestApp()

const instants: [sent: string | number, read: string][] = [
  [1700000000, '2023-11-14T22:13:20.000000Z'],
  [1700000000.123456, '2023-11-14T22:13:20.123456Z'],
  [99999999999, '5138-11-16T09:46:39.000000Z'],
  [100000000000, '1973-03-03T09:46:40.000000Z'],
  [1700000000123, '2023-11-14T22:13:20.123000Z'],
  [100000000000000, '1973-03-03T09:46:40.000000Z'],
  [1700000000123456, '2023-11-14T22:13:20.123456Z'],
  [100000000000000000, '1973-03-03T09:46:40.000000Z'],
  [0.5, '1970-01-01T00:00:00.500000Z'],
  ['2024-05-06T07:08:09Z', '2024-05-06T07:08:09.000000Z'],
  ['2024-05-06T07:08:09', '2024-05-06T07:08:09.000000Z'],
  ['2024-05-06T07:08:09.1', '2024-05-06T07:08:09.100000Z'],
  ['2024-05-06T07:08:09.123456Z', '2024-05-06T07:08:09.123456Z'],
  ['2024-05-06T07:08:09+02:00', '2024-05-06T05:08:09.000000Z'],
  ['2024-05-06T07:08:09-05:30', '2024-05-06T12:38:09.000000Z'],
  ['2024-02-29T00:00:00Z', '2024-02-29T00:00:00.000000Z'],
  ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000000Z'],
  ['9999-12-31T23:59:59.999999Z', '9999-12-31T23:59:59.999999Z'],
]

const noInstants = [
  0,
  -1700000000,
  1e300,
  true,
  [],
  {},
  '',
  'yesterday',
  '2024-05-06',
  '2023-02-29T00:00:00Z',
  '2023-02-30T00:00:00Z',
  '2023-13-01T00:00:00Z',
  '2024-05-06T23:59:60Z',
  '2024-05-06T24:00:00Z',
  '2024-05-06T07:08:09+0530',
]

describe('times', () => {
  it('are returned in UTC with microseconds, whatever form they were sent in', async () => {
    const workspace = await newWorkspace()
    for (const [timestamp, read] of instants) {
      const times = { startTime: timestamp, endTime: timestamp }
      const { trace, warning } = await recordTrace(workspace, {
        ...times,
        logs: [{ id: 'a', type: 'span', ...times }],
      })
      assert.equal(warning, undefined)
      const storedTimes = [trace.startTime, trace.endTime, trace.logs[0]?.startTime, trace.logs[0]?.endTime]
      assert.deepEqual(storedTimes, [read, read, read, read], String(timestamp))
    }
  })

  it('are rejected with 400 if they are invalid, and the message names the path', async () => {
    const workspace = await newWorkspace()
    for (const startTime of noInstants) {
      const refusals: [path: string, operation: typeof monitor.trace | typeof monitor.log, sent: object][] = [
        ['startTime', monitor.trace, { startTime }],
        ['endTime', monitor.trace, { endTime: startTime }],
        ['logs[0].startTime', monitor.trace, { logs: [{ id: 'a', type: 'span', startTime }] }],
        ['logs[0].endTime', monitor.trace, { logs: [{ id: 'a', type: 'generation', endTime: startTime }] }],
        ['startTime', monitor.log, { slug: 'x', output: 'y', startTime }],
      ]
      for (const [path, operation, body] of refusals) {
        const error = await workspace.refused(operation, body, 400)
        assert.ok(error.startsWith(`${path}: `), `${JSON.stringify(body)}: ${error}`)
      }
    }
  })

  it('of a trace are those of its logs if it has none of its own', async () => {
    const logs = [
      { id: 'a', type: 'span', startTime: '2024-01-01T00:00:05Z', endTime: '2024-01-01T00:00:07Z' },
      { id: 'b', type: 'span', startTime: '2024-01-01T00:00:02Z', endTime: '2024-01-01T00:00:03Z' },
      { id: 'c', type: 'span' },
    ]
    const workspace = await newWorkspace()
    const { trace } = await recordTrace(workspace, { logs })
    assert.equal(trace.startTime, '2024-01-01T00:00:02.000000Z')
    assert.equal(trace.endTime, '2024-01-01T00:00:07.000000Z')
    assert.equal(trace.totals.durationMs, 5000)
    const own = { startTime: '2024-01-01T00:00:04Z', endTime: '2024-01-01T00:00:04.5Z' }
    const recorded = (await recordTrace(workspace, { ...own, logs })).trace
    assert.equal(recorded.startTime, '2024-01-01T00:00:04.000000Z')
    assert.equal(recorded.totals.durationMs, 500)
  })

  it('of a single log are those of its trace', async () => {
    const times = { startTime: '2024-01-01T00:00:04.000000Z', endTime: '2024-01-01T00:00:05.000000Z' }
    const { trace, log } = await recordLog(await newWorkspace(), { slug: 'x', output: 'y', ...times })
    assert.deepEqual([trace.startTime, log.startTime], [times.startTime, times.startTime])
    assert.deepEqual([trace.endTime, log.endTime], [times.endTime, times.endTime])
  })
})
