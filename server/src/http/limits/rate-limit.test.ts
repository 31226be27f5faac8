// One control plane is enough: this is about HTTP, not about what is stored.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { allOperations, operations } from '@plumbline/contract'
import { admit, errorOf, startTestApp } from '../../../testing/test-app.ts'

let now = new Date()
const settings = { PLUMBLINE_RATE_LIMIT_PER_MINUTE: '2' }
const { newWorkspace, send } = await startTestApp({ settings, now: () => now })

describe('the rate limit of a caller', () => {
  for (const operation of allOperations) {
    it(`429: ${operation.name} over the limit`, async () => {
      const workspace = await newWorkspace()
      const options = await admit(workspace, operation)
      const call = () => workspace.call(operation, {}, options)
      for (let index = 0; index < 2; index++) assert.notEqual((await call()).status, 429)
      const answer = await call()
      assert.equal(answer.status, 429)
      assert.equal(errorOf(answer), 'You are over the limit of 2 requests a minute.')
      assert.equal(answer.headers['ratelimit-policy'], '"default";q=2;w=60')
      assert.equal(answer.headers.ratelimit, '"default";r=0;t=30')
      assert.equal(Number(answer.headers['retry-after']), 30)
    })
  }

  it('is separate for each key, and lets requests pass again after Retry-After', async () => {
    const workspace = await newWorkspace()
    const { list } = operations.features
    for (let index = 0; index < 2; index++) await workspace.ok(list)
    await workspace.refused(list, {}, 429)
    const { secret } = await workspace.newKey(['read'])
    await workspace.ok(list, {}, { key: secret })
    now = new Date(now.getTime() + 30_000)
    await workspace.ok(list)
    await workspace.refused(list, {}, 429)
  })

  it('does not count requests that need no key', async () => {
    for (let index = 0; index < 5; index++)
      assert.equal((await send({ method: 'GET', url: '/healthz' })).status, 200)
  })
})
