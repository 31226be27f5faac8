import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import fc from 'fast-check'
import { propertyRuns } from '../../fixtures/property-runs.ts'
import { failureOf } from './errors.ts'
import { readSegment, SpoolFailed, SpoolFull } from './index.ts'
import { idsIn, openTestSpool, temporaryFolder } from './testing.ts'

const hello = [Buffer.from('hel'), new Uint8Array(), Buffer.from('lo')]

test('a record is found from its acknowledgement until its segment is removed', async (context) => {
  const folder = temporaryFolder(context)
  const first = (await openTestSpool(folder)).spool
  assert.equal(await first.find('a'), undefined)
  await first.append('a', hello)
  assert.equal((await first.find('a'))?.toString(), 'hello')
  await first.seal()
  assert.equal((await first.find('a'))?.toString(), 'hello')
  await first.close()

  const { spool, damages } = await openTestSpool(folder)
  assert.deepEqual(damages, [])
  assert.equal((await spool.find('a'))?.toString(), 'hello')
  assert.equal(spool.has('a'), true)
  await spool.remove(spool.sealed()[0]!)
  assert.equal(await spool.find('a'), undefined)
  assert.equal(spool.has('a'), false)
  assert.deepEqual(idsIn(folder), [])
  await spool.close()
})

test('a record that is not acknowledged yet is not found', async (context) => {
  const { spool } = await openTestSpool(temporaryFolder(context))
  const appended = spool.append('a', hello)
  assert.equal(spool.has('a'), false)
  await appended
  assert.equal(spool.has('a'), true)
  await spool.close()
})

test('a read during the removal of its segment finds the record or nothing', async (context) => {
  const { spool } = await openTestSpool(temporaryFolder(context))
  await spool.append('a', hello)
  await spool.seal()
  const [payload] = await Promise.all([spool.find('a'), spool.remove(spool.sealed()[0]!)])
  assert.ok(payload === undefined || payload.toString() === 'hello')
  await spool.close()
})

test('bodies of any size are returned unchanged, even larger than a segment or a group', async (context) => {
  const folder = temporaryFolder(context)
  const { spool } = await openTestSpool(folder, { segmentBytesMax: 100_000 })
  const sizes = [0, 1, 16_300, 16_384, 99_000, 100_001, 5_000_000, 4_194_250, 10]
  const bodies = sizes.map((size, index) => Buffer.alloc(size, `${index} ä`))
  await Promise.all(
    bodies.map((body, index) => spool.append(`id-${index}`, [body.subarray(0, 5), body.subarray(5)])),
  )
  for (const [index, body] of bodies.entries()) assert.deepEqual(await spool.find(`id-${index}`), body)
  await spool.close()
  const reopened = (await openTestSpool(folder)).spool
  for (const [index, body] of bodies.entries()) assert.deepEqual(await reopened.find(`id-${index}`), body)
  await reopened.close()
})

test('concurrent appends keep every record exactly once and in order, in segments within their bounds', async (context) => {
  const folder = temporaryFolder(context)
  const record = fc.record({ bytes: fc.nat(3000), isFollowedBySeal: fc.boolean() })
  await fc.assert(
    fc.asyncProperty(
      fc.array(record, { maxLength: 60 }),
      fc.integer({ min: 1, max: 20_000 }),
      async (records, segmentBytesMax) => {
        const { spool } = await openTestSpool(folder, { segmentBytesMax })
        const done: Promise<void>[] = []
        for (const [index, { bytes, isFollowedBySeal }] of records.entries()) {
          done.push(spool.append(`id-${index}`, [Buffer.alloc(bytes)]))
          if (isFollowedBySeal) await spool.seal()
        }
        await Promise.all(done)
        await spool.close()
        const sealed = spool.sealed()
        assert.deepEqual(
          sealed.flatMap((segment) => readSegment(segment).records.map(({ id }) => id)),
          records.map((_, index) => `id-${index}`),
        )
        for (const segment of sealed) {
          assert.equal(statSync(segment.path).size, segment.bytes)
          assert.ok(segment.records === 1 || segment.bytes <= segmentBytesMax)
        }
        assert.equal(
          spool.size().bytes,
          sealed.reduce((sum, { bytes }) => sum + bytes, 0),
        )
        await Promise.all(sealed.map((segment) => spool.remove(segment)))
        assert.deepEqual(spool.size(), { records: 0, bytes: 0, oldestAt: undefined })
      },
    ),
    propertyRuns(4),
  )
})

test('a sealed segment never changes again', async (context) => {
  const { spool } = await openTestSpool(temporaryFolder(context))
  await spool.append('a', hello)
  await spool.seal()
  const [segment] = spool.sealed()
  const before = readFileSync(segment!.path)
  await spool.append('b', hello)
  await spool.seal()
  assert.deepEqual(readFileSync(segment!.path), before)
  assert.deepEqual(spool.sealed()[0], segment)
  assert.notEqual(spool.sealed()[1]!.id, segment!.id)
  await spool.close()
})

