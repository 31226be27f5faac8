import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { operations } from '@plumbline/contract'
import { startTestApp } from '../../../testing/test-app.ts'

const { get } = operations.addresses
// A service of its own: the test starts before gRPC is listening.
const { app, newWorkspace } = await startTestApp({})

describe('addresses.get', () => {
  it('200: returns the URL that was requested, and the gRPC port once it listens', async () => {
    const workspace = await newWorkspace()
    const before = await workspace.ok(get, {}, { headers: { host: 'plumbline.example:8080' } })
    const url = 'http://plumbline.example:8080'
    assert.deepEqual(before, { url, otlpHttp: url, otlpGrpc: null })
    const port = await app.listenGrpc('127.0.0.1', 0)
    const { otlpGrpc } = await workspace.ok(get, {}, { headers: { host: 'plumbline.example:8080' } })
    assert.equal(otlpGrpc, `http://plumbline.example:${port}`)
  })
})
