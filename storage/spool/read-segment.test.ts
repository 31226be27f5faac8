import assert from 'node:assert/strict'
import { appendFileSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
import fc from 'fast-check'
import { propertyRuns } from '../../fixtures/property-runs.ts'
import { RECORD_HEADER_BYTES, SEGMENT_HEADER } from './format.ts'
import { type FileSegment, readSegment } from './index.ts'
import { openTestSpool, temporaryFolder } from './testing.ts'

/** A segment of three records, whose bodies look like the beginning of a segment. */
async function writeSegment(folder: string): Promise<FileSegment> {
  const { spool } = await openTestSpool(folder)
  for (const id of ['a', 'b', 'c']) await spool.append(id, [SEGMENT_HEADER, Buffer.from(`body of ${id}`)])
  await spool.close()
  return spool.sealed()[0]!
}

function idsOf(segment: FileSegment): string[] {
  return readSegment(segment).records.map(({ id }) => id)
}

test('a segment returns every record in order, with its bytes', async (context) => {
  const segment = await writeSegment(temporaryFolder(context))
  const { records, damagedRecords, tornBytes, wholeBytes } = readSegment(segment)
  assert.deepEqual(
    records.map(({ id, payload }) => [id, payload.toString('latin1')]),
    ['a', 'b', 'c'].map((id) => [id, `PLSPOOL\x01body of ${id}`]),
  )
  assert.deepEqual(
    { damagedRecords, tornBytes, wholeBytes },
    { damagedRecords: 0, tornBytes: 0, wholeBytes: segment.bytes },
  )
  assert.equal(segment.records, 3)
  assert.equal(statSync(segment.path).size, segment.bytes)
})

test('a record torn at any byte is cut off at the next start, and everything before it is kept', async (context) => {
  const folder = temporaryFolder(context)
  const segment = await writeSegment(folder)
  const whole = readFileSync(segment.path)
  const lastAt = readSegment(segment).offsets.at(-1)!
  for (let length = lastAt; length < whole.length; length++) {
    writeFileSync(segment.path, whole.subarray(0, length))
    const { spool, damages } = await openTestSpool(folder)
    const tornSegment = {
      segmentId: segment.id,
      path: segment.path,
      damagedRecords: 0,
      tornBytes: length - lastAt,
    }
    assert.deepEqual(damages, length === lastAt ? [] : [tornSegment])
    assert.deepEqual(idsOf(spool.sealed()[0]!), ['a', 'b'])
    assert.equal(statSync(segment.path).size, lastAt)
    assert.equal((await spool.find('b'))?.toString('latin1'), 'PLSPOOL\x01body of b')
    assert.equal(spool.has('c'), false)
    await spool.close()
  }
})

test('a record torn over the rest of an overwritten file is not damage', async (context) => {
  const segment = await writeSegment(temporaryFolder(context))
  const whole = readFileSync(segment.path)
  const lastAt = readSegment(segment).offsets.at(-1)!
  const leftOver = Buffer.alloc(whole.length + 40, 'of an earlier segment ')
  for (let length = lastAt; length < whole.length; length++) {
    writeFileSync(segment.path, Buffer.concat([whole.subarray(0, length), leftOver.subarray(length)]))
    const { records, damagedRecords } = readSegment({ path: segment.path })
    assert.deepEqual(
      records.map(({ id }) => id),
      ['a', 'b'],
    )
    assert.equal(damagedRecords, 0)
  }
})

test('a file torn before its first complete record is empty, and is removed', async (context) => {
  const folder = temporaryFolder(context)
  const segment = await writeSegment(folder)
  const whole = readFileSync(segment.path)
  for (let length = 0; length < readSegment(segment).offsets[1]!; length++) {
    writeFileSync(segment.path, whole.subarray(0, length))
    const { spool, damages } = await openTestSpool(folder)
    assert.deepEqual(spool.sealed(), [])
    assert.equal(damages.length, length > SEGMENT_HEADER.length ? 1 : 0)
    assert.throws(() => statSync(segment.path))
    await spool.close()
    writeFileSync(segment.path, whole)
  }
})

test('one damaged byte loses only the record it is in, and the loss is counted', async (context) => {
  const segment = await writeSegment(temporaryFolder(context))
  const whole = readFileSync(segment.path)
  const { offsets } = readSegment(segment)
  fc.assert(
    fc.property(
      fc.integer({ min: offsets[0]!, max: whole.length - 1 }),
      fc.integer({ min: 1, max: 255 }),
      (position, flip) => {
        const damaged = Buffer.from(whole)
        damaged[position]! ^= flip
        writeFileSync(segment.path, damaged)
        const hit = offsets.findLastIndex((offset) => offset <= position)
        assert.deepEqual(
          idsOf(segment),
          ['a', 'b', 'c'].filter((_, index) => index !== hit),
        )
        const { damagedRecords, tornBytes } = readSegment(segment)
        // A damaged marker or length at the end looks like a write that was cut short.
        const isInHead = position < offsets[hit]! + RECORD_HEADER_BYTES
        if (hit < 2 || !isInHead) assert.equal(damagedRecords, 1)
        assert.equal(tornBytes, hit === 2 ? whole.length - offsets[2]! : 0)
      },
    ),
    propertyRuns(30),
  )
})

test('no bytes written over the file can produce a record that was not appended', async (context) => {
  const segment = await writeSegment(temporaryFolder(context))
  const whole = readFileSync(segment.path)
  fc.assert(
    fc.property(
      fc.nat(whole.length - 1),
      fc.uint8Array({ minLength: 1, maxLength: 80 }),
      (position, bytes) => {
        // The version byte stays: another version is refused, not read.
        const damaged = Buffer.from(whole)
        damaged.set(bytes.subarray(0, whole.length - position), position)
        damaged[SEGMENT_HEADER.length - 1] = 1
        writeFileSync(segment.path, damaged)
        for (const { id, payload } of readSegment(segment).records)
          assert.equal(payload.toString('latin1'), `PLSPOOL\x01body of ${id}`)
      },
    ),
    propertyRuns(30),
  )
})

test('damage found at startup is reported, and the records around it are found', async (context) => {
  const folder = temporaryFolder(context)
  const segment = await writeSegment(folder)
  const damaged = readFileSync(segment.path)
  damaged[readSegment(segment).offsets[1]! + 30]! ^= 1
  writeFileSync(segment.path, damaged)
  const { spool, damages } = await openTestSpool(folder)
  const { id: segmentId, path } = segment
  assert.deepEqual(damages, [{ segmentId, path, damagedRecords: 1, tornBytes: 0 }])
  assert.equal((await spool.find('c'))?.toString('latin1'), 'PLSPOOL\x01body of c')
  assert.equal(await spool.find('b'), undefined)
  assert.equal(spool.size().records, 2)
})

test('a damaged header costs no record', async (context) => {
  const segment = await writeSegment(temporaryFolder(context))
  const damaged = readFileSync(segment.path)
  damaged.fill(0, 0, SEGMENT_HEADER.length)
  writeFileSync(segment.path, damaged)
  assert.deepEqual(idsOf(segment), ['a', 'b', 'c'])
})

test('a segment of another version is refused and not treated as damage', async (context) => {
  const folder = temporaryFolder(context)
  const segment = await writeSegment(folder)
  const newer = readFileSync(segment.path)
  newer[SEGMENT_HEADER.length - 1]! += 1
  writeFileSync(segment.path, newer)
  await assert.rejects(openTestSpool(folder), /another version/)
  assert.deepEqual(readFileSync(segment.path), newer)
})

test('nothing is read beyond the bytes that a segment was sealed with', async (context) => {
  const folder = temporaryFolder(context)
  const segment = await writeSegment(folder)
  const first = readFileSync(segment.path)
  const { offsets } = readSegment(segment)
  appendFileSync(segment.path, first.subarray(offsets[0]))
  assert.deepEqual(idsOf(segment), ['a', 'b', 'c'])
})