test('sealing a spool without new records creates no segment', async (context) => {
  const { spool } = await openTestSpool(temporaryFolder(context))
  await spool.seal()
  await spool.append('a', hello)
  await Promise.all([spool.seal(), spool.seal()])
  assert.equal(spool.sealed().length, 1)
  await spool.close()
  assert.equal(spool.sealed().length, 1)
})

test('segments of earlier processes come first, even if the clock was set back', async (context) => {
  const folder = temporaryFolder(context)
  const future = join(folder, 'ffff00000000-0123456789abcdef.segment')
  const first = (await openTestSpool(folder)).spool
  await first.append('a', hello)
  await first.close()
  // A file name contains the marker, so a copy needs the marker of its original.
  const [segment] = first.sealed()
  const renamed = future.replace('0123456789abcdef', segment!.id.slice(13))
  writeFileSync(renamed, readFileSync(segment!.path))
  rmSync(segment!.path)
  const { spool } = await openTestSpool(folder)
  await spool.append('b', hello)
  await spool.close()
  assert.deepEqual(idsIn(folder), ['a', 'b'])
  assert.equal(spool.sealed()[0]!.path, renamed)
})

test('the record quota refuses excess records, and accepts records again after a removal', async (context) => {
  const { spool } = await openTestSpool(temporaryFolder(context), { recordsMax: 3 })
  const appended = await Promise.allSettled(['a', 'b', 'c', 'd'].map((id) => spool.append(id, hello)))
  assert.deepEqual(
    appended.map(({ status }) => status),
    ['fulfilled', 'fulfilled', 'fulfilled', 'rejected'],
  )
  await assert.rejects(spool.append('e', hello), SpoolFull)
  await spool.seal()
  await spool.remove(spool.sealed()[0]!)
  await spool.append('f', hello)
  assert.equal(spool.size().records, 1)
  await spool.close()
})

test('the byte quota counts queued records and those found at startup', async (context) => {
  const folder = temporaryFolder(context)
  const body = [Buffer.alloc(400)]
  const first = (await openTestSpool(folder, { bytesMax: 1000 })).spool
  const appended = await Promise.allSettled([
    first.append('a', body),
    first.append('b', body),
    first.append('c', body),
  ])
  assert.deepEqual(
    appended.map(({ status }) => status),
    ['fulfilled', 'fulfilled', 'rejected'],
  )
  await first.close()
  const { spool } = await openTestSpool(folder, { bytesMax: 1000 })
  await assert.rejects(spool.append('d', body), SpoolFull)
  await spool.remove(spool.sealed()[0]!)
  await spool.append('e', body)
  await spool.close()
})

test('the records waiting in memory are bounded too', async (context) => {
  const { spool } = await openTestSpool(temporaryFolder(context), { queuedBytesMax: 1000 })
  const body = [Buffer.alloc(400)]
  const appended = [spool.append('a', body), spool.append('b', body), spool.append('c', body)]
  await assert.rejects(appended[2]!, SpoolFull)
  await Promise.all(appended.slice(0, 2))
  await spool.append('d', body)
  await spool.close()
})

test('closing commits queued records and refuses later ones', async (context) => {
  const folder = temporaryFolder(context)
  const { spool } = await openTestSpool(folder, { segmentBytesMax: 100 })
  const appended = Promise.all(['a', 'b', 'c', 'd'].map((id) => spool.append(id, [Buffer.alloc(50)])))
  await spool.close()
  assert.equal(spool.sealed().length, 4)
  await appended
  await assert.rejects(spool.append('e', hello), SpoolFailed)
  assert.deepEqual(idsIn(folder), ['a', 'b', 'c', 'd'])
})

test('an id that is too long is refused', async (context) => {
  const { spool } = await openTestSpool(temporaryFolder(context))
  await spool.append('é'.repeat(127), hello)
  assert.equal(spool.has('é'.repeat(127)), true)
  await assert.rejects(spool.append('é'.repeat(128), hello), RangeError)
  await spool.close()
})

test('the age of a spool is that of its oldest segment', async (context) => {
  const { spool } = await openTestSpool(temporaryFolder(context))
  assert.equal(spool.size().oldestAt, undefined)
  const before = Date.now()
  await spool.append('a', hello)
  await spool.seal()
  await spool.append('b', hello)
  const { oldestAt } = spool.size()
  assert.ok(oldestAt!.getTime() >= before && oldestAt!.getTime() <= Date.now())
  await spool.remove(spool.sealed()[0]!)
  assert.ok(spool.size().oldestAt! > oldestAt!)
  await spool.close()
})

