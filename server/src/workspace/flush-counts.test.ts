import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import { ControlStoreAway } from '@plumbline/storage/control'
import { flushCounts } from './flush-counts.ts'

type Count = { readonly workspaceId: string; readonly count: number }

describe('in-memory counts', () => {
  let counts: Map<string, Count>
  let sums: Record<string, number>
  beforeEach(() => {
    counts = new Map(
      ['first', 'second', 'third'].map((workspaceId) => [workspaceId, { workspaceId, count: 5 }]),
    )
    sums = {}
  })
  const add = (older: Count, newer: Count): Count => ({ ...newer, count: older.count + newer.count })
  const write = async (workspaceId: string, group: readonly Count[]): Promise<void> => {
    for (const { count } of group) sums[workspaceId] = (sums[workspaceId] ?? 0) + count
  }

  it('are put back while the store is unavailable, and added to newer counts', async () => {
    const flush = flushCounts(counts, {
      add,
      write: async (workspaceId, group) => {
        if (workspaceId !== 'first') return write(workspaceId, group)
        counts.set('first', { workspaceId, count: 1 })
        throw new ControlStoreAway()
      },
    })
    await assert.rejects(flush, ControlStoreAway)
    assert.deepEqual(sums, { second: 5, third: 5 })
    await flushCounts(counts, { add, write })
    assert.deepEqual(sums, { first: 6, second: 5, third: 5 })
    assert.equal(counts.size, 0)
  })

  it('of a workspace whose write fails for another reason do not block the others, and are not put back', async () => {
    const flush = flushCounts(counts, {
      add,
      write: async (workspaceId, group) => {
        if (workspaceId === 'second') throw new Error('The workspace was deleted.')
        return write(workspaceId, group)
      },
    })
    await assert.rejects(flush, /deleted/)
    assert.deepEqual(sums, { first: 5, third: 5 })
    assert.equal(counts.size, 0)
  })
  it('are stored once by two concurrent flushes, as a timer and a request trigger them', async () => {
    const firstWrite = Promise.withResolvers<void>()
    const slow = flushCounts(counts, {
      add,
      write: async (workspaceId, group) => {
        await firstWrite.promise
        return write(workspaceId, group)
      },
    })
    const other = flushCounts(counts, { add, write })
    await other
    firstWrite.resolve()
    await slow
    assert.deepEqual(sums, { first: 5, second: 5, third: 5 })
    assert.equal(counts.size, 0)
  })
})
