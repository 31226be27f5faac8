import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { operations } from '@plumbline/contract'
import { startTestApp } from '../../../testing/test-app.ts'

const { monitor, ledger } = operations
const { app, send, newWorkspace } = await startTestApp()

describe('ledger.list', () => {
  it('200: counts every outcome once, with the reason and the start of the rejected body', async () => {
    const workspace = await newWorkspace()
    const once = { headers: { 'idempotency-key': 'once' } }
    await workspace.ok(monitor.trace, { evaluationConfig: { sampleRate: 1 } })
    await workspace.ok(monitor.trace, { evaluationConfig: { sampleRate: 0 } })
    await workspace.ok(monitor.log, { slug: 'x', output: 'y' })
    for (let index = 0; index < 3; index++) await workspace.ok(monitor.trace, { name: 'again' }, once)
    await workspace.refused(monitor.trace, { name: 'other' }, 409, once)
    await workspace.refused(monitor.trace, { name: 5 }, 400)
    await workspace.refused(monitor.trace, { name: 6 }, 400)
    await workspace.refused(monitor.trace, { featureSlug: 'nobody' }, 404)
    const authorization = `Bearer ${workspace.key.secret}`
    const headers = { authorization, 'content-type': 'application/json' }
    await send({ method: 'POST', url: '/monitor/log', headers, payload: '{"broken' })
    await app.flush()
    const { entries, pending } = await workspace.ok(ledger.list)
    assert.equal(pending, 0)
    assert.equal(entries.length, 1)
    const { hour, reasons, ...counts } = entries[0]!
    const keyName = (await workspace.ok(operations.keys.list)).apiKeys[0]?.name
    assert.ok(keyName !== undefined)
    assert.match(hour, /:00:00\.000Z$/)
    assert.deepEqual(counts, {
      apiKeyId: workspace.key.id,
      apiKeyName: keyName,
      received: 11,
      stored: 4,
      deduplicated: 2,
      rejected: 5,
      sampled: 1,
      sampledOut: 1,
    })
    const byReason = Object.fromEntries(
      reasons.map(({ reason, count, lastSample }) => [reason, { count, lastSample }]),
    )
    assert.deepEqual(byReason, {
      invalid_request: { count: 2, lastSample: '{"name":6}' },
      feature_not_found: { count: 1, lastSample: '{"featureSlug":"nobody"}' },
      idempotency_conflict: { count: 1, lastSample: '{"name":"other"}' },
      malformed_json: { count: 1, lastSample: byReason.malformed_json?.lastSample },
    })
  })

  it('200: keeps keys and hours apart', async () => {
    const workspace = await newWorkspace()
    const second = await workspace.newKey(['ingest'])
    await workspace.ok(monitor.trace)
    await workspace.ok(monitor.trace, {}, { key: second.secret })
    await app.flush()
    assert.equal((await workspace.ok(ledger.list)).entries.length, 2)
    const { entries } = await workspace.ok(ledger.list, { apiKeyId: second.id })
    assert.deepEqual(
      entries.map(({ apiKeyId, stored }) => [apiKeyId, stored]),
      [[second.id, 1]],
    )
    assert.deepEqual((await workspace.ok(ledger.list, { to: '2020-01-01T00:00:00Z' })).entries, [])
    assert.equal((await workspace.ok(ledger.list, { from: '2020-01-01T00:00:00Z' })).entries.length, 2)
    assert.deepEqual((await (await newWorkspace()).ok(ledger.list)).entries, [])
  })

  it('400: names an invalid instant', async () => {
    const workspace = await newWorkspace()
    assert.match(await workspace.refused(ledger.list, { from: 'x' }, 400), /^from: /)
    assert.match(await workspace.refused(ledger.list, { to: '2024-02-30T00:00:00Z' }, 400), /^to: /)
  })
})
