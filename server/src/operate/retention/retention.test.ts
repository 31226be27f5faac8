import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { operations } from '@plumbline/contract'
import type { Expiries } from '@plumbline/storage/traces'
import { startTestApp } from '../../../testing/test-app.ts'
import { expireTraces } from './expire-traces.ts'

const { get, update } = operations.retention
const { app, newWorkspace } = await startTestApp()

describe('retention.get', () => {
  it('200: is for good until a number of days is set', async () => {
    assert.deepEqual(await (await newWorkspace()).ok(get), { days: null })
  })
})

describe('retention.update', () => {
  it('200: sets the days of this workspace only, and takes them away', async () => {
    const [workspace, other] = [await newWorkspace(), await newWorkspace()]
    assert.deepEqual(await workspace.ok(update, { days: 30 }), { days: 30 })
    assert.deepEqual([await workspace.ok(get), await other.ok(get)], [{ days: 30 }, { days: null }])
    await workspace.ok(update, { days: null })
    assert.deepEqual(await workspace.ok(get), { days: null })
  })

  it('200: what arrived before goes, of those workspaces that say so', async () => {
    const [workspace, other] = [await newWorkspace(), await newWorkspace()]
    await workspace.ok(update, { days: 2 })
    let expiries: Expiries = new Map()
    const store = {
      async expire(cutoffs: Expiries) {
        expiries = cutoffs
      },
    }
    await expireTraces(app.control, store, new Date('2024-03-10T00:00:00Z'))
    assert.equal(expiries.get(workspace.id), Date.parse('2024-03-08T00:00:00Z'))
    assert.equal(expiries.has(other.id), false)
  })

  it('400: is no number of days', async () => {
    const workspace = await newWorkspace()
    for (const days of [0, -1, 1.5, '30', undefined])
      assert.match(await workspace.refused(update, { days }, 400), /^days: /)
  })
})
