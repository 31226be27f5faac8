import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import { ControlStoreAway } from '@plumbline/storage/control'
import { flushCounts } from './flush-counts.ts'

type Count = { readonly workspaceId: string; readonly count: number }

describe('counts in memory', () => {
  let counts: Map<string, Count>
  let stored: Record<string, number>
  beforeEach(() => {
    counts = new Map(
      ['first', 'second', 'third'].map((workspaceId) => [workspaceId, { workspaceId, count: 5 }]),
    )
    stored = {}
  })
  const add = (older: Count, newer: Count): Count => ({ ...newer, count: older.count + newer.count })
  const write = async (workspaceId: string, written: readonly Count[]): Promise<void> => {
    for (const { count } of written) stored[workspaceId] = (stored[workspaceId] ?? 0) + count
  }

  it('are put back while the store is away, added to what came meanwhile', async () => {
    const flush = flushCounts(counts, {
      add,
      write: async (workspaceId, written) => {
        if (workspaceId !== 'first') return write(workspaceId, written)
        counts.set('first', { workspaceId, count: 1 })
        throw new ControlStoreAway()
      },
    })
    await assert.rejects(flush, ControlStoreAway)
    assert.deepEqual(stored, { second: 5, third: 5 })
    await flushCounts(counts, { add, write })
    assert.deepEqual(stored, { first: 6, second: 5, third: 5 })
    assert.equal(counts.size, 0)
  })

  it('of a workspace whose write fails for another reason do not hold up the others, nor come back', async () => {
    const flush = flushCounts(counts, {
      add,
      write: async (workspaceId, written) => {
        if (workspaceId === 'second') throw new Error('The workspace was deleted.')
        return write(workspaceId, written)
      },
    })
    await assert.rejects(flush, /deleted/)
    assert.deepEqual(stored, { first: 5, third: 5 })
    assert.equal(counts.size, 0)
  })
})
