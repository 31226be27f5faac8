import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { operations } from '@plumbline/contract'
import { makeFeature, recordTrace, startTestApp } from '../../../../testing/test-app.ts'
import { subjectOfLog, subjectOfTrace } from './subject.ts'

const { newWorkspace } = await startTestApp()

const timeAt = (second: number): string => `2026-01-02T03:04:0${second}.000Z`

const workspace = await newWorkspace()
await makeFeature(workspace)
const { id } = await recordTrace(workspace, {
  input: 'Where is it?',
  output: 'In Rome.',
  idealOutput: 'Rome',
  metadata: { tier: 'gold' },
  startTime: timeAt(0),
  endTime: timeAt(5),
  logs: [
    { id: 'agent', type: 'span', startTime: timeAt(0), endTime: timeAt(3), input: 'q', output: 'a' },
    { id: 'find', type: 'retrieval', parentId: 'agent', output: ['doc 1', 'doc 2'] },
    {
      id: 'answer',
      type: 'generation',
      parentId: 'agent',
      variables: [{ label: 'city', value: 'Rome' }, { label: 'empty' }],
      inputTokens: 7,
      outputTokens: 3,
      cost: 0.5,
    },
    { id: 'later', type: 'retrieval', output: 'doc 3' },
    {
      id: 'again',
      type: 'generation',
      variables: [{ label: 'city', value: 'Oslo' }],
      inputTokens: 1,
      outputTokens: 1,
      cost: 0.25,
    },
  ],
})
const { trace } = await workspace.ok(operations.traces.get, { id })

describe('the subject of an evaluator', () => {
  it('for a trace includes the variables of its generations and the retrieved documents', () => {
    const { logs, ...subject } = subjectOfTrace(trace)
    assert.deepEqual(subject, {
      input: 'Where is it?',
      output: 'In Rome.',
      idealOutput: 'Rome',
      metadata: { tier: 'gold' },
      variables: { city: 'Rome', empty: null },
      context: [['doc 1', 'doc 2'], 'doc 3'],
      durationMs: 5000,
      cost: 0.75,
      inputTokens: 8,
      outputTokens: 4,
    })
    assert.deepEqual(
      logs.map((log) => [log.id, log.type, log.cost]),
      [
        ['agent', 'span', undefined],
        ['find', 'retrieval', undefined],
        ['answer', 'generation', 0.5],
        ['later', 'retrieval', undefined],
        ['again', 'generation', 0.25],
      ],
    )
  })

  it('for a log is the log, with its descendants', () => {
    const agent = subjectOfLog(trace, 'agent')
    assert.deepEqual([agent?.input, agent?.output, agent?.durationMs, agent?.cost], ['q', 'a', 3000, null])
    assert.deepEqual([agent?.context, agent?.variables.city], [[['doc 1', 'doc 2']], 'Rome'])
    assert.deepEqual(
      agent?.logs.map((log) => log.id),
      ['find', 'answer'],
    )
    const again = subjectOfLog(trace, 'again')
    assert.deepEqual([again?.variables, again?.cost, again?.inputTokens], [{ city: 'Oslo' }, 0.25, 1])
    assert.equal(subjectOfLog(trace, 'nobody'), undefined)
  })
})

describe('the numbers of a log', () => {
  it('are those of totals: its estimate if 0 was sent, in microseconds, without impossible values', async () => {
    const startTime = '2026-01-02T03:04:00.000900Z'
    const call = { type: 'generation', inputTokens: 1e6, outputTokens: 0, metadata: { model: 'gpt-4o' } }
    const answer = await recordTrace(workspace, {
      logs: [
        { ...call, id: 'unset', cost: 0, startTime, endTime: '2026-01-02T03:04:00.002100Z' },
        { ...call, id: 'impossible', cost: -1, startTime, endTime: '2026-01-02T02:04:00Z' },
        { ...call, id: 'negative', cost: 1, inputTokens: -5, outputTokens: 3 },
      ],
    })
    const recording = (await workspace.ok(operations.traces.get, { id: answer.id })).trace
    assert.equal(recording.totals.cost, 2.5)
    const numbersOf = (logId: string) => {
      const { cost, durationMs, inputTokens, outputTokens } = subjectOfLog(recording, logId)!
      return { cost, durationMs, tokens: inputTokens + outputTokens }
    }
    assert.deepEqual(numbersOf('unset'), { cost: 2.5, durationMs: 1.2, tokens: 1e6 })
    for (const logId of ['impossible', 'negative'])
      assert.deepEqual(numbersOf(logId), { cost: null, durationMs: null, tokens: 0 })
    assert.deepEqual(
      subjectOfTrace(recording).logs.map(({ cost }) => cost),
      [2.5, null, null],
    )
  })
})
