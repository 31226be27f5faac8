import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { operations } from '@plumbline/contract'
import { eventually } from '../../../../fixtures/eventually.ts'
import { startTestApp } from '../../../testing/test-app.ts'

const { get } = operations.capacity
const { newWorkspace } = await startTestApp()

describe('capacity.get', () => {
  it('200: returns the free space of the data directory, the reserve, and the quota', async () => {
    const workspace = await newWorkspace()
    const operator = await workspace.signInOperator()
    const capacity = await eventually(async () => {
      const answer = await workspace.ok(get, {}, operator)
      const { disk } = answer.capacity
      assert.ok(disk !== undefined && disk.freeBytes > 0 && disk.freeBytes <= disk.sizeBytes)
      return answer.capacity
    })
    const { spool } = capacity
    assert.ok(spool.quotaBytes > 0 && spool.bytes <= spool.quotaBytes)
    assert.equal(capacity.state === 'enough', capacity.warning === undefined)
  })

  it('403: is for operators only', async () => {
    const workspace = await newWorkspace()
    for (const options of [{}, await workspace.signIn('owner')])
      await workspace.refused(get, {}, 403, options)
  })
})
