import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Subject } from '../rules/subject.ts'
import { makeTurns, type Turn } from '../turns.ts'
import { CodeSandbox } from './run-code.ts'

const turn = (workspaceId: string, source = 'code'): Turn => ({ workspaceId, source })

describe('the turns of code', () => {
  it('leave a thread to others, however much of one workspace waits', () => {
    const turns = makeTurns(3)
    const waiting = [turn('one'), turn('one')]
    assert.equal(turns.next(waiting, [turn('one')]), 0)
    assert.equal(turns.next(waiting, [turn('one'), turn('one')]), undefined)
    assert.equal(turns.next([...waiting, turn('two')], [turn('one'), turn('one')]), 2)
    assert.equal(makeTurns(1).next(waiting, []), 0)
  })

  it('go to the workspace with the fewest threads, then to the one that had none for longest', () => {
    const turns = makeTurns(4)
    const waiting = [turn('one'), turn('two'), turn('three')]
    assert.equal(turns.next(waiting, [turn('one'), turn('two'), turn('two')]), 2)
    const order = ['one', 'one', 'two', 'two', 'three'].map((of) => turn(of))
    const begun: string[] = []
    while (order.length > 0) {
      const at = turns.next(order, [])!
      begun.push(order.splice(at, 1)[0]!.workspaceId)
    }
    assert.deepEqual(begun, ['one', 'two', 'three', 'one', 'two'])
  })

  it('go to the evaluator with the fewest threads within a workspace', () => {
    const turns = makeTurns(3)
    assert.equal(turns.next([turn('one', 'slow'), turn('one', 'quick')], [turn('one', 'slow')]), 1)
  })
})

describe('slow code', () => {
  it('of one workspace holds up neither another, nor the other evaluators of its own', async () => {
    const threads = new CodeSandbox({ threadsMax: 3 })
    const subject = { logs: [], context: [], inputTokens: 0, outputTokens: 0 } as unknown as Subject
    const slow = 'export default () => { while (true); }'
    const limits = { timeoutMs: 2000, memoryBytes: 64 * 1024 * 1024 }
    const ended: string[] = []
    const [one, two] = ['one', 'two'].map((id) => threads.of(id)) as [
      ReturnType<typeof threads.of>,
      ReturnType<typeof threads.of>,
    ]
    const slowOnes = Array.from({ length: 4 }, () =>
      one.runCode(slow, subject, limits).catch(() => ended.push('slow')),
    )
    const others = Array.from({ length: 5 }, () =>
      two.runCode('export default () => true', subject, limits).then(() => ended.push('two')),
    )
    const own = one.runCode('export default () => 1', subject, limits).then(() => ended.push('own'))
    await Promise.all([...slowOnes, ...others, own])
    await threads.close()
    assert.deepEqual(ended.slice(0, 5), Array(5).fill('two'))
    // Two of the slow are under way when it comes, and the next turn is its.
    assert.ok(ended.indexOf('own') <= 7, ended.join(' '))
  })
})
