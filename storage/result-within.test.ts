import assert from 'node:assert/strict'
import { test } from 'node:test'
import { resultWithin } from './result-within.ts'

const never = new Promise<string>(() => undefined)

test('work that is done in time gives its result or its error', async () => {
  assert.equal(await resultWithin(60_000, Promise.resolve('done')), 'done')
  await assert.rejects(resultWithin(60_000, Promise.reject(new Error('broken'))), /broken/)
})

test('work that takes longer gives undefined, or what the caller says', async () => {
  assert.equal(await resultWithin(1, never), undefined)
  assert.equal(await resultWithin(-1, never, () => 'late'), 'late')
  const fail = (): never => {
    throw new Error('too late')
  }
  await assert.rejects(resultWithin(1, never, fail), /too late/)
})

test('what the work fails with afterwards is nobody’s concern', async () => {
  const work = Promise.withResolvers<string>()
  assert.equal(await resultWithin(1, work.promise), undefined)
  work.reject(new Error('later'))
  await new Promise((resolve) => setImmediate(resolve))
})
