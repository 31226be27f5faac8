import assert from 'node:assert/strict'
import fs, {
  copyFileSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { eventually } from '../../fixtures/eventually.ts'
import { type FileSpool, readSegment, SpoolFailed } from './index.ts'
import { idsIn, openTestSpool, temporaryFolder } from './testing.ts'

const segmentBytesMax = 4 * 2 ** 20
/** Fills most of a segment, so that its file is kept as a spare. */
const large = [Buffer.alloc(2 * 2 ** 20, 'of the first segment')]
const small = [Buffer.from('small')]

/** A spool whose only file waits for the next segment. */
async function openWithSpare(
  context: TestContext,
): Promise<{ folder: string; spool: FileSpool; inode: number }> {
  const folder = temporaryFolder(context)
  const { spool } = await openTestSpool(folder, { segmentBytesMax })
  await spool.append('first', large)
  await spool.seal()
  const [segment] = spool.sealed()
  const inode = statSync(segment!.path).ino
  await spool.remove(segment!)
  return { folder, spool, inode }
}

test('a segment overwrites the file of a removed one, and ends where its last record does', async (context) => {
  const { folder, spool, inode } = await openWithSpare(context)
  assert.equal(await spool.find('first'), undefined)
  await spool.append('second', small)
  assert.equal((await spool.find('second'))?.toString(), 'small')
  await spool.seal()
  const [segment] = spool.sealed()
  assert.equal(statSync(segment!.path).ino, inode)
  assert.equal(statSync(segment!.path).size, segment!.bytes)
  assert.deepEqual(idsIn(folder), ['second'])
  await spool.close()
})

test('after a kill no records of the earlier segment reappear, and its leftover bytes are not damage', async (context) => {
  const { folder, spool } = await openWithSpare(context)
  await spool.append('second', small)
  // The file as a kill leaves it, with bytes of the earlier segment after its record.
  const copy = join(temporaryFolder(context), 'spool')
  mkdirSync(copy)
  for (const name of readdirSync(folder)) copyFileSync(join(folder, name), join(copy, name))
  await spool.close()
  const [name] = readdirSync(copy)
  assert.ok(statSync(join(copy, name!)).size > 2 ** 20)
  const { records, damagedRecords, tornBytes } = readSegment({ path: join(copy, name!) })
  assert.deepEqual([records.map(({ id }) => id), damagedRecords, tornBytes], [['second'], 0, 0])
  const { spool: reopened, damages } = await openTestSpool(copy)
  assert.deepEqual(damages, [])
  assert.equal((await reopened.find('second'))?.toString(), 'small')
  assert.equal(readFileSync(join(copy, name!)).includes('of the first'), false)
  await reopened.close()
})

test('an interrupted write over the earlier segment is reported', async (context) => {
  const { folder, spool } = await openWithSpare(context)
  await spool.append('second', small)
  await spool.append('third', [Buffer.alloc(5000, 'third')])
  const copy = join(temporaryFolder(context), 'spool')
  mkdirSync(copy)
  const [name] = readdirSync(folder)
  const bytes = readFileSync(join(folder, name!))
  bytes.fill('of the first segment', bytes.indexOf('third') + 200, bytes.indexOf('third') + 6000)
  writeFileSync(join(copy, name!), bytes)
  await spool.close()
  const { spool: reopened, damages } = await openTestSpool(copy)
  assert.equal(damages.length, 1)
  assert.ok(damages[0]!.tornBytes > 0)
  assert.deepEqual(idsIn(copy), ['second'])
  await reopened.close()
})

test('a file that cannot be opened leaves no segment with the records of the earlier one', async (context) => {
  const { folder, spool } = await openWithSpare(context)
  const error = Object.assign(new Error('EMFILE: too many open files'), { code: 'EMFILE' })
  const open = (...parameters: unknown[]): void => (parameters.at(-1) as (error: Error) => void)(error)
  context.mock.method(fs, 'open', open, { times: 1 })
  await assert.rejects(spool.append('second', small), SpoolFailed)
  assert.deepEqual(readdirSync(folder), [])
  await spool.append('third', small)
  assert.deepEqual(idsIn(folder), ['third'])
  await spool.close()
})

test('a file that a backup links to is not overwritten', async (context) => {
  const folder = temporaryFolder(context)
  const { spool } = await openTestSpool(folder, { segmentBytesMax })
  await spool.append('first', large)
  await spool.seal()
  const [segment] = spool.sealed()
  const backup = join(temporaryFolder(context), `${segment!.id}.segment`)
  linkSync(segment!.path, backup)
  await spool.remove(segment!)
  assert.deepEqual(readdirSync(folder), [])
  await spool.append('second', large)
  await spool.close()
  assert.deepEqual(
    readSegment({ path: backup }).records.map(({ id }) => id),
    ['first'],
  )
})

test('unused files are deleted after a short time, on close, and at startup', async (context) => {
  const unused = await openWithSpare(context)
  assert.equal(readdirSync(unused.folder).length, 1)
  await eventually(async () => assert.deepEqual(readdirSync(unused.folder), []))
  await unused.spool.close()

  const closed = await openWithSpare(context)
  await closed.spool.close()
  assert.deepEqual(readdirSync(closed.folder), [])

  writeFileSync(join(closed.folder, '0123456789ab-0123456789abcdef.segment.spare'), 'left')
  await (await openTestSpool(closed.folder)).spool.close()
  assert.deepEqual(readdirSync(closed.folder), [])
})

test('small segments leave no spare file, and none is kept on a full disk', async (context) => {
  const folder = temporaryFolder(context)
  let freeBytes = 2 ** 40
  const diskSpace = async () => ({ sizeBytes: 2 ** 40, freeBytes })
  const { spool } = await openTestSpool(folder, { segmentBytesMax, diskSpace })
  await spool.append('small', small)
  await spool.seal()
  await spool.remove(spool.sealed()[0]!)
  assert.deepEqual(readdirSync(folder), [])
  await spool.append('first', large)
  await spool.seal()
  freeBytes = 0
  await spool.problem()
  await spool.remove(spool.sealed()[0]!)
  assert.deepEqual(readdirSync(folder), [])
  await spool.close()
})
