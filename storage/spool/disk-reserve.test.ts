/** Operator review, finding 9: a full disk recovers by itself. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeDiskReserve, reserveBytesOf } from './disk-reserve.ts'
import { SpoolFull } from './errors.ts'
import { openTestSpool, temporaryFolder } from './testing.ts'

const mebibyte = 1024 ** 2
const sizeBytes = 10 * 1024 ** 3

test('the reserve is a tenth of a small disk, and bounded on a large one', () => {
  assert.equal(reserveBytesOf(60 * mebibyte), 24 * mebibyte)
  assert.equal(reserveBytesOf(1000 * mebibyte), 100 * mebibyte)
  assert.equal(reserveBytesOf(1024 ** 4), 512 * mebibyte)
})

test('appends leave the reserve to the drain, and resume once there is space again', async (context) => {
  let freeBytes = sizeBytes
  const { spool } = await openTestSpool(temporaryFolder(context), {
    diskSpace: async () => ({ freeBytes, sizeBytes }),
  })
  await spool.append('a', [Buffer.from('a')])
  assert.equal(await spool.problem(), undefined)

  freeBytes = 500 * mebibyte
  assert.match((await spool.problem())?.message ?? '', /^The spool disk is full: the remaining space/)
  await assert.rejects(spool.append('b', [Buffer.from('b')]), SpoolFull)
  // The acknowledged record is there, and is drained.
  assert.equal(String(await spool.find('a')), 'a')
  await spool.seal()
  for (const segment of spool.sealed()) await spool.remove(segment)
  assert.equal(spool.size().records, 0)

  freeBytes = sizeBytes
  assert.equal(await spool.problem(), undefined)
  await spool.append('c', [Buffer.from('c')])
  await spool.close()
})

test('free space is read again after a short time, once for all concurrent callers', async () => {
  let time = 0
  let looks = 0
  const reserve = makeDiskReserve(
    '/',
    async () => {
      looks += 1
      return { freeBytes: 0, sizeBytes }
    },
    () => time,
  )
  assert.equal(await reserve.refresh(), true)
  for (let append = 0; append < 100; append++) assert.equal(reserve.isReached(), true)
  assert.equal(looks, 1)
  time += 300
  for (let append = 0; append < 100; append++) reserve.isReached()
  assert.equal(looks, 2)
})

test('a disk that cannot be read is not considered full', async () => {
  const reserve = makeDiskReserve('/', () => Promise.reject(new Error('EIO')))
  assert.equal(await reserve.refresh(), false)
})
