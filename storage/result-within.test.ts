import assert from 'node:assert/strict'
import { test } from 'node:test'
import { resultWithin } from './result-within.ts'

const never = new Promise<string>(() => undefined)

test('work that ends in time returns its result or its error', async () => {
  assert.equal(await resultWithin(60_000, Promise.resolve('done')), 'done')
  await assert.rejects(resultWithin(60_000, Promise.reject(new Error('broken'))), /broken/)
})

test('work that takes longer returns undefined, or the value chosen by the caller', async () => {
  assert.equal(await resultWithin(1, never), undefined)
  assert.equal(await resultWithin(-1, never, () => 'late'), 'late')
  const fail = (): never => {
    throw new Error('too late')
  }
  await assert.rejects(resultWithin(1, never, fail), /too late/)
})

test('a later failure of the work is ignored', async () => {
  const work = Promise.withResolvers<string>()
  assert.equal(await resultWithin(1, work.promise), undefined)
  work.reject(new Error('later'))
  await new Promise((resolve) => setImmediate(resolve))
})
