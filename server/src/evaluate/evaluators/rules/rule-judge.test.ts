import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { ServiceError } from '@plumbline/contract'
import { RuleJudge } from './rule-judge.ts'
import type { Subject } from './subject.ts'

const rules = new RuleJudge()
after(() => rules.close())

const subject = (output: unknown): Subject => ({
  input: null,
  output,
  idealOutput: null,
  metadata: null,
  variables: {},
  context: [],
  logs: [{ id: 'a', parentId: null, type: 'tool', name: 'find' } as Subject['logs'][number]],
  durationMs: null,
  cost: null,
  inputTokens: 0,
  outputTokens: 0,
})

describe('rules on a thread', () => {
  it('respond to each task in order', async () => {
    const verdicts = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        rules.judge(
          'equals',
          JSON.stringify({ value: index }),
          subject(index % 2 === 0 ? index : 'other'),
          'w',
        ),
      ),
    )
    assert.deepEqual(
      verdicts.map(({ value }) => value),
      Array.from({ length: 50 }, (_, index) => index % 2 === 0),
    )
    const called = await rules.judge('tool_calls', '{"expected":["find"]}', subject(''), 'w')
    assert.equal(called.value, true)
  })

  it('reject an invalid configuration', async () => {
    await assert.rejects(
      rules.judge('contains', '{}', subject('a'), 'w'),
      (error) => error instanceof ServiceError && error.message.startsWith('config.value: '),
    )
  })

  it('give no verdict after a timeout, and continue with the rest; the event loop is never blocked', async () => {
    // This takes half a minute on any machine.
    const value = Array.from({ length: 2000 }, (_, index) => `b${index}`.repeat(1000))
    const slow = rules.judge('similarity', JSON.stringify({ value }), subject('a'.repeat(3000)), 'w')
    const quick = rules.judge('contains', '{"value":"a"}', subject('a'), 'w')
    let isOver = false
    void slow.then(() => {
      isOver = true
    })
    for (let turns = 0; turns < 20; turns++) await pause(1)
    assert.equal(isOver, false)
    const [late, soon] = await Promise.all([slow, quick])
    assert.deepEqual(late, { value: null, comment: 'The rule took longer than 2000 ms.' })
    assert.equal(soon.value, true)
  })

  it('are scheduled fairly between workspaces, however many one of them queues (L8)', async () => {
    const order: string[] = []
    const ask = async (workspaceId: string): Promise<void> => {
      await rules.judge('contains', '{"value":"a"}', subject('a'), workspaceId)
      order.push(workspaceId)
    }
    await Promise.all([
      ...Array.from({ length: 100 }, () => ask('busy')),
      ask('other'),
      ask('third'),
      ask('other'),
    ])
    const places = ['other', 'third'].map((workspaceId) => order.indexOf(workspaceId))
    assert.ok(Math.max(...places) <= 3, `${places}`)
    assert.ok(order.lastIndexOf('other') <= 6)
  })

  it('stop with the service', async () => {
    const other = new RuleJudge()
    const rejected = assert.rejects(other.judge('contains', '{"value":"a"}', subject('a'), 'w'), /stopping/)
    await other.close()
    await rejected
    await assert.rejects(other.judge('contains', '{"value":"a"}', subject('a'), 'w'), /stopping/)
  })
})
