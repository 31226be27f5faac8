import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { makeFairScheduler, type TaskOwner } from '../fair-scheduler.ts'
import type { Subject } from '../rules/subject.ts'
import { CodeSandbox } from './run-code.ts'

const owner = (workspaceId: string, source = 'code'): TaskOwner => ({ workspaceId, source })

describe('the fair scheduler', () => {
  it('leaves a thread to others, however many tasks one workspace queues', () => {
    const scheduler = makeFairScheduler(3)
    const waiting = [owner('one'), owner('one')]
    assert.equal(scheduler.next(waiting, [owner('one')]), 0)
    assert.equal(scheduler.next(waiting, [owner('one'), owner('one')]), undefined)
    assert.equal(scheduler.next([...waiting, owner('two')], [owner('one'), owner('one')]), 2)
    assert.equal(makeFairScheduler(1).next(waiting, []), 0)
  })

  it('prefers the workspace with the fewest threads, then the one that has waited longest', () => {
    const scheduler = makeFairScheduler(4)
    const waiting = [owner('one'), owner('two'), owner('three')]
    assert.equal(scheduler.next(waiting, [owner('one'), owner('two'), owner('two')]), 2)
    const order = ['one', 'one', 'two', 'two', 'three'].map((workspaceId) => owner(workspaceId))
    const started: string[] = []
    while (order.length > 0) {
      const index = scheduler.next(order, [])!
      started.push(order.splice(index, 1)[0]!.workspaceId)
    }
    assert.deepEqual(started, ['one', 'two', 'three', 'one', 'two'])
  })

  it('prefers the evaluator with the fewest threads within a workspace', () => {
    const scheduler = makeFairScheduler(3)
    assert.equal(scheduler.next([owner('one', 'slow'), owner('one', 'quick')], [owner('one', 'slow')]), 1)
  })
})

describe('slow code', () => {
  it('delays neither other workspaces nor other evaluators of its own workspace', async () => {
    const threads = new CodeSandbox({ threadsMax: 3 })
    const subject = { logs: [], context: [], inputTokens: 0, outputTokens: 0 } as unknown as Subject
    const slow = 'export default () => { while (true); }'
    const limits = { timeoutMs: 10_000, memoryBytes: 64 * 1024 * 1024 }
    const ended: string[] = []
    const [first, second] = ['one', 'two'].map((id) => threads.of(id)) as [
      ReturnType<typeof threads.of>,
      ReturnType<typeof threads.of>,
    ]
    // One thread is reserved for other workspaces, so that other code of this workspace runs once the first of these has ended.
    for (const timeoutMs of [1000, 30_000, 30_000, 30_000])
      void first.runCode(slow, subject, { ...limits, timeoutMs }).catch(() => ended.push('slow'))
    const others = Array.from({ length: 5 }, () =>
      second.runCode('export default () => true', subject, limits).then(() => ended.push('two')),
    )
    const own = first.runCode('export default () => 1', subject, limits).then(() => ended.push('own'))
    await Promise.all([...others, own])
    const slowCount = ended.filter((name) => name === 'slow').length
    await threads.close()
    assert.equal(slowCount, 1, ended.join(' '))
  })
})
