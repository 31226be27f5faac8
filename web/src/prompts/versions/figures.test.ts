import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { PromptVersion } from '@plumbline/sdk'
import { figuresOf, scoreNames } from './figures.ts'

const version = (name: string): PromptVersion => ({
  version: name,
  text: '',
  systemText: '',
  tags: [],
  createdAt: '2026-03-09T00:00:00Z',
  model: {
    provider: '',
    client: '',
    model: '',
    version: '',
    parameters: { temperature: 1, topP: 1, maxLength: 1, responseFormat: 'text' },
  },
})
const usage = [
  {
    promptVersion: '2',
    logs: 4,
    errors: 1,
    cost: 0.8,
    totalTokens: 400,
    p50DurationMs: 10,
    p95DurationMs: 20,
  },
]
const scores = [
  { promptVersion: '2', scoreName: 'tone', avgScore: 0.5, scores: 2 },
  { promptVersion: '1', scoreName: 'truth', avgScore: 0.9, scores: 3 },
  { promptVersion: '1', scoreName: 'label', avgScore: null, scores: 9 },
]

it('costs and tokens are per use, and an unused version has none', () => {
  const [used, unused] = figuresOf([version('2'), version('1')], usage, scores)
  assert.deepEqual([used?.costPerUse, used?.tokensPerUse, used?.p95Ms], [0.2, 100, 20])
  assert.deepEqual([unused?.uses, unused?.costPerUse, unused?.p50Ms], [0, null, null])
})

it('scores are kept apart by name, since a mean over different scores is meaningless', () => {
  const [used, unused] = figuresOf([version('2'), version('1')], usage, scores)
  assert.deepEqual([...used!.scores], [['tone', 0.5]])
  assert.deepEqual([...unused!.scores], [['truth', 0.9]])
  assert.deepEqual(scoreNames(scores), ['truth', 'tone'])
})
