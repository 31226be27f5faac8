import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { StoredLog } from '@plumbline/sdk'
import { treeOf } from '../trace/tree/trace-tree.ts'
import { alignLogs, changesOfTraces } from './align.ts'

const log = (name: string, output: string, type: StoredLog['type'] = 'span'): StoredLog => ({
  id: name,
  parentId: null,
  type,
  name,
  startTime: null,
  endTime: null,
  metadata: null,
  input: null,
  output,
  idealOutput: null,
  evaluators: null,
})

const align = (previous: readonly StoredLog[], next: readonly StoredLog[]) =>
  alignLogs(treeOf(previous), treeOf(next)).map(({ change, before, after }) => [
    change,
    before?.log.name,
    after?.log.name,
  ])

it('logs of two traces are aligned by type and name', () => {
  assert.deepEqual(
    align(
      [log('plan', 'x'), log('search', 'y', 'tool'), log('write', 'z')],
      [log('plan', 'x'), log('check', 'n'), log('write', 'other'), log('send', 's')],
    ),
    [
      ['same', 'plan', 'plan'],
      ['removed', 'search', undefined],
      ['added', undefined, 'check'],
      ['changed', 'write', 'write'],
      ['added', undefined, 'send'],
    ],
  )
})

it('logs of different types are not paired', () => {
  assert.deepEqual(align([log('a', '1', 'tool')], [log('a', '1', 'span')]), [
    ['removed', 'a', undefined],
    ['added', undefined, 'a'],
  ])
})

it('a trace without logs lacks all logs of the other', () => {
  assert.deepEqual(align([], [log('a', '1')]), [['added', undefined, 'a']])
  assert.deepEqual(align([], []), [])
})

it('whole traces differ by input, output and error', () => {
  const trace = { input: 'q', output: { a: 1 }, metadata: { plan: 'pro' } }
  assert.deepEqual(changesOfTraces(trace, { ...trace, metadata: { plan: 'free' } }), [])
  assert.deepEqual(
    changesOfTraces(trace, { input: null, output: { a: 2 }, metadata: { error: 'It is gone.' } }),
    ['error', 'output', 'input'],
  )
})
