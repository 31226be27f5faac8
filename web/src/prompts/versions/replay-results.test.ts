import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Replay } from '@plumbline/sdk'
import { summarize } from './replay-results.ts'

const side = (value: boolean | number | string | null, cost: number | null = 0.5) => ({
  version: '1',
  model: 'm',
  output: value,
  cost,
  durationMs: 1,
  scores: [{ evaluatorSlug: 'polite', value, comment: '' }],
})

const replay = (fields: Partial<Replay>): Replay => ({
  traceId: 't',
  logId: 'l',
  startTime: null,
  variables: {},
  missingVariables: [],
  recorded: side(false),
  replayed: side(true),
  problem: null,
  isSame: false,
  ...fields,
})

test('replays are counted as same, changed and failed, with the verdicts of each evaluator', () => {
  assert.deepEqual(
    summarize([
      replay({}),
      replay({ recorded: side(4), replayed: side(2, null) }),
      replay({ recorded: side('red'), replayed: side('blue') }),
      replay({ recorded: side(true), isSame: true }),
      replay({ replayed: null, problem: '401' }),
    ]),
    {
      same: 1,
      changed: 3,
      failed: 1,
      cost: 1.5,
      scores: [{ evaluatorSlug: 'polite', better: 1, worse: 1, same: 1 }],
    },
  )
  assert.deepEqual(summarize([]), { same: 0, changed: 0, failed: 0, cost: null, scores: [] })
})
