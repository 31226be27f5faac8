/** Which export of a trace is its first when several nodes accept exports: the id of the trace contains its time. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { emptyDatabase } from '@plumbline/storage/control/testing'
import { openSharedSpool, type SharedSpool } from '@plumbline/storage/spool'
import { makeSharedPendingSpans, tagsOfSpans } from './shared-pending-spans.ts'

const place = await emptyDatabase()
assert.ok('url' in place.location)
const { url } = place.location
const open = (): Promise<SharedSpool> =>
  openSharedSpool({ url, bytesMax: 2 ** 30, recordsMax: 1_000_000, segmentBytesMax: 2 ** 20 })
const [first, other] = [await open(), await open()]
after(async () => {
  await Promise.all([first.close(), other.close()])
  await place.remove()
})

const append = (spool: SharedSpool, recordId: string, receivedAtMs: number, otelTraceIds: string[]) =>
  spool.append(
    recordId,
    [Buffer.from(recordId)],
    tagsOfSpans({ workspaceId: 'w', receivedAtMs }, otelTraceIds),
  )

const arrival = (otelTraceId: string, atMs: number) => ({
  workspaceId: 'w',
  otelTraceId,
  firstAtMs: atMs,
  lastAtMs: atMs,
  spans: 1,
  hasEndedRoot: false,
})

test('a trace keeps the time of the export that was acknowledged first, though another node had received one before', async () => {
  const nodes = [first, other].map(makeSharedPendingSpans)
  await append(first, 'committed first', 100, ['a'])
  const answered = await nodes[1]!.find('w', 'a')
  assert.equal(answered?.firstAtMs, 100)
  await append(other, 'received first', 99, ['a', 'b'])
  for (const pending of nodes) {
    assert.deepEqual(await pending.find('w', 'a'), {
      otelTraceId: 'a',
      firstAtMs: 100,
      recordIds: ['committed first', 'received first'],
    })
    assert.deepEqual(
      (await pending.findByFirstArrival('w', 100)).map(({ otelTraceId }) => otelTraceId),
      ['a'],
    )
    assert.deepEqual(
      (await pending.findByFirstArrival('w', 99)).map(({ otelTraceId }) => otelTraceId),
      ['b'],
    )
  }
  // Whichever node drains its exports first.
  assert.deepEqual(
    (await nodes[1]!.sinceFirst([arrival('a', 99), arrival('b', 99), arrival('c', 99)])).map(
      ({ firstAtMs }) => firstAtMs,
    ),
    [100, 99, 99],
  )
})

test('two nodes that accept the first exports of a trace at once return the same time', async () => {
  const nodes = [first, other].map(makeSharedPendingSpans)
  let changed = 0
  for (let round = 0; round < 50; round++) {
    const traceId = `at once ${round}`
    const moments = await Promise.all(
      [first, other].map(async (spool, node) => {
        await append(spool, `${traceId} ${node}`, 2000 - node, [traceId])
        return (await nodes[node]!.find('w', traceId))?.firstAtMs
      }),
    )
    const later = await Promise.all(nodes.map(async (node) => (await node.find('w', traceId))?.firstAtMs))
    if (new Set([...moments, ...later]).size !== 1) changed++
  }
  assert.equal(changed, 0)
})