test('a missing folder fails every append in the group, and appends resume once it is back', async (context) => {
  const folder = join(temporaryFolder(context), 'spool')
  const { spool } = await openTestSpool(folder, { recordsMax: 2, queuedBytesMax: 60 })
  rmSync(folder, { recursive: true })
  const appended = await Promise.allSettled([spool.append('a', hello), spool.append('b', hello)])
  for (const outcome of appended)
    assert.ok(outcome.status === 'rejected' && outcome.reason instanceof SpoolFailed)
  assert.equal(spool.has('a'), false)
  mkdirSync(folder)
  await spool.append('c', hello)
  await spool.close()
  assert.deepEqual(idsIn(folder), ['c'])
  assert.equal(spool.size().records, 1)
})

test('files that are not segments are left alone', async (context) => {
  const folder = temporaryFolder(context)
  writeFileSync(join(folder, 'notes.txt'), 'mine')
  const { spool } = await openTestSpool(folder)
  assert.deepEqual(spool.sealed(), [])
  await spool.close()
  assert.equal(readFileSync(join(folder, 'notes.txt'), 'utf8'), 'mine')
})

test('a full disk is distinguished from a failing one', () => {
  for (const code of ['ENOSPC', 'EDQUOT'])
    assert.ok(failureOf(Object.assign(new Error(), { code })) instanceof SpoolFull)
  assert.ok(failureOf(Object.assign(new Error(), { code: 'EIO' })) instanceof SpoolFailed)
})

test('waiting records can be found at any time while their segment is reduced', async (context) => {
  const { spool } = await openTestSpool(temporaryFolder(context))
  const ids = Array.from({ length: 40 }, (_, index) => `record ${index}`)
  for (const id of ids) await spool.append(id, [Buffer.from(`payload of ${id}`)])
  await spool.seal()
  const waitingIds = [...ids]
  // Drains the first record each time, so that all others move in the file.
  while (waitingIds.length > 1) {
    waitingIds.shift()
    const reduction = { isEnded: false }
    const [segment] = spool.sealed()
    const reduced = spool
      .reduce(segment!, { ids: new Set(waitingIds), shards: [2] })
      .finally(() => (reduction.isEnded = true))
    const last = waitingIds.at(-1)!
    const read = async (): Promise<void> => {
      while (!reduction.isEnded) assert.equal(String(await spool.find(last)), `payload of ${last}`)
    }
    await Promise.all([reduced, ...Array.from({ length: 8 }, read)])
  }
  await spool.close()
})

test('the waiting records of a reduced segment are found and drained under the same id, even after a restart', async (context) => {
  const folder = temporaryFolder(context)
  const { spool } = await openTestSpool(folder)
  const ids = ['a', 'b', 'c', 'd']
  for (const id of ids)
    await spool.append(id, [Buffer.from(`payload ${id}`.padEnd(id === 'c' ? 40_000 : 20))])
  await spool.seal()
  const [segment] = spool.sealed()
  assert.ok(segment !== undefined)
  const reads = Promise.all(ids.map((id) => spool.find(id)))
  await spool.reduce(segment, { ids: new Set(['b', 'd']), shards: [2] })
  for (const [index, payload] of (await reads).entries())
    assert.ok(payload === undefined || payload.toString().startsWith(`payload ${ids[index]}`))
  const check = async (candidate: typeof spool): Promise<void> => {
    assert.deepEqual(
      await Promise.all(ids.map(async (id) => (await candidate.find(id))?.toString().trim())),
      [undefined, 'payload b', undefined, 'payload d'],
    )
    const [reduced] = candidate.sealed()
    assert.equal(reduced?.id, segment.id)
    assert.equal(reduced.records, 2)
    assert.deepEqual(
      readSegment(await candidate.source(reduced)).records.map(({ id }) => id),
      ['b', 'd'],
    )
    const { records, bytes } = candidate.size()
    assert.deepEqual([records, bytes], [2, statSync(join(folder, `${segment.id}.segment`)).size])
  }
  await check(spool)
  // Nothing to remove.
  await spool.reduce(segment, { ids: new Set(['b', 'd']), shards: [2] })
  await spool.close()

  // As left by a crash while a file was being written.
  writeFileSync(join(folder, `${segment.id}.segment.partial`), 'PLSPOOL')
  const again = await openTestSpool(folder)
  assert.deepEqual(again.damages, [])
  assert.deepEqual(readdirSync(folder), [`${segment.id}.segment`])
  await check(again.spool)
  await again.spool.remove(segment)
  assert.deepEqual([again.spool.size().records, again.spool.size().bytes], [0, 0])
  await again.spool.close()
})
