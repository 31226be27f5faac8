import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { notificationAttemptsMax } from '@plumbline/storage/control'
import { startReceiver } from '../../../testing/webhook-receiver.ts'
import { makeGuardedFetch } from '../../network/guarded-fetch.ts'
import { readTarget } from './channel-secrets.ts'
import { testMessage } from './message.ts'
import { retryDelayMs } from './retry-policy.ts'
import { makeSend } from './send.ts'
import { readRetryAfter } from './send-result.ts'

const now = new Date('2026-03-01T12:00:00Z')
const message = testMessage({ id: 'x', workspace: { id: 'w', name: 'W' } }, undefined, now)
const receiver = await startReceiver()
const guarded = makeGuardedFetch({ hosts: undefined, allowsPrivate: false })
after(() => Promise.all([receiver.close(), guarded.close()]))
const send = makeSend({ fetch: guarded.fetch, mail: undefined, now: () => now })

describe('a channel, if the operator does not allow private networks', () => {
  it('reaches no private network, neither by address nor by name', async () => {
    const reach = { networkPolicy: { hosts: undefined, allowsPrivate: false }, sendsEmail: false }
    for (const url of ['http://example.com/', 'https://10.0.0.1/', 'https://[::1]/'])
      assert.throws(() => readTarget('slack', { url }, reach), /^ServiceError: url: must/)
    for (const url of [receiver.url, 'https://localhost:4443/']) {
      const result = await send({ type: 'slack', url }, message)
      assert.ok(result.type === 'failed', url)
      assert.match(result.problem, /private network|https:/)
    }
    assert.equal(receiver.requests.length, 0)
  })
})

describe('an e-mail channel, if the operator has configured no mail server', () => {
  it('is rejected with the reason, and an existing one is not retried', async () => {
    const reach = { networkPolicy: { hosts: undefined, allowsPrivate: false }, sendsEmail: false }
    assert.throws(
      () => readTarget('email', { to: ['a@example.com'] }, reach),
      /its operator must set SMTP_URL/,
    )
    const result = await send({ type: 'email', to: ['a@example.com'] }, message)
    assert.ok(result.type === 'failed' && result.isFinal)
  })
})

describe('the delay that a receiver requests', () => {
  it('is in seconds or a date, and a day at most', () => {
    assert.equal(readRetryAfter('120', now), 120_000)
    assert.equal(readRetryAfter('Sun, 01 Mar 2026 12:01:00 GMT', now), 60_000)
    assert.equal(readRetryAfter('Sun, 01 Mar 2020 12:01:00 GMT', now), 0)
    assert.equal(readRetryAfter('999999999', now), 86_400_000)
    for (const text of [null, 'soon']) assert.equal(readRetryAfter(text, now), undefined)
  })
})

describe('the delays between attempts', () => {
  it('grow to an hour, vary at random, and end after some hours', () => {
    const pauses = Array.from({ length: notificationAttemptsMax - 1 }, (_, index) =>
      retryDelayMs(index + 1, 0),
    )
    const inAllMs = pauses.reduce((sum, ms) => sum + ms, 0)
    assert.ok(inAllMs > 3 * 3_600_000 && inAllMs < 8 * 3_600_000, `${inAllMs}`)
    assert.ok(
      pauses.every((ms, index) => index === 0 || ms >= pauses[index - 1]!) && pauses.at(-1) === 3_600_000,
    )
    assert.ok(retryDelayMs(3, 1) < retryDelayMs(3, 0))
  })
})
