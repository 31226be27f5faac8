import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Evaluator } from '@plumbline/sdk'
import {
  checkConfig,
  evaluatorInput,
  fieldsOfConfig,
  newEvaluator,
  readTexts,
  shownFields,
  valuesOf,
} from './evaluator-values.ts'
import { type Kind, kindNames } from './kinds.ts'

const evaluator = (kind: Kind, config: Evaluator['config']): Evaluator => ({
  slug: 'one',
  name: 'One',
  kind,
  config,
  sampleRate: 0.07,
  liveRule: null,
  version: 1,
  createdAt: '2024-01-01T00:00:00Z',
})

describe('the evaluator form', () => {
  it('reproduces the configuration it was read from', () => {
    const configs: Partial<Record<Kind, Evaluator['config']>> = {
      equals: { of: 'output', value: 'Paris', ignoreCase: true },
      contains: { value: 'as short as can be' },
      regex: { of: 'metadata', path: 'a.b', pattern: '^x$', flags: 'i' },
      json_schema: { of: 'output', schema: { type: 'object' } },
      range: { measure: 'cost', max: 0.5 },
      llm: {
        template: 'Is {{ output }} right?',
        connectionId: 'c1',
        model: 'gpt-4o',
        verdict: { type: 'categorical', choices: ['good', 'bad'] },
        seed: 7,
      },
      embedding_similarity: {
        connectionId: 'c1',
        model: 'text-embedding-3-small',
        of: 'output',
        value: ['yes', 'of course'],
        threshold: -0.5,
      },
      bleu: { of: 'output', value: '[not a list' },
      human: {
        rubric: '# Kindness',
        verdict: { type: 'numeric', min: 1, max: 5, points: [{ value: 5, label: 'kind: very' }] },
      },
    }
    for (const [kind, config] of Object.entries(configs) as [Kind, Evaluator['config']][]) {
      const values = valuesOf(evaluator(kind, config))
      assert.deepEqual(checkConfig(values), [])
      const saved = { slug: 'one', name: 'One', kind, config, sampleRate: 0.07, liveRule: null }
      assert.deepEqual(evaluatorInput(values), saved)
    }
  })

  it('reports missing and invalid fields', () => {
    assert.deepEqual(Object.keys(readTexts('contains', {}).problems), ['value'])
    assert.match(readTexts('range', {}).problems.min ?? '', /required/)
    assert.match(readTexts('range', { min: 'x' }).problems.min ?? '', /number/)
    assert.match(readTexts('similarity', { threshold: '2' }).problems.threshold ?? '', /from 0 to 1/)
    assert.match(readTexts('json_schema', { schema: '{' }).problems.schema ?? '', /not valid JSON/)
    const points = { verdict_type: 'numeric', verdict_points: '5: good\nbad' }
    assert.match(readTexts('human', points).problems['verdict.points'] ?? '', /not a number .* “bad”/)
  })

  it('requires only the applicable fields', () => {
    const names = (texts: Record<string, string>) => shownFields('llm', texts).map(({ name }) => name)
    assert.ok(!names({ verdict_type: 'boolean' }).includes('verdict.min'))
    assert.ok(names({ verdict_type: 'numeric' }).includes('verdict.min'))
  })

  it('starts for every kind', () => {
    for (const kind of kindNames) assert.equal(newEvaluator(kind).kind, kind)
  })
})

it('shows a problem at its field, or at the first field of its object', () => {
  const fields = fieldsOfConfig({ kind: 'llm' })
  assert.equal(fields['config.verdict.max'], 'config.verdict_max')
  assert.equal(fields['config.verdict'], 'config.verdict_type')
  assert.equal(fields['config.template'], 'config.template')
})
