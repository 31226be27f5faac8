import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makePendingSpans } from './pending-spans.ts'

/** The index over a spool whose contents the test decides. */
function setUp(options: { unknown?: string[]; entriesMax?: number } = {}) {
  const inSpool = new Set(options.unknown ?? [])
  const pending = makePendingSpans({
    isInSpool: (recordId) => inSpool.has(recordId),
    unknown: inSpool,
    ...(options.entriesMax === undefined ? {} : { entriesMax: options.entriesMax }),
  })
  const exportOf = (recordId: string, receivedAtMs: number, otelTraceIds: string[]) => ({
    workspaceId: 'w',
    recordId,
    receivedAtMs,
    otelTraceIds,
  })
  const append = (...fields: Parameters<typeof exportOf>): void => {
    pending.add(exportOf(...fields))
    inSpool.add(fields[0])
    pending.confirm(fields[0])
  }
  const drain = (recordId: string, otelTraceId: string): void => {
    inSpool.delete(recordId)
    pending.forget([
      { workspaceId: 'w', otelTraceId, firstAtMs: 0, lastAtMs: 0, spans: 1, hasEndedRoot: false },
    ])
  }
  return { pending, inSpool, exportOf, append, drain }
}

test('a trace consists of the exports in the spool, and began with the first', async () => {
  const { pending, append, drain } = setUp()
  append('1', 100, ['a', 'b'])
  append('2', 90, ['a'])
  assert.deepEqual(await pending.find('w', 'a'), { otelTraceId: 'a', firstAtMs: 100, recordIds: ['1', '2'] })
  assert.deepEqual(
    (await pending.findByFirstArrival('w', 100)).map(({ otelTraceId }) => otelTraceId),
    ['a', 'b'],
  )
  assert.deepEqual(await pending.findByFirstArrival('w', 90), [])
  assert.equal(await pending.find('other', 'a'), undefined)
  drain('1', 'a')
  assert.deepEqual((await pending.find('w', 'a'))?.recordIds, ['2'])
  drain('2', 'a')
  assert.equal(await pending.find('w', 'a'), undefined)
  assert.deepEqual(await pending.findByFirstArrival('w', 90), [])
})

test('an export that is being written to the spool stays while others leave it', async () => {
  const { pending, inSpool, exportOf, append, drain } = setUp()
  append('1', 100, ['a'])
  pending.add(exportOf('2', 101, ['a']))
  drain('1', 'a')
  inSpool.add('2')
  pending.confirm('2')
  assert.deepEqual((await pending.find('w', 'a'))?.recordIds, ['2'])
})

test('an export that the spool rejected begins no trace', async () => {
  const { pending, exportOf, append } = setUp()
  pending.add(exportOf('1', 100, ['a']))
  pending.discard(exportOf('1', 100, ['a']))
  append('2', 101, ['a'])
  assert.deepEqual(await pending.find('w', 'a'), { otelTraceId: 'a', firstAtMs: 101, recordIds: ['2'] })
})

test('exports of an earlier process, and those beyond the limit, are unknown until they are drained', async () => {
  const { pending, append, drain } = setUp({ unknown: ['0'], entriesMax: 2 })
  assert.equal(pending.isIncomplete(), true)
  drain('0', 'z')
  assert.equal(pending.isIncomplete(), false)
  append('1', 100, ['a', 'b'])
  assert.equal(pending.isIncomplete(), false)
  append('2', 101, ['a'])
  assert.equal(pending.isIncomplete(), true)
  drain('2', 'a')
  assert.equal(pending.isIncomplete(), false)
  assert.deepEqual((await pending.find('w', 'a'))?.recordIds, ['1'])
})
